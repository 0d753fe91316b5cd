package io.movr.workload;

import io.movr.UserError;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The distribution of requests over the rows of a table, as in YCSB. */
public enum KeyDistribution {

    /** Few rows get most requests; they are spread over the table. */
    ZIPFIAN,

    /** Every row gets the same number of requests. */
    UNIFORM,

    /** Few rows get most requests: the rows inserted last. */
    LATEST;

    // YCSB draws from ten thousand million items whatever the table holds, and hashes them down to its rows.
    private static final long ITEMS = 10_000_000_000L;
    private static final double ZETA_OF_ITEMS = 26.46902820178302;

    private static final long FNV_OFFSET = 0xCBF29CE484222325L;
    private static final long FNV_PRIME = 1099511628211L;

    /** Draws numbers of rows. Not safe for use by several threads. */
    interface Generator {

        /**
         * Draws the number of a row.
         *
         * @param rows how many there are now, no fewer than at the last call
         * @return 0 to {@code rows - 1}
         */
        long next(SplittableRandom random, long rows);
    }

    /**
     * Makes generators, one for each thread.
     *
     * @param rows that there are at first, at least 2
     */
    Supplier<Generator> generators(long rows) {
        return switch (this) {
            case ZIPFIAN ->
                () -> {
                    Zipfian zipfian = new Zipfian(ITEMS, Zipfian.THETA, ZETA_OF_ITEMS);
                    return (random, now) -> hash(zipfian.next(random)) % now;
                };
            case UNIFORM -> () -> SplittableRandom::nextLong;
            case LATEST -> {
                Zipfian first = new Zipfian(rows, Zipfian.THETA);
                yield () -> {
                    Zipfian zipfian = first.copy();
                    return (random, now) -> {
                        zipfian.grow(now);
                        return now - 1 - zipfian.next(random);
                    };
                };
            }
        };
    }

    /** Returns the 64-bit FNV-1a hash of a number's eight bytes, the lowest first, without its sign, as in YCSB. */
    static long hash(long number) {
        long hash = FNV_OFFSET;
        long left = number;
        for (int octet = 0; octet < Long.BYTES; octet++) {
            hash = (hash ^ (left & 0xFF)) * FNV_PRIME;
            left >>= Byte.SIZE;
        }
        return hash == Long.MIN_VALUE ? 0 : Math.abs(hash);
    }

    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds a distribution by its name.
     *
     * @throws UserError when there is none
     */
    public static KeyDistribution named(String text) {
        return Arrays.stream(values())
                .filter(one -> one.id().equals(text.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no distribution '" + text + "': choose "
                        + Arrays.stream(values()).map(KeyDistribution::id).collect(Collectors.joining(", "))));
    }
}
