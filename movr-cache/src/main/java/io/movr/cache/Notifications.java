package io.movr.cache;

import io.movr.cache.Catalog.KeyType;
import io.movr.cache.Catalog.Table;
import io.movr.cache.ResultCache.Rows;
import io.movr.cache.Sql.Name;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The notifications of {@link ChangeTriggers} on PostgreSQL. */
final class Notifications implements ChangeSource {

    private static final Duration ASK_EVERY = Duration.ofSeconds(1);
    /** The timeout of the liveness query. Together with its interval it bounds how long a cut connection goes unnoticed. */
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);

    private final CachingDataSource cache;

    Notifications(CachingDataSource cache) {
        this.cache = cache;
    }

    @Override
    public void hear(Connection connection) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(ANSWER_LIMIT.toMillis()));
        PGConnection driver = connection.unwrap(PGConnection.class);
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + ChangeTriggers.CHANNEL);
            cache.invalidationUp(Table::notifying);
            while (true) {
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

    /** Returns the rows that a message names by schema, table and, if given, key. */
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
