package io.movr.dataset;

import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What the published queries must answer on a dataset, worked out from the generator without any database: the other
 * opinion that a measured answer is checked against.
 *
 * <p>Holds a number for each vehicle and user, and goes through every ride for each question about rides.
 */
public final class Answers {

    private final Dataset dataset;
    private final DatasetSpec spec;

    public Answers(DatasetSpec spec) {
        this.spec = spec;
        this.dataset = new Dataset(spec);
    }

    /** Returns the ids of the vehicles of a city that are of a type and in a status. */
    public Set<String> vehicles(String city, String type, String status) {
        return LongStream.range(0, spec.vehicles())
                .mapToObj(vehicle -> row(Table.VEHICLES, vehicle))
                .filter(row -> row.get(1).equals(city)
                        && row.get(2).equals(type)
                        && row.get(5).equals(status))
                .map(row -> row.get(0))
                .collect(Collectors.toSet());
    }

    /** Returns the columns of the published ride as COPY writes them, when it is in the dataset. */
    public Optional<List<String>> publishedRide() {
        long ride = dataset.publishedRide();
        return ride < 0 ? Optional.empty() : Optional.of(row(Table.RIDES, ride));
    }

    /** Returns the columns of every user of a name, as COPY writes them. */
    public List<List<String>> usersNamed(String name) {
        return LongStream.range(0, spec.users())
                .filter(user -> dataset.userName(user).equals(name))
                .mapToObj(user -> row(Table.USERS, user))
                .toList();
    }

    public long countOfNamesBeginningWith(String prefix) {
        return LongStream.range(0, spec.users())
                .filter(user -> dataset.userName(user).startsWith(prefix))
                .count();
    }

    /** Returns how many riders began a ride in a time, both ends included. */
    public long distinctRiders(LocalDateTime from, LocalDateTime to) {
        long first = from.toEpochSecond(ZoneOffset.UTC);
        long last = to.toEpochSecond(ZoneOffset.UTC);
        BitSet riders = new BitSet();
        for (long ride = 0; ride < spec.rides(); ride++) {
            long start = dataset.rideStart(ride);
            if (start >= first && start <= last) {
                riders.set(Math.toIntExact(dataset.rider(ride)));
            }
        }
        return riders.cardinality();
    }

    /** Returns the most used vehicles with the end of their latest ended ride, the most used first. */
    public Map<UUID, LocalDateTime> latestRidesOfMostUsedVehicles(int howMany) {
        int vehicles = Math.toIntExact(spec.vehicles());
        long[] rides = new long[vehicles];
        long[] latest = new long[vehicles];
        for (long ride = 0; ride < spec.rides(); ride++) {
            int vehicle = (int) dataset.vehicle(ride);
            rides[vehicle]++;
            latest[vehicle] = Math.max(latest[vehicle], dataset.rideEnd(ride));
        }
        Map<UUID, LocalDateTime> mostUsed = new LinkedHashMap<>();
        LongStream.range(0, vehicles)
                .boxed()
                .sorted(Comparator.comparing((Long vehicle) -> rides[vehicle.intValue()])
                        .reversed())
                .limit(howMany)
                .forEach(vehicle -> mostUsed.put(
                        dataset.id(Table.VEHICLES, vehicle),
                        LocalDateTime.ofEpochSecond(latest[vehicle.intValue()], 0, ZoneOffset.UTC)));
        return mostUsed;
    }

    /** Returns a row as the columns of COPY's text format. */
    public List<String> row(Table table, long row) {
        CopyText text = new CopyText(512);
        dataset.write(table, row, text);
        String line = new String(text.bytes(), 0, text.length() - 1, StandardCharsets.UTF_8);
        return new ArrayList<>(Arrays.asList(line.split("\t", -1)));
    }
}
