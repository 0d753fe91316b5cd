package io.movr.lab;

import io.movr.UserError;
import io.movr.dataset.Answers;
import io.movr.dataset.PublishedRows;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The answers that follow from the generator of MovR's rows, by their names in {@code expect.answer: provider:NAME}. A
 * new one is added to this map.
 */
final class GeneratedAnswers {

    static final String PREFIX = "provider:";

    private static final int MOST_USED = 5;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");
    private static final LocalDateTime DAY = LocalDateTime.of(2018, 7, 20, 0, 0);

    private static final Map<String, Function<Answers, List<List<String>>>> BY_NAME = new TreeMap<>(Map.of(
            "latest-rides-of-most-used-vehicles", GeneratedAnswers::latestRides,
            "published-ride", answers -> List.of(publishedRide(answers)),
            "published-ride-rider-and-vehicle", answers -> columns(List.of(publishedRide(answers)), 3, 4),
            "users-of-published-name", answers -> answers.usersNamed(PublishedRows.USER_NAME),
            "names-and-cards-of-published-name", answers -> columns(answers.usersNamed(PublishedRows.USER_NAME), 2, 4),
            "count-of-riders-of-published-day",
                    answers -> List.of(List.of(Long.toString(answers.distinctRiders(DAY, DAY.plusDays(1)))))));

    private GeneratedAnswers() {}

    static boolean has(String name) {
        return BY_NAME.containsKey(name);
    }

    /** Returns all names, separated by commas. */
    static String names() {
        return String.join(", ", BY_NAME.keySet());
    }

    /** Returns the rows, with every cell as COPY writes it. */
    static List<List<String>> rows(String name, Answers answers) {
        return Objects.requireNonNull(BY_NAME.get(name), name).apply(answers);
    }

    private static List<List<String>> latestRides(Answers answers) {
        return answers.latestRidesOfMostUsedVehicles(MOST_USED).entrySet().stream()
                .map(ride -> List.of(ride.getKey().toString(), TIME.format(ride.getValue())))
                .toList();
    }

    private static List<String> publishedRide(Answers answers) {
        return answers.publishedRide()
                .orElseThrow(() -> new UserError(
                        "The published ride is not in the dataset: keep " + PublishedRows.CITY + " among --cities"));
    }

    private static List<List<String>> columns(List<List<String>> rows, int first, int second) {
        return rows.stream()
                .map(row -> List.of(row.get(first), row.get(second)))
                .toList();
    }
}
