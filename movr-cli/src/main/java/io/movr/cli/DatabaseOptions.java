package io.movr.cli;

import io.movr.database.DatabaseSource;
import io.movr.database.Engine;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the database of a command. */
class DatabaseOptions {

    @Option(
            names = "--url",
            paramLabel = "[REGION=]URL",
            description = "A running database: a JDBC URL, or postgresql://me@host/database. For several regions, one"
                    + " REGION=URL each, the primary region first. env:NAME reads an environment variable. Keep"
                    + " passwords in ~/.pgpass.")
    private List<String> urls = List.of();

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            description = "Without --url, the engine that movr starts: postgresql, which is embedded (default), or"
                    + " cockroach, the program on the PATH.")
    private @Nullable String engine;

    /** Returns the database of the options. */
    final DatabaseSource source() {
        return new DatabaseSource(urls, engine == null ? null : Engine.named(engine), dataFolder(), isDemo());
    }

    @Nullable
    Path dataFolder() {
        return null;
    }

    boolean isDemo() {
        return false;
    }
}
