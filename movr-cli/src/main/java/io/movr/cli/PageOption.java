package io.movr.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option of the folder of a page. */
class PageOption {

    @Option(names = "--out", paramLabel = "FOLDER", description = "Write the HTML page and its data into this folder.")
    private @Nullable Path folder;

    final @Nullable Path folder() {
        return folder;
    }
}
