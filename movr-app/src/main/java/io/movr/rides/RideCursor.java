package io.movr.rides;

import io.movr.web.RequestProblem;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A position in a rider's list of rides, which begins with the latest ride.
 *
 * @param startTime of the ride before the position, in UTC
 * @param id of that ride, to order rides with the same start time
 */
record RideCursor(LocalDateTime startTime, UUID id) {

    private static final LocalDateTime LATEST = LocalDateTime.of(9999, 12, 31, 0, 0);
    private static final LocalDateTime EARLIEST = LocalDateTime.of(1, 1, 1, 0, 0);
    private static final RideCursor BEGINNING = new RideCursor(LATEST, new UUID(-1, -1));

    static RideCursor of(Ride ride) {
        // The order of the list leaves out rides without a start.
        return new RideCursor(
                Objects.requireNonNull(ride.startTime()), ride.key().id());
    }

    /** Parses the text of {@link #toString}; {@code null} is the beginning. */
    static RideCursor parse(@Nullable String text) {
        if (text == null) {
            return BEGINNING;
        }
        int separator = text.indexOf('_');
        try {
            LocalDateTime time =
                    LocalDateTime.ofInstant(Instant.parse(text.substring(0, Math.max(0, separator))), ZoneOffset.UTC);
            if (time.isAfter(LATEST) || time.isBefore(EARLIEST)) {
                throw new IllegalArgumentException("out of range");
            }
            return new RideCursor(time, UUID.fromString(text.substring(separator + 1)));
        } catch (DateTimeException | IllegalArgumentException malformed) {
            throw RequestProblem.INVALID_REQUEST.because("after", "must be the value of next from a page");
        }
    }

    @Override
    public String toString() {
        return startTime.toInstant(ZoneOffset.UTC) + "_" + id;
    }
}
