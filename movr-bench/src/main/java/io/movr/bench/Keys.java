package io.movr.bench;

import io.movr.dataset.Dataset;
import io.movr.dataset.Table;
import io.movr.rides.RideId;
import io.movr.users.UserId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
import org.apache.commons.rng.simple.RandomSource;

/**
 * Keys of rows that are there, drawn before anything is measured: {@code uniform}, all alike, or {@code zipfian}, few of
 * them very often (exponent 0.99, as YCSB has it).
 */
final class Keys {

    private static final int DRAWN = 8_192;
    private static final double ZIPF_EXPONENT = 0.99;
    private static final long PRIME = 2_654_435_761L;

    private final Dataset dataset;
    private final boolean zipfian;
    private final long seed;

    /**
     * Chooses how to draw.
     *
     * @param distribution {@code uniform} or {@code zipfian}
     * @throws IllegalArgumentException when it is neither
     */
    Keys(Dataset dataset, String distribution, long seed) {
        if (!distribution.equals("uniform") && !distribution.equals("zipfian")) {
            throw new IllegalArgumentException(
                    "There are no keys '" + distribution + "': choose uniform or zipfian with -p keys=…");
        }
        this.dataset = dataset;
        this.zipfian = distribution.equals("zipfian");
        this.seed = seed;
    }

    Drawn<UserId> users() {
        return draw(Table.USERS, row -> new UserId(dataset.city(Table.USERS, row), dataset.id(Table.USERS, row)));
    }

    Drawn<RideId> rides() {
        return draw(Table.RIDES, row -> new RideId(dataset.city(Table.RIDES, row), dataset.id(Table.RIDES, row)));
    }

    Drawn<String> userNames() {
        return draw(Table.USERS, dataset::userName);
    }

    Drawn<String> cities() {
        List<String> cities = dataset.spec().cities();
        return draw(cities.size(), row -> cities.get((int) row));
    }

    private <T> Drawn<T> draw(Table table, LongFunction<T> key) {
        return draw(dataset.spec().count(table), key);
    }

    private <T> Drawn<T> draw(long rows, LongFunction<T> key) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        List<T> drawn = new ArrayList<>(DRAWN);
        if (zipfian) {
            var ranks = RejectionInversionZipfSampler.of(random, Math.toIntExact(rows), ZIPF_EXPONENT);
            for (int index = 0; index < DRAWN; index++) {
                // The most requested keys are not adjacent.
                drawn.add(key.apply(ranks.sample() * PRIME % rows));
            }
        } else {
            for (int index = 0; index < DRAWN; index++) {
                drawn.add(key.apply(random.nextLong(rows)));
            }
        }
        return new Drawn<>(drawn);
    }

    /** Keys in the order in which they are used, over and over. */
    static final class Drawn<T> {

        private final List<T> keys;
        private int position;

        private Drawn(List<T> keys) {
            this.keys = keys;
        }

        /** Returns an empty set of keys, until some are drawn. */
        static <T> Drawn<T> none() {
            return new Drawn<>(List.of());
        }

        T next() {
            position = (position + 1) & (DRAWN - 1);
            return keys.get(position);
        }

        void rewind() {
            position = 0;
        }
    }
}
