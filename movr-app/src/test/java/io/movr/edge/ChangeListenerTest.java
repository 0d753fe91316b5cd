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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

class ChangeListenerTest {

    private static final String FIRST = "SELECT name FROM places WHERE id = 1";
    private static final String SECOND = "SELECT name FROM places WHERE id = 2";

    private TestDatabase database;
    private HikariDataSource pool;
    private CachingDataSource cache;
    private Links links;
    private Links.Link link;
    private ChangeListener listener;

    @BeforeEach
    void start() throws Exception {
        database = TestDatabase.fresh();
        database.execute("CREATE TABLE places (city TEXT, id INT, name TEXT, PRIMARY KEY (id))");
        database.execute("CREATE TABLE silent (x INT)");
        database.execute("INSERT INTO places VALUES ('rome', 1, 'a'), ('rome', 2, 'b')");
        try (Connection connection = database.gateway().connect()) {
            assertThat(ChangeTriggers.install(connection)).isEqualTo(2);
            try (Statement statement = connection.createStatement()) {
                statement.execute("DROP TRIGGER movr_cache_insert ON silent");
            }
        }
        pool = database.gateway().pool("changes-test", 3);
        cache = new CachingDataSource(pool, CacheSettings.standard().withRequiredChanges());
        links = new Links();
        Gateway gateway = database.gateway();
        link = links.open(0, "127.0.0.1", Integer.parseInt(gateway.environment().get("PGPORT")), Duration.ZERO);
        Gateway distant = gateway.with(PGProperty.SSL_MODE, "disable");
        String url = distant.url().replaceFirst(":\\d+/", ":" + link.port() + "/");
        listener = new ChangeListener(cache, () -> new Driver().connect(url, new java.util.Properties()));
        assertThat(cache.awaitReady(Duration.ofSeconds(30))).isTrue();
        eventually(() -> isKept(FIRST));
    }

    @AfterEach
    void stop() {
        listener.close();
        links.close();
        cache.close();
        pool.close();
    }

    private static void eventually(Callable<Boolean> condition) throws Exception {
        for (int attempt = 0; attempt < 3_000; attempt++) {
            if (condition.call()) {
                return;
            }
            Thread.sleep(10);
        }
        assertThat(condition.call()).isTrue();
    }

    private String ask(String sql) throws SQLException {
        try (Connection connection = cache.getConnection();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(sql)) {
            return answer.next() ? answer.getString(1) : null;
        }
    }

    private boolean isKept(String sql) throws SQLException {
        ask(sql);
        long before = cache.statistics().hits();
        ask(sql);
        return cache.statistics().hits() > before;
    }

    @Test
    void aWriteMadeElsewhereIsSeenAndOtherRowsStay() throws Exception {
        assertThat(isKept(SECOND)).isTrue();
        long invalidations = cache.statistics().invalidations();
        database.execute("UPDATE places SET name = 'new' WHERE id = 1");
        eventually(() -> cache.statistics().invalidations() > invalidations);
        assertThat(ask(FIRST)).isEqualTo("new");
        long hits = cache.statistics().hits();
        assertThat(ask(SECOND)).isEqualTo("b");
        assertThat(cache.statistics().hits()).isEqualTo(hits + 1);
    }

    @Test
    void writesOfManyRowsAndTruncationsAreToldByTable() throws Exception {
        for (String write : new String[] {
            "INSERT INTO places SELECT 'rome', n, 'x' FROM generate_series(100, 200) n",
            "UPDATE places SET id = id + 1000",
            "DELETE FROM places WHERE id = 1002",
            "TRUNCATE places"
        }) {
            ask("SELECT count(*) FROM places");
            long invalidations = cache.statistics().invalidations();
            database.execute(write);
            eventually(() -> cache.statistics().invalidations() > invalidations);
            assertThat(ask("SELECT count(*) FROM places"))
                    .isEqualTo(database.query("SELECT count(*) FROM places").get(0));
        }
    }

    @Test
    void aTableThatDoesNotTellIsNotKept() throws Exception {
        assertThat(isKept("SELECT count(*) FROM silent")).isFalse();
    }

    @Test
    void whileNothingIsHeardNothingIsAnswered() throws Exception {
        link.cut();
        eventually(() -> !isKept(FIRST));
        database.execute("UPDATE places SET name = 'unheard' WHERE id = 1");
        assertThat(ask(FIRST)).isEqualTo("unheard");
        link.mend();
        eventually(() -> isKept(FIRST));
        assertThat(ask(FIRST)).isEqualTo("unheard");
        link.reset();
        database.execute("UPDATE places SET name = 'again' WHERE id = 1");
        eventually(() -> ask(FIRST).equals("again"));
        eventually(() -> isKept(FIRST));
    }

    @Test
    void triggersCanBeTakenAway() throws Exception {
        try (Connection connection = database.gateway().connect()) {
            ChangeTriggers.remove(connection);
        }
        assertThat(database.query("SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'movr%'"))
                .containsExactly("0");
    }
}
