package io.movr.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the database of a command that keeps the rows of the embedded server. */
final class StoredDatabaseOptions extends DatabaseOptions {

    @Option(
            names = "--data-dir",
            paramLabel = "FOLDER",
            description = "Folder in which the embedded PostgreSQL keeps its files (default: .movr/data).")
    private @Nullable Path folder;

    @Override
    @Nullable
    Path dataFolder() {
        return folder;
    }
}
