package io.movr.cache;

import static io.movr.cache.FarCache.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.movr.TestDatabase;
import io.movr.cache.Sql.Name;
import io.movr.database.Links;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A function of PostgreSQL takes the place of the changefeed: it answers a row when a trigger has noted a write, and every
 * 100 ms a time up to which it has told everything, one after the other and without an end.
 */
class ChangeFeedTest {

    private static final String FIRST = "SELECT name FROM places WHERE city = 'rome' AND id = 1";
    private static final String SECOND = "SELECT name FROM places WHERE city = 'rome' AND id = 2";
    private static final String LISTENER = "feed-listener";
    private static final String STREAM = "SELECT e.\"table\", convert_to(e.key, 'UTF8') AS key,"
            + " convert_to(e.value, 'UTF8') AS value FROM generate_series(1, 100000) n, LATERAL next_of_feed(n) e";

    private TestDatabase database;
    private FarCache far;
    private CachingDataSource cache;
    private Links.Link link;
    private ChangeListener listener;
    private final List<Collection<Name>> watched = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws Exception {
        database = TestDatabase.fresh();
        database.execute("CREATE TABLE places (id INT, city TEXT, name TEXT, PRIMARY KEY (city, id))");
        database.execute("INSERT INTO places VALUES (1, 'rome', 'a'), (2, 'rome', 'b')");
        database.execute("CREATE UNLOGGED TABLE written (at BIGSERIAL PRIMARY KEY, relation TEXT, key TEXT)");
        database.execute("CREATE TABLE fault (says TEXT, state TEXT)");
        database.execute("CREATE TABLE unresolved (x INT)");
        database.execute("""
                CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    INSERT INTO written (relation, key)
                    VALUES (TG_TABLE_NAME, json_build_array(coalesce(NEW.city, OLD.city), coalesce(NEW.id, OLD.id)));
                    RETURN NULL;
                END $$""");
        database.execute("CREATE TRIGGER note AFTER INSERT OR UPDATE OR DELETE ON places"
                + " FOR EACH ROW EXECUTE FUNCTION note()");
        database.execute("""
                CREATE FUNCTION next_of_feed(n BIGINT, OUT "table" TEXT, OUT key TEXT, OUT value TEXT)
                LANGUAGE plpgsql VOLATILE AS $$
                DECLARE
                    seen BIGINT;
                    next written;
                    problem fault;
                BEGIN
                    IF n = 1 THEN
                        PERFORM set_config('feed.seen', (SELECT coalesce(max(at), 0) FROM written)::text, false);
                    END IF;
                    seen := current_setting('feed.seen')::BIGINT;
                    FOR attempt IN 1..100000 LOOP
                        SELECT * INTO problem FROM fault;
                        IF FOUND THEN
                            RAISE EXCEPTION USING MESSAGE = problem.says, ERRCODE = problem.state;
                        END IF;
                        SELECT * INTO next FROM written w WHERE w.at > seen ORDER BY w.at LIMIT 1;
                        IF FOUND THEN
                            PERFORM set_config('feed.seen', next.at::text, false);
                            "table" := next.relation;
                            key := next.key;
                            RETURN;
                        END IF;
                        IF (attempt > 10 OR n = 1) AND NOT EXISTS (SELECT FROM unresolved) THEN
                            value := json_build_object('__crdb__', json_build_object('resolved',
                                (extract(epoch FROM clock_timestamp()) * 1000000)::BIGINT || '000.0000000000'));
                            RETURN;
                        END IF;
                        PERFORM pg_sleep(0.01);
                    END LOOP;
                END $$""");
        far = new FarCache(database);
        cache = far.cache;
        link = far.link;
    }

    @AfterEach
    void stop() {
        if (listener != null) {
            listener.close();
        }
        far.close();
    }

    private void listen(Duration maxLag) {
        listener = new ChangeListener(
                cache,
                () -> far.distant.connect(LISTENER),
                connection -> new ChangeFeed(
                        cache,
                        tables -> {
                            watched.add(tables);
                            return STREAM;
                        },
                        maxLag));
    }

    private void listenAndKeep(Duration maxLag) throws Exception {
        listen(maxLag);
        eventually(() -> far.isKept(FIRST));
    }

    private long sessions() throws SQLException {
        return Long.parseLong(database.query("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                        + " AND application_name = '" + LISTENER + "'")
                .get(0));
    }

    @Test
    void aWriteMadeElsewhereIsSeenAndOtherRowsStay() throws Exception {
        listenAndKeep(Duration.ofMinutes(5));
        assertThat(far.isKept(SECOND)).isTrue();
        for (String name : List.of("new", "newer", "newest")) {
            long invalidations = cache.statistics().invalidations();
            database.execute("UPDATE places SET name = '" + name + "' WHERE id = 1");
            eventually(() -> cache.statistics().invalidations() > invalidations);
            assertThat(far.ask(FIRST)).isEqualTo(name);
        }
        long hits = cache.statistics().hits();
        assertThat(far.ask(SECOND)).isEqualTo("b");
        assertThat(cache.statistics().hits()).isEqualTo(hits + 1);
    }

    @Test
    void manyRowsAndRowsWithoutAKeyThatIsUnderstoodAreHeardOf() throws Exception {
        listenAndKeep(Duration.ofMinutes(5));
        far.assertHeardOf(
                database,
                List.of(
                        "INSERT INTO places SELECT n, 'rome', 'x' FROM generate_series(100, 200) n",
                        "DELETE FROM places WHERE id > 150",
                        "UPDATE places SET id = id + 1000"));
        eventually(() -> far.isKept("SELECT count(*) FROM places"));
        long clearings = cache.statistics().clearings();
        database.execute("INSERT INTO written (relation, key) VALUES ('elsewhere', '[1]')");
        eventually(() -> cache.statistics().clearings() > clearings);
    }

    @Test
    void whileNothingIsResolvedNothingIsAnsweredWhateverElseArrives() throws Exception {
        listenAndKeep(Duration.ofSeconds(2));
        database.execute("INSERT INTO unresolved VALUES (1)");
        for (int write = 0; cache.isInvalidationUp() && write < 3_000; write++) {
            database.execute("UPDATE places SET name = 'c' || " + write + " WHERE id = 2");
            Thread.sleep(10);
        }
        assertThat(far.isKept(FIRST)).isFalse();
        eventually(() -> listener.obstacle().contains("more than 2 s behind"));
        database.execute("DELETE FROM unresolved");
        eventually(() -> far.isKept(FIRST));
    }

    @Test
    void aCutLinkIsNoticedAndWhatWasMissedIsForgotten() throws Exception {
        listenAndKeep(Duration.ofSeconds(2));
        link.cut();
        eventually(() -> !cache.isInvalidationUp());
        far.assertMissesNothingBehindACutLink(database, FIRST);
    }

    @Test
    void closingEndsTheStatementThatStreams() throws Exception {
        listenAndKeep(Duration.ofMinutes(5));
        assertThat(sessions()).isEqualTo(1);
        listener.close();
        eventually(() -> !cache.isInvalidationUp());
        eventually(() -> sessions() == 0);
        assertThat(far.isKept(FIRST)).isFalse();
    }

    @Test
    void aTableThatIsMadeLaterIsHeardOfFromTheNextFeedOn() throws Exception {
        listenAndKeep(Duration.ofMinutes(5));
        assertThat(watched.get(0)).doesNotContain(new Name("public", "later"));
        database.execute("CREATE TABLE later (x INT)");
        assertThat(far.isKept("SELECT count(*) FROM later")).isFalse();
        cache.tablesChangedElsewhere();
        eventually(() -> far.isKept("SELECT count(*) FROM later"));
        assertThat(watched.get(watched.size() - 1)).contains(new Name("public", "later"));
        eventually(() -> sessions() == 1);
    }

    @Test
    void aFeedThatEndsMakesEverythingInvalidAndIsBegunAnew() throws Exception {
        listenAndKeep(Duration.ofMinutes(5));
        database.execute("INSERT INTO fault VALUES ('schema change occurred at 17', 'XXUUU')");
        eventually(() -> listener.obstacle().contains("schema change occurred"));
        assertThat(far.isKept(FIRST)).isFalse();
        database.execute("DELETE FROM fault");
        eventually(() -> far.isKept(FIRST));
    }

    @Test
    void aFeedThatIsRefusedSaysWhatToDo() throws Exception {
        database.execute("INSERT INTO fault VALUES ('rangefeeds require the kv.rangefeed.enabled setting', 'XXUUU')");
        listen(Duration.ofMinutes(5));
        eventually(() -> listener.obstacle().contains("SET CLUSTER SETTING kv.rangefeed.enabled = true"));
        database.execute("UPDATE fault SET says = 'user x does not have SELECT privilege', state = '42501'");
        eventually(() -> listener.obstacle().contains("grant SELECT and CHANGEFEED"));
        assertThat(far.isKept(FIRST)).isFalse();
        database.execute("DELETE FROM fault");
        eventually(() -> far.isKept(FIRST));
    }
}
