package io.movr.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a command writes its results. */
class OutOption {

    @Option(names = "--out", paramLabel = "FOLDER", description = "Parent folder of the results (default: results).")
    private Path out = Path.of("results");

    final Path folder() {
        return out;
    }
}
