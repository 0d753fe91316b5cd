package io.movr.cli;

import io.movr.Refusal;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which database a command works on. */
final class DatabaseOptions {

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "A running database, such as jdbc:postgresql://localhost:5432/movr?user=me. A password is"
                    + " best kept in ~/.pgpass.")
    private @Nullable String url;

    @Option(
            names = "--data-dir",
            paramLabel = "FOLDER",
            description = "The folder of an embedded PostgreSQL that is kept.")
    private @Nullable Path folder;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "The port of the embedded PostgreSQL (default: any that is free).")
    private int port;

    /** The database that is named, or else the embedded one that is kept for the commands to share. */
    Cluster kept() {
        return open(defaultFolder());
    }

    /** The database that is named, or else an embedded one that goes when it is closed. */
    Cluster temporary() {
        return open(null);
    }

    boolean isNamed() {
        return url != null || folder != null;
    }

    static Path defaultFolder() {
        return Path.of(System.getProperty("movr.root", "."), ".movr", "data");
    }

    private Cluster open(@Nullable Path otherwise) {
        if (url != null && (folder != null || port != 0)) {
            throw new Refusal(
                    "--url names a running database, --data-dir and --port an embedded one: give one of them");
        }
        if (port < 0 || port > 65_535) {
            throw new Refusal("--port " + port + " is out of range: 1 to 65535");
        }
        if (url != null) {
            return Cluster.at(url);
        }
        Path kept = folder == null ? otherwise : folder;
        return kept == null ? EmbeddedPostgres.temporary(port) : EmbeddedPostgres.in(kept, port);
    }
}
