package io.movr.study;

import io.movr.UserError;
import io.movr.cache.CacheSettings;
import io.movr.cache.CachingDataSource;
import io.movr.database.Gateway;
import io.movr.database.Links;
import java.time.Duration;
import java.util.Properties;
import javax.sql.DataSource;
import org.postgresql.PGProperty;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The paths from the client to the database. A path is opened for each run, so that its cache starts empty. */
final class EdgePaths {

    private static final Duration READY_LIMIT = Duration.ofSeconds(60);

    private final Gateway far;
    private final Gateway fromPresence;
    private final Duration connectDelay;
    private final EdgePlan plan;

    /**
     * Prepares the paths.
     *
     * @param far the database at the distance of the client
     * @param fromPresence the database at the distance of the point of presence
     * @param connectDelay the delay of a new connection between client and point of presence
     */
    EdgePaths(Gateway far, Gateway fromPresence, Duration connectDelay, EdgePlan plan) {
        this.far = far;
        this.fromPresence = fromPresence;
        this.connectDelay = connectDelay;
        this.plan = plan;
    }

    /**
     * Opens a path.
     *
     * @throws UserError if its cache cannot read the tables within a minute
     */
    OpenPath open(AccessPath path) throws InterruptedException {
        return switch (path) {
            case DIRECT -> new OpenPath(unpooled(far), null);
            case NEAR -> {
                CachingDataSource cache = cached(far, CacheSettings.standard().withTimeToLive(plan.timeToLive()));
                yield new OpenPath(cache, cache);
            }
            case PRESENCE -> {
                CachingDataSource cache =
                        cached(fromPresence, CacheSettings.standard().withTimeToLive(plan.timeToLive()));
                yield new OpenPath(new DelayedDataSource(cache, plan.toPresence(), connectDelay), cache);
            }
        };
    }

    /** Returns the database behind a link that delays every byte by half of a round trip. */
    static Gateway throughLink(Links links, Gateway database, Duration roundTrip) {
        Links.Link link = links.open(0, database.host(), database.port(), roundTrip.dividedBy(2));
        return database.through(link.port());
    }

    /** Returns a data source that opens a connection for each request. */
    static DataSource unpooled(Gateway gateway) {
        Properties properties = new Properties();
        PGProperty.APPLICATION_NAME.set(properties, "movr-edge");
        return new DriverManagerDataSource(gateway.url(), properties);
    }

    /** Returns a cache of a database that has read its tables. */
    static CachingDataSource cached(Gateway gateway, CacheSettings settings) throws InterruptedException {
        CachingDataSource cache = new CachingDataSource(unpooled(gateway), settings);
        if (!cache.awaitReady(READY_LIMIT)) {
            cache.close();
            throw new UserError("The cache could not read the tables of " + gateway.shown() + " within "
                    + READY_LIMIT.toSeconds() + " s");
        }
        return cache;
    }
}
