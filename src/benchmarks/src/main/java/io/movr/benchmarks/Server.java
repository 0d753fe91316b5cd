package io.movr.benchmarks;

import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.LocalCockroach;
import java.nio.file.Path;
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

    /** Returns the {@code cockroach} program. */
    Path cockroach() {
        return LocalCockroach.program(cockroach);
    }
}
