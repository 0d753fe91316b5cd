package io.movr.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option of the folder of results. */
class OutOption {

    @Option(names = "--out", paramLabel = "FOLDER", description = "Parent folder of the results (default: results).")
    private Path out = Path.of("results");

    final Path folder() {
        return out;
    }
}
