package io.movr.cli;

import io.movr.dataset.DatasetSpec;
import io.movr.dataset.Scale;
import picocli.CommandLine.Option;

/** The option of the number of MovR's rows. */
class ScaleOption {

    @Option(
            names = "--scale",
            paramLabel = "NAME",
            description =
                    "MovR's rows: tiny (1,000 rides), quick (100,000, default) or tutorial (1,000,000, as published).")
    private String scale = "quick";

    /** Returns the scale's name. */
    final String name() {
        return Scale.named(scale).id();
    }

    final Scale scale() {
        return Scale.named(scale);
    }

    DatasetSpec spec() {
        return scale().spec(1);
    }
}
