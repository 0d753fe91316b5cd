package io.movr.edge;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.movr.TestDatabase;
import io.movr.database.Gateway;
import io.movr.database.Links;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.postgresql.PGProperty;

/** A cache that answers only while it hears of changes, and a link by which it may hear of them. */
final class FarCache implements AutoCloseable {

    private final Links links = new Links();
    private final HikariDataSource pool;
    final CachingDataSource cache;
    final Links.Link link;
    /** The database behind the link. */
    final Gateway distant;

    FarCache(TestDatabase database) throws InterruptedException {
        pool = database.gateway().pool("far-cache-test", 3);
        cache = new CachingDataSource(pool, CacheSettings.standard().withRequiredChanges());
        Gateway gateway = database.gateway();
        link = links.open(0, "127.0.0.1", Integer.parseInt(gateway.environment().get("PGPORT")), Duration.ZERO);
        distant = new Gateway(
                gateway.with(PGProperty.SSL_MODE, "disable").url().replaceFirst(":\\d+/", ":" + link.port() + "/"));
        assertThat(cache.awaitReady(Duration.ofSeconds(30))).isTrue();
    }

    /** The first column of the first row, from the cache where it can answer. */
    String ask(String sql) throws SQLException {
        try (Connection connection = cache.getConnection();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(sql)) {
            return answer.next() ? answer.getString(1) : null;
        }
    }

    /** Whether a statement that has just been asked is answered from the cache. */
    boolean isKept(String sql) throws SQLException {
        ask(sql);
        long before = cache.statistics().hits();
        ask(sql);
        return cache.statistics().hits() > before;
    }

    static void eventually(Callable<Boolean> condition) throws Exception {
        for (int attempt = 0; attempt < 3_000; attempt++) {
            if (condition.call()) {
                return;
            }
            Thread.sleep(10);
        }
        assertThat(condition.call()).isTrue();
    }

    @Override
    public void close() {
        links.close();
        cache.close();
        pool.close();
    }
}
