package io.movr.benchmarks;

import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.LocalCockroach;
import io.movr.database.Rows;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the server on which both sides are measured. */
final class Server {

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "Address of a running server, or env:NAME (default: a temporary embedded PostgreSQL).")
    private @Nullable String url;

    @Option(
            names = "--engine",
            paramLabel = "ENGINE",
            defaultValue = "postgresql",
            description = "The engine to start without --url: postgresql (default) or cockroach.")
    private String engine = "postgresql";

    @Option(
            names = "--cockroach-bin",
            paramLabel = "FILE",
            description = "The cockroach program (default: the one on the PATH).")
    private @Nullable Path cockroach;

    Cluster open() {
        if (url != null) {
            return Cluster.at(url);
        }
        return switch (Engine.named(engine)) {
            case POSTGRESQL -> EmbeddedPostgres.temporary();
            case COCKROACHDB -> LocalCockroach.ofOneNode(cockroach, false);
        };
    }

    /**
     * Runs a checkpoint on an embedded PostgreSQL; otherwise it could run during the next measurement.
     *
     * @throws SQLException if the server fails
     */
    static void checkpoint(Cluster cluster) throws SQLException {
        if (cluster.embedded() && cluster.engine() == Engine.POSTGRESQL) {
            try (Connection connection = cluster.gateway().connect()) {
                Rows.execute(connection, "CHECKPOINT");
            }
        }
    }

    /** Returns the {@code cockroach} program. */
    Path cockroach() {
        return LocalCockroach.program(cockroach);
    }
}
