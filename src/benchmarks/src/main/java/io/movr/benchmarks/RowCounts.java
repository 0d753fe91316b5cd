package io.movr.benchmarks;

import io.movr.dataset.DatasetSpec;
import io.movr.dataset.Scale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the rows of MovR that are loaded. */
final class RowCounts {

    private static final long SEED = 1;

    @Option(
            names = "--scale",
            paramLabel = "NAME",
            defaultValue = "quick",
            description = "tiny (1,000 rides), quick (100,000, the default) or tutorial (1,000,000).")
    private String scale = "quick";

    @Option(names = "--rides", paramLabel = "N", description = "Number of rides, instead of the scale's.")
    private @Nullable Long rides;

    @Option(names = "--vehicles", paramLabel = "N", description = "Number of vehicles, instead of the scale's.")
    private @Nullable Long vehicles;

    String scale() {
        return scale;
    }

    DatasetSpec spec() {
        DatasetSpec base = Scale.named(scale).spec(SEED);
        return new DatasetSpec(
                SEED,
                base.cities(),
                base.users(),
                vehicles == null ? base.vehicles() : vehicles,
                rides == null ? base.rides() : rides,
                base.histories(),
                base.promoCodes(),
                true);
    }
}
