package io.movr.cache;

import static io.movr.cache.FarCache.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.movr.TestDatabase;
import io.movr.database.Links;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChangeListenerTest {

    private static final String FIRST = "SELECT name FROM places WHERE id = 1";
    private static final String SECOND = "SELECT name FROM places WHERE id = 2";

    private TestDatabase database;
    private FarCache far;
    private CachingDataSource cache;
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
        far = new FarCache(database);
        cache = far.cache;
        link = far.link;
        listener = new ChangeListener(cache, () -> far.distant.connect("changes-test"));
        eventually(() -> far.isKept(FIRST));
    }

    @AfterEach
    void stop() {
        listener.close();
        far.close();
    }

    @Test
    void aWriteMadeElsewhereIsSeenAndOtherRowsStay() throws Exception {
        assertThat(far.isKept(SECOND)).isTrue();
        long invalidations = cache.statistics().invalidations();
        database.execute("UPDATE places SET name = 'new' WHERE id = 1");
        eventually(() -> cache.statistics().invalidations() > invalidations);
        assertThat(far.ask(FIRST)).isEqualTo("new");
        long hits = cache.statistics().hits();
        assertThat(far.ask(SECOND)).isEqualTo("b");
        assertThat(cache.statistics().hits()).isEqualTo(hits + 1);
    }

    @Test
    void writesOfManyRowsAndTruncationsAreToldByTable() throws Exception {
        far.assertHeardOf(
                database,
                List.of(
                        "INSERT INTO places SELECT 'rome', n, 'x' FROM generate_series(100, 200) n",
                        "UPDATE places SET id = id + 1000",
                        "DELETE FROM places WHERE id = 1002",
                        "TRUNCATE places"));
    }

    @Test
    void aTableThatDoesNotTellIsNotKept() throws Exception {
        assertThat(far.isKept("SELECT count(*) FROM silent")).isFalse();
    }

    @Test
    void whileNothingIsHeardNothingIsAnswered() throws Exception {
        link.cut();
        eventually(() -> !far.isKept(FIRST));
        far.assertMissesNothingBehindACutLink(database, FIRST);
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
