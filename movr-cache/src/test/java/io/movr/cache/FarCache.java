package io.movr.cache;

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
import java.util.List;
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

    /** Writes are heard of, so that a count that was kept is asked for again. */
    void assertHeardOf(TestDatabase database, List<String> writes) throws Exception {
        for (String write : writes) {
            ask("SELECT count(*) FROM places");
            long invalidations = cache.statistics().invalidations();
            database.execute(write);
            eventually(() -> cache.statistics().invalidations() > invalidations);
            assertThat(ask("SELECT count(*) FROM places"))
                    .isEqualTo(database.query("SELECT count(*) FROM places").get(0));
        }
    }

    /**
     * While the link is cut, and known to be, nothing is answered from memory; what was written meanwhile is seen.
     *
     * @param name asks for the name of the place of number 1
     */
    void assertMissesNothingBehindACutLink(TestDatabase database, String name) throws Exception {
        database.execute("UPDATE places SET name = 'unheard' WHERE id = 1");
        assertThat(ask(name)).isEqualTo("unheard");
        link.mend();
        eventually(() -> isKept(name));
        assertThat(ask(name)).isEqualTo("unheard");
        link.reset();
        database.execute("UPDATE places SET name = 'again' WHERE id = 1");
        eventually(() -> ask(name).equals("again"));
        eventually(() -> isKept(name));
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
