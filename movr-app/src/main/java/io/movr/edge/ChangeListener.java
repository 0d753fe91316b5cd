package io.movr.edge;

import io.movr.edge.Catalog.KeyType;
import io.movr.edge.Catalog.Table;
import io.movr.edge.ResultCache.Rows;
import io.movr.edge.Sql.Name;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Hears of writes that were made elsewhere, from the triggers of {@link ChangeTriggers}, and makes the answers of a cache
 * invalid that they concern. It keeps a connection of its own. While that is down, or says nothing for too long, the cache
 * gives no answers; what it had is invalid when the connection is back.
 */
public final class ChangeListener implements AutoCloseable {

    /** Opens a connection to the database, outside any pool. */
    public interface Opening {
        Connection open() throws SQLException;
    }

    private static final Duration ASK_EVERY = Duration.ofSeconds(1);
    /** How long the database may take to say that it is still there. With the time before, how long a cut goes unseen. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Logger LOG = LoggerFactory.getLogger(ChangeListener.class);

    private final CachingDataSource cache;
    private final Opening opening;
    private final Thread thread = new Thread(this::listen, "cache-changes");
    private volatile @Nullable Connection connection;
    private volatile boolean closed;

    /** Begins to listen. */
    public ChangeListener(CachingDataSource cache, Opening opening) {
        this.cache = cache;
        this.opening = opening;
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until it hears of changes; says whether it does. */
    public boolean awaitHearing(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!cache.isHearing()) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            Thread.sleep(2);
        }
        return true;
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
        while (!closed) {
            try (Connection open = opening.open()) {
                connection = open;
                listenOn(open);
            } catch (SQLException | RuntimeException failed) {
                LOG.debug("The cache hears of no changes", failed);
            } finally {
                cache.hearing(false);
                connection = null;
            }
            try {
                Thread.sleep(RETRY.toMillis());
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void listenOn(Connection open) throws SQLException {
        Executor direct = Runnable::run;
        open.setNetworkTimeout(direct, Math.toIntExact(ANSWER_LIMIT.toMillis()));
        PGConnection driver = open.unwrap(PGConnection.class);
        try (Statement statement = open.createStatement()) {
            statement.execute("LISTEN " + ChangeTriggers.CHANNEL);
            cache.hearing(true);
            while (!closed) {
                PGNotification[] heard = driver.getNotifications(Math.toIntExact(ASK_EVERY.toMillis()));
                for (PGNotification notification : heard == null ? new PGNotification[0] : heard) {
                    changed(notification.getParameter());
                }
                if (heard == null || heard.length == 0) {
                    statement.execute("SELECT 1");
                }
            }
        }
    }

    private void changed(String message) {
        Catalog catalog = cache.catalog();
        Rows rows = catalog == null ? null : rows(message, catalog);
        if (rows == null) {
            cache.changedElsewhere();
        } else {
            cache.changedElsewhere(rows);
        }
    }

    /** What a message says: the schema, the table, and the key of a row where it names one. */
    private static @Nullable Rows rows(String message, Catalog catalog) {
        try {
            JsonNode parts = JsonMapper.shared().readTree(message);
            Table table = catalog.tables()
                    .get(new Name(parts.path(0).asString(""), parts.path(1).asString("")));
            if (table == null) {
                return null;
            }
            List<Object> key = new ArrayList<>();
            int index = 2;
            for (KeyType type : table.key().values()) {
                String text = parts.path(index++).asString("");
                if (text.isEmpty()) {
                    return new Rows(table.root(), null);
                }
                key.add(
                        switch (type) {
                            case TEXT -> text.stripTrailing();
                            case UUID -> UUID.fromString(text);
                            case INTEGER -> Long.valueOf(text);
                        });
            }
            return new Rows(table.root(), key.isEmpty() || parts.size() != index ? null : key);
        } catch (JacksonException | IllegalArgumentException unreadable) {
            LOG.debug("A message that is none of ours", unreadable);
            return null;
        }
    }
}
