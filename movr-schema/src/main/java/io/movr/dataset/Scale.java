package io.movr.dataset;

import io.movr.UserError;
import io.movr.region.RegionMap;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A named amount of data. */
public enum Scale {
    /** For tests. */
    TINY(200, 50, 1_000, 2_000, 100),
    /** The default: loads in seconds. The users are as many as in the tutorial. */
    QUICK(2_180, 1_000, 100_000, 20_000, 1_000),
    /** A million rides, as in CockroachDB's tuning tutorial. */
    TUTORIAL(2_180, 10_000, 1_000_000, 100_000, 10_000);

    private final long users;
    private final long vehicles;
    private final long rides;
    private final long histories;
    private final long promoCodes;

    Scale(long users, long vehicles, long rides, long histories, long promoCodes) {
        this.users = users;
        this.vehicles = vehicles;
        this.rides = rides;
        this.histories = histories;
        this.promoCodes = promoCodes;
    }

    /** Finds a scale by its name. */
    public static Scale named(String text) {
        return Arrays.stream(values())
                .filter(scale -> scale.id().equals(text.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no scale '" + text + "': choose one of "
                        + Arrays.stream(values()).map(Scale::id).collect(Collectors.joining(", "))));
    }

    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the counts of this scale over the standard cities. */
    public DatasetSpec spec(long seed) {
        return new DatasetSpec(
                seed, RegionMap.standard().allCities(), users, vehicles, rides, histories, promoCodes, true);
    }

    @Override
    public String toString() {
        return id();
    }
}
