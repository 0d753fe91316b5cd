package io.movr.study;

import io.movr.UserError;
import io.movr.cache.CacheSettings;
import io.movr.cache.CachingDataSource;
import io.movr.cache.ChangeListener;
import io.movr.cache.ChangeNotices;
import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.report.EdgeResults.Staleness;
import io.movr.staleness.VersionedReads;
import io.movr.staleness.VersionedReads.Readers;
import io.movr.staleness.VersionedReads.Seen;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Measures the staleness of distant reads for each cache mode. */
final class StalenessProbe {

    private static final int READERS = 4;
    private static final String READ = "SELECT version FROM edge_versions WHERE id = ?";
    private static final String WRITE = "UPDATE edge_versions SET version = ? WHERE id = ?";

    private final EdgePlan plan;
    private final Cluster cluster;
    private final Gateway database;
    private final Gateway far;
    private final Consumer<String> progress;

    StalenessProbe(EdgePlan plan, Cluster cluster, Gateway database, Gateway far, Consumer<String> progress) {
        this.plan = plan;
        this.cluster = cluster;
        this.database = database;
        this.far = far;
        this.progress = progress;
    }

    List<Staleness> measure() throws SQLException, InterruptedException {
        try (Connection connection = database.connect("movr-edge");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE edge_versions (id INT PRIMARY KEY, version BIGINT NOT NULL)");
            statement.execute("INSERT INTO edge_versions SELECT n, 0 FROM generate_series(0, "
                    + (VersionedReads.ROWS - 1) + ") n");
        }
        List<Staleness> all = new ArrayList<>();
        all.add(probe("direct", "none: every read queries the database", EdgePaths.unpooled(far), null, true));
        for (Duration ttl : List.of(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(3))) {
            try (CachingDataSource cache =
                    EdgePaths.cached(far, CacheSettings.standard().withTimeToLive(ttl))) {
                all.add(probe(
                        "ttl-" + ttl.toMillis() + "ms",
                        "results are cached for " + ttl.toMillis() + " ms",
                        cache,
                        null,
                        false));
            }
        }
        try (CachingDataSource cache = EdgePaths.cached(far, CacheSettings.standard())) {
            all.add(probe("written-through", "writes pass through the cache too", cache, cache, true));
        }
        Staleness notification = probeNotification();
        if (notification != null) {
            all.add(notification);
        }
        return all;
    }

    /** Measures notification by triggers or by a changefeed; it does not enable changefeeds in a cluster. */
    private @Nullable Staleness probeNotification() throws SQLException, InterruptedException {
        ChangeNotices notices = ChangeNotices.begin(cluster, database);
        try (notices;
                CachingDataSource cache =
                        EdgePaths.cached(far, CacheSettings.standard().withRequiredChanges());
                ChangeListener listener = new ChangeListener(cache, () -> far.connect("movr-edge-listener"))) {
            if (listener.awaitUp(Duration.ofSeconds(60))) {
                return probe("notification", "the database notifies of writes", cache, null, false);
            }
            if (notices.areByTriggers()) {
                throw new UserError(
                        "The cache could not listen to " + far.shown() + " within 60 s: " + listener.obstacle());
            }
            progress.accept("Notification needs a changefeed: " + listener.obstacle());
            return null;
        }
    }

    /**
     * Measures one mode.
     *
     * @param writes the data source of the writers; {@code null} for the database itself
     * @param exact whether a stale read is a fault
     */
    private Staleness probe(String mode, String meaning, DataSource reads, @Nullable DataSource writes, boolean exact)
            throws InterruptedException {
        progress.accept("Staleness, " + mode);
        Seen seen = Objects.requireNonNull(new VersionedReads(
                        writes == null ? () -> database.connect("movr-edge") : writes::getConnection, WRITE, id -> id)
                .measure(Map.of(mode, new Readers(reads::getConnection, READ, READERS)), plan.run())
                .seen()
                .get(mode));
        return new Staleness(
                mode,
                meaning,
                seen.reads(),
                seen.stale(),
                seen.staleShare(),
                seen.medianMs(),
                seen.p99Ms(),
                seen.meanMs(),
                seen.ageP50Ms(),
                seen.ageP99Ms(),
                seen.ageMaxMs(),
                exact && seen.stale() > 0
                        ? List.of("Staleness, " + mode + ": " + seen.stale()
                                + " reads were stale, but this mode allows none")
                        : List.of());
    }
}
