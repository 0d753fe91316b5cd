package io.movr.load;

import io.movr.UserError;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads and validates settings by name, and records the values read. */
final class PropertyReader {

    private final UnaryOperator<@Nullable String> values;
    private final Map<String, String> read = new LinkedHashMap<>();

    /** @param values a name's value, null when it has none */
    PropertyReader(UnaryOperator<@Nullable String> values) {
        this.values = values;
    }

    String text(String name, String otherwise) {
        String value = values.apply(name);
        String chosen = value == null || value.isBlank() ? otherwise : value.strip();
        read.put(name, chosen);
        return chosen;
    }

    double number(String name, double otherwise, double least, double most) {
        String value = text(name, Double.toString(otherwise));
        try {
            double number = Double.parseDouble(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException noNumber) {
            throw refused(name, value, "a number of " + least + " to " + most, noNumber);
        }
        throw refused(name, value, "a number of " + least + " to " + most, null);
    }

    long whole(String name, long otherwise, long least, long most) {
        String value = text(name, Long.toString(otherwise));
        try {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException noNumber) {
            throw refused(name, value, "a whole number of " + least + " to " + most, noNumber);
        }
        throw refused(name, value, "a whole number of " + least + " to " + most, null);
    }

    Duration seconds(String name, double otherwise, double least, double most) {
        return Duration.ofMillis(Math.round(number(name, otherwise, least, most) * 1_000));
    }

    Duration millis(String name, long otherwise, long least, long most) {
        return Duration.ofMillis(whole(name, otherwise, least, most));
    }

    <T extends Enum<T>> T choice(String name, Class<T> type, T otherwise) {
        String value = text(name, otherwise.name().toLowerCase(Locale.ROOT));
        StringBuilder choices = new StringBuilder();
        for (T choice : type.getEnumConstants()) {
            if (choice.name().equalsIgnoreCase(value)) {
                return choice;
            }
            choices.append(choices.isEmpty() ? "" : ", ").append(choice.name().toLowerCase(Locale.ROOT));
        }
        throw refused(name, value, "one of " + choices, null);
    }

    /** Returns every name that was read, with its value. */
    Map<String, String> read() {
        return new LinkedHashMap<>(read);
    }

    static UserError refused(String name, String value, String wanted, @Nullable Throwable cause) {
        return new UserError(name + " is '" + value + "': give " + wanted, cause);
    }
}
