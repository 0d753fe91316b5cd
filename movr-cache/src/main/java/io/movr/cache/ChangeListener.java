package io.movr.cache;

import io.movr.UserError;
import io.movr.database.Engine;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives writes of other clients, on PostgreSQL from the triggers of {@link ChangeTriggers}, on CockroachDB from a changefeed,
 * and invalidates the answers of a cache that depend on them. It keeps a connection of its own. While that is lost or silent for
 * too long, the cache gives no answers; earlier answers are invalid when it is back.
 */
public final class ChangeListener implements AutoCloseable {

    /** Opens a connection to the database, outside any pool. */
    public interface Opening {
        Connection open() throws SQLException;
    }

    /** The source of changes for the engine of a connection. */
    interface Sources {
        ChangeSource on(Connection connection) throws SQLException;
    }

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(ChangeListener.class);

    private final CachingDataSource cache;
    private final Opening opening;
    private final Sources sources;
    private final Thread thread = new Thread(this::listen, "cache-changes");
    private volatile @Nullable Connection connection;
    private volatile String obstacle = "";
    private volatile boolean closed;

    /** Begins to listen. */
    public ChangeListener(CachingDataSource cache, Opening opening) {
        this(
                cache,
                opening,
                connection -> Engine.of(connection).hasNotify() ? new Notifications(cache) : new ChangeFeed(cache));
    }

    ChangeListener(CachingDataSource cache, Opening opening, Sources sources) {
        this.cache = cache;
        this.opening = opening;
        this.sources = sources;
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until invalidation is up; returns whether it is. */
    public boolean awaitUp(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!cache.isInvalidationUp()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(2);
        }
        return true;
    }

    /** Returns why listening last failed and what to do, in one line; empty if it never failed. */
    public String obstacle() {
        return obstacle;
    }

    @Override
    public void close() {
        closed = true;
        Connection open = connection;
        if (open != null) {
            try {
                open.abort(Runnable::run);
            } catch (SQLException alreadyGone) {
                LOG.debug("The connection that listens had gone", alreadyGone);
            }
        }
        thread.interrupt();
    }

    private void listen() {
        Duration pause = FIRST_PAUSE.dividedBy(2);
        while (!closed) {
            try (Connection open = opening.open()) {
                connection = open;
                // A closing thread either sees the connection or has set the flag before.
                if (!closed) {
                    sources.on(open).hear(open);
                }
            } catch (SQLException | RuntimeException failed) {
                tell(failed);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            } finally {
                connection = null;
                pause = cache.isInvalidationUp() ? FIRST_PAUSE : longer(pause);
                cache.invalidationDown();
            }
            try {
                Thread.sleep(pause.toMillis());
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(MAX_PAUSE) < 0 ? twice : MAX_PAUSE;
    }

    /** Logs the reason of a failure, once as long as it stays the same. */
    private void tell(Exception failed) {
        if (closed) {
            return;
        }
        String reason = UserError.firstLine(failed);
        if (cache.isInvalidationUp() || !reason.equals(obstacle)) {
            LOG.warn("Invalidation is down, and the cache gives no answers until it is up again: {}", reason);
        }
        LOG.debug("Invalidation is down", failed);
        obstacle = reason;
    }
}
