package io.movr.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the experiments and their samples. */
class SamplingOptions {

    @Option(
            names = "--only",
            paramLabel = "ID",
            split = ",",
            description = "Experiments to measure, separated by commas (default: all).")
    private @Nullable List<String> only;

    @Option(
            names = "--samples",
            paramLabel = "N",
            description = "Samples of each side, at least 30 (default: as many as fit into a few seconds).")
    private @Nullable Integer samples;

    @Option(names = "--force", description = "Measure even if the preflight finds a problem; the report says so.")
    private boolean force;

    final @Nullable List<String> only() {
        return only;
    }

    final @Nullable Integer samples() {
        return samples;
    }

    final boolean isForced() {
        return force;
    }
}
