package io.movr.cli;

import io.movr.UserError;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The format of the output of a command. */
enum Format {
    TABLE,
    MARKDOWN,
    CSV,
    JSON;

    /**
     * Finds a format by its name.
     *
     * @param possible the formats that the command has
     * @throws UserError if there is none
     */
    static Format named(String text, Format... possible) {
        List<Format> formats = Arrays.asList(possible);
        return formats.stream()
                .filter(format -> format.id().equals(text.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no format '" + text + "': choose one of "
                        + formats.stream().map(Format::id).collect(Collectors.joining(", "))));
    }

    private String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
