package io.movr.cli;

import io.movr.dataset.DatasetSpec;
import io.movr.dataset.Scale;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much data there shall be, and which. */
final class DatasetOptions {

    @Option(
            names = "--scale",
            paramLabel = "NAME",
            defaultValue = "quick",
            description = "tiny (1,000 rides), quick (100,000, the default) or tutorial (1,000,000, as published).")
    private String scale = "quick";

    @Option(
            names = "--seed",
            paramLabel = "NUMBER",
            defaultValue = "1",
            description = "The same seed and counts give the same rows on every machine (default: 1).")
    private long seed = 1;

    @Option(names = "--users", paramLabel = "N", description = "Number of users, instead of the scale's.")
    private @Nullable Long users;

    @Option(names = "--vehicles", paramLabel = "N", description = "Number of vehicles, instead of the scale's.")
    private @Nullable Long vehicles;

    @Option(names = "--rides", paramLabel = "N", description = "Number of rides, instead of the scale's.")
    private @Nullable Long rides;

    @Option(
            names = "--histories",
            paramLabel = "N",
            description = "Number of locations recorded on rides, instead of the scale's.")
    private @Nullable Long histories;

    @Option(names = "--promo-codes", paramLabel = "N", description = "Number of promo codes, instead of the scale's.")
    private @Nullable Long promoCodes;

    @Option(
            names = "--cities",
            paramLabel = "CITY",
            split = ",",
            description = "The cities, separated by commas, instead of the nine that 'cockroach workload' has.")
    private @Nullable List<String> cities;

    DatasetSpec spec() {
        DatasetSpec base = Scale.named(scale).spec(seed);
        return new DatasetSpec(
                seed,
                cities == null
                        ? base.cities()
                        : cities.stream().map(String::strip).toList(),
                or(users, base.users()),
                or(vehicles, base.vehicles()),
                or(rides, base.rides()),
                or(histories, base.histories()),
                or(promoCodes, base.promoCodes()),
                true);
    }

    /** The scale's name, or {@code custom} when something was changed. */
    String scaleName() {
        Scale named = Scale.named(scale);
        return named.spec(seed).equals(spec()) ? named.id() : "custom";
    }

    private static long or(@Nullable Long given, long otherwise) {
        return given == null ? otherwise : given;
    }
}
