package io.movr.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.TestDatabase;
import io.movr.UserError;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.FaultTarget;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.StatementWatchdog;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BulkLoaderTest {

    private TestDatabase database;
    private Gateway gateway;

    @BeforeEach
    void freshDatabase() throws SQLException {
        database = TestDatabase.fresh();
        gateway = database.gateway();
    }

    @Test
    void theTablesHoldExactlyTheRowsOfTheGenerator() throws SQLException {
        DatasetSpec spec = Scale.TINY.spec(1);
        BulkLoader.Result result = loader().load(spec, 2, IfFilled.REFUSE);
        assertThat(result.rows()).isEqualTo(spec.totalRows());
        assertThat(counts()).isEqualTo(expectedCounts(spec));
        Answers answers = new Answers(spec);
        List<String> ride = answers.publishedRide().orElseThrow();
        assertThat(database.query(
                        "SELECT id, city, vehicle_city, rider_id, vehicle_id, start_address, end_address, start_time,"
                                + " end_time, revenue FROM rides WHERE city = 'boston' AND id = '" + PublishedRows.RIDE
                                + "'"))
                .containsExactly(String.join("|", ride));
        assertThat(new Schema(Engine.POSTGRESQL, gateway).current()).contains(Stage.FOREIGN_KEYS);
        assertThat(database.query("SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND convalidated"))
                .containsExactly("5");
        assertThat(database.query("SELECT count(*) FROM pg_stats WHERE tablename = 'rides'"))
                .isNotEqualTo(List.of("0"));
    }

    @Test
    void aSecondLoadIsRefusedAndChangesNothing() throws SQLException {
        DatasetSpec spec = Scale.TINY.spec(1);
        loader().load(spec, 2, IfFilled.REFUSE);
        assertThatThrownBy(() -> loader().load(spec, 2, IfFilled.REFUSE))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--append")
                .hasMessageContaining("--replace");
        assertThat(counts()).isEqualTo(expectedCounts(spec));
    }

    @Test
    void appendingAnotherSeedAddsItsRowsAndTheSameSeedIsRefused() throws SQLException {
        DatasetSpec spec = Scale.TINY.spec(1);
        loader().load(spec, 2, IfFilled.REFUSE);
        loader().load(Scale.TINY.spec(2), 2, IfFilled.APPEND);
        List<Long> twice = expectedCounts(spec).stream().map(count -> 2 * count).toList();
        assertThat(counts()).isEqualTo(twice);
        assertThatThrownBy(() -> loader().load(Scale.TINY.spec(2), 2, IfFilled.APPEND))
                .hasMessageContaining("seed 2");
        assertThat(counts()).isEqualTo(twice);
    }

    @Test
    void replacingLeavesTheNewRowsOnly() throws SQLException {
        loader().load(Scale.TINY.spec(1), 2, IfFilled.REFUSE);
        loader().load(Scale.TINY.spec(3), 2, IfFilled.REPLACE);
        assertThat(counts()).isEqualTo(expectedCounts(Scale.TINY.spec(3)));
        assertThat(database.query("SELECT seed, state FROM movr_loads")).containsExactly("3|complete");
    }

    @Test
    void aFailureInTheMiddleLeavesEmptyTablesEmpty() throws SQLException {
        new Schema(Engine.POSTGRESQL, gateway).migrateTo(Stage.BASELINE);
        database.execute("ALTER TABLE rides ADD CONSTRAINT late CHECK (revenue IS NULL OR revenue < 17)");
        assertThatThrownBy(() -> loader().load(Scale.TINY.spec(1), 2, IfFilled.REFUSE))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("none of its rows are in the tables")
                .hasMessageContaining("late");
        assertThat(counts()).containsOnly(0L);
    }

    @Test
    void aFailedReplacementKeepsTheOldRows() throws SQLException {
        loader().load(Scale.TINY.spec(1), 2, IfFilled.REFUSE);
        List<String> before = database.query("SELECT md5(string_agg(r::text, '' ORDER BY city, id)) FROM rides r");
        database.execute("ALTER TABLE rides ADD CONSTRAINT late CHECK (start_address <> '"
                + new Answers(Scale.TINY.spec(2)).row(Table.RIDES, 999).get(5) + "') NOT VALID");
        assertThatThrownBy(() -> loader().load(Scale.TINY.spec(2), 2, IfFilled.REPLACE))
                .hasMessageContaining("late");
        assertThat(database.query("SELECT md5(string_agg(r::text, '' ORDER BY city, id)) FROM rides r"))
                .isEqualTo(before);
    }

    /** A session between the copying of the rows and the note of the commits, so that tests can do something there. */
    private final class BeforeTheCommits implements AutoCloseable {

        private final Connection holder = gateway.connect("holder");
        private final CompletableFuture<BulkLoader.Result> load;

        BeforeTheCommits(DatasetSpec spec, int connections) throws Exception {
            holder.setAutoCommit(false);
            Rows.execute(holder, "LOCK TABLE movr_loads IN SHARE MODE");
            load = CompletableFuture.supplyAsync(() -> loader().load(spec, connections, IfFilled.REFUSE));
            while (database.query("SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted"
                            + " AND a.datname = current_database() AND a.query LIKE 'INSERT INTO movr_loads%'")
                    .isEmpty()) {
                assertThat(load).isNotDone();
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }

        BulkLoader.Result goOn() throws SQLException {
            holder.commit();
            return load.join();
        }

        @Override
        public void close() throws SQLException {
            holder.close();
        }
    }

    private void emptyTables() throws SQLException {
        new Schema(Engine.POSTGRESQL, gateway).migrateTo(Stage.BASELINE);
        assertThat(loader().isPending()).isTrue();
    }

    private void registerSomebodyElse() throws SQLException {
        database.execute("INSERT INTO users (id, city, name) VALUES (gen_random_uuid(), 'boston', 'Somebody Else')");
    }

    @Test
    void aFailureWhileCommittingRemovesTheRowsOfTheLoadOnly() throws Exception {
        emptyTables();
        try (BeforeTheCommits load = new BeforeTheCommits(Scale.TINY.spec(1), 3)) {
            registerSomebodyElse();
            // The first of three commits, the second cannot.
            assertThat(database.query("SELECT pg_terminate_backend(pid) FROM (SELECT pid FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND application_name = 'movr-load'"
                            + " ORDER BY backend_start LIMIT 1 OFFSET 1) AS second"))
                    .containsExactly("t");
            assertThatThrownBy(load::goOn)
                    .hasCauseInstanceOf(UserError.class)
                    .hasMessageContaining("none of its rows are in the tables")
                    .hasMessageContaining("terminating connection");
        }
        assertThat(counts()).containsExactly(1L, 0L, 0L, 0L, 0L, 0L);
        assertThat(database.query("SELECT name FROM users")).containsExactly("Somebody Else");
        assertThat(database.query("SELECT state FROM movr_loads")).isEmpty();
    }

    @Test
    void whatCannotBeUndoneIsSaidAndTheNextLoadRemovesItAndNothingElse() throws SQLException {
        DatasetSpec spec = Scale.TINY.spec(1);
        emptyTables();
        database.execute("CREATE FUNCTION refuse() RETURNS TRIGGER LANGUAGE plpgsql AS"
                + " $$ BEGIN RAISE EXCEPTION 'no more room'; END $$");
        // The last of the transactions fails when it commits, and undoing the others fails too.
        database.execute("CREATE CONSTRAINT TRIGGER late AFTER INSERT ON movr_loads DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW WHEN (NEW.state = 'complete') EXECUTE FUNCTION refuse()");
        database.execute("CREATE TRIGGER undo BEFORE DELETE ON users FOR EACH STATEMENT EXECUTE FUNCTION refuse()");
        assertThatThrownBy(() -> loader().load(spec, 2, IfFilled.REFUSE))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("a part of its rows may be in the tables, and the next load removes them first")
                .hasMessageContaining("no more room");
        assertThat(counts().stream().mapToLong(Long::longValue).sum())
                .isPositive()
                .isLessThan(spec.totalRows());
        assertThat(database.query("SELECT state FROM movr_loads"))
                .singleElement()
                .satisfies(state -> assertThat(state).matches("committing \\d+,\\d+"));
        registerSomebodyElse();
        database.execute("DROP FUNCTION refuse CASCADE");

        assertThat(loader().isPending()).isTrue();
        assertThatThrownBy(() -> loader().load(spec, 2, IfFilled.REFUSE)).hasMessageContaining("hold rows already");
        assertThat(counts()).containsExactly(1L, 0L, 0L, 0L, 0L, 0L);
        assertThat(database.query("SELECT name FROM users")).containsExactly("Somebody Else");
        assertThat(loader().load(spec, 2, IfFilled.KEEP).rows()).isZero();
        assertThat(loader().load(spec, 2, IfFilled.REPLACE).rows()).isEqualTo(spec.totalRows());
        assertThat(counts()).isEqualTo(expectedCounts(spec));
    }

    @Test
    void aLoadThatDiedBetweenItsCommitsIsCleanedUpByTheNext() throws Exception {
        DatasetSpec spec = Scale.TINY.spec(1);
        emptyTables();
        String committed;
        try (Connection dead = gateway.connect();
                Connection open = gateway.connect(ChunkedLoader.NAME)) {
            dead.setAutoCommit(false);
            long first = LoadTransactions.of(dead);
            Rows.execute(
                    dead, "INSERT INTO users (id, city, name) VALUES (gen_random_uuid(), 'boston', 'Of The Dead')");
            dead.commit();
            // The server has not noticed yet that this one's client is gone.
            open.setAutoCommit(false);
            long second = LoadTransactions.of(open);
            Rows.execute(open, "INSERT INTO users (id, city, name) VALUES (gen_random_uuid(), 'boston', 'Never')");
            committed = new LoadTransactions(List.of(first, second)).note();
            database.execute("INSERT INTO movr_loads (seed, state, loaded_rows) VALUES (1, '" + committed + "', 2)");
            loader().load(spec, 1, IfFilled.REFUSE);
            assertThat(counts()).isEqualTo(expectedCounts(spec));
            assertThat(database.query("SELECT state FROM movr_loads")).containsExactly("complete");
            assertThatThrownBy(open::commit).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void aLoadThatHadCommittedAllButItsNoteIsKept() throws SQLException {
        DatasetSpec spec = Scale.TINY.spec(1);
        loader().load(spec, 2, IfFilled.REFUSE);
        String writer = database.query("SELECT DISTINCT xmin FROM movr_loads").get(0);
        database.execute(
                "INSERT INTO movr_loads (seed, state, loaded_rows) VALUES (1, 'committing " + writer + "', 2)");
        assertThat(loader().load(spec, 2, IfFilled.KEEP).rows()).isZero();
        assertThat(counts()).isEqualTo(expectedCounts(spec));
        assertThat(loader().isPending()).isFalse();
    }

    @Test
    void rowsThatNobodyKnowsAreNotRemovedWithoutBeingAsked() throws SQLException {
        DatasetSpec spec = Scale.TINY.spec(1);
        loader().load(spec, 1, IfFilled.REFUSE);
        // What such a death left with earlier versions, and in a copy of another server's database.
        for (String note : List.of("committing", "committing 4000000000000")) {
            database.execute("UPDATE movr_loads SET state = '" + note + "'");
            assertThatThrownBy(() -> loader().load(spec, 1, IfFilled.KEEP))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("--replace");
            assertThat(counts()).isEqualTo(expectedCounts(spec));
        }
        loader().load(spec, 1, IfFilled.REPLACE);
        assertThat(counts()).isEqualTo(expectedCounts(spec));
        assertThat(database.query("SELECT state FROM movr_loads")).containsExactly("complete");
    }

    @Test
    void aLoadIsPendingUntilItsForeignKeysAreThere() throws SQLException {
        emptyTables();
        loader().loadWithoutForeignKeys(Scale.TINY.spec(1), 2);
        assertThat(loader().isPending()).isTrue();
        assertThat(loader().load(Scale.TINY.spec(1), 2, IfFilled.KEEP).rows()).isZero();
        assertThat(loader().isPending()).isFalse();
        // Rows that were removed on purpose are not loaded again.
        database.execute("TRUNCATE users CASCADE");
        assertThat(loader().isPending()).isFalse();
    }

    @Test
    void whoseLockALoadWaitsForIsSaidAndAServerThatStopsIsGivenUp() throws Exception {
        DatasetSpec spec = Scale.TINY.spec(1);
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary();
                Connection holder = server.gateway().connect("holder")) {
            new Schema(Engine.POSTGRESQL, server.gateway()).migrateTo(Stage.BASELINE);
            holder.setAutoCommit(false);
            Rows.execute(holder, "LOCK TABLE users IN SHARE MODE");
            LoadProgress progress = new LoadProgress();
            BulkLoader loader = new BulkLoader(
                    Engine.POSTGRESQL,
                    server.gateway(),
                    progress,
                    new StatementWatchdog.Limits(Duration.ofMillis(50), Duration.ofSeconds(1), Duration.ofSeconds(2)));
            CompletableFuture<BulkLoader.Result> load =
                    CompletableFuture.supplyAsync(() -> loader.load(spec, 2, IfFilled.REFUSE));
            while (!progress.trouble().startsWith("waits for a lock of session ")) {
                assertThat(load).isNotDone();
                TimeUnit.MILLISECONDS.sleep(20);
            }
            assertThat(progress.trouble()).contains(" (holder): COPY users");
            FaultTarget target = server.faultTargets().get(0);
            target.pause();
            try {
                assertThatThrownBy(load::join)
                        .hasCauseInstanceOf(UserError.class)
                        .hasMessageContaining("none of its rows are in the tables")
                        .hasMessageContaining("has not answered for 2 s")
                        .hasMessageContaining(" (holder): COPY users")
                        .hasMessageContaining("run the command again");
            } finally {
                target.resume();
            }
            holder.rollback();
            LoadProgress again = new LoadProgress();
            BulkLoader patient = new BulkLoader(Engine.POSTGRESQL, server.gateway(), again);
            assertThat(patient.load(spec, 2, IfFilled.REFUSE).rows()).isEqualTo(spec.totalRows());
            assertThat(again.trouble()).isEmpty();
        }
    }

    @Test
    void twoLoadsAtOnceDoNotMix() throws SQLException {
        new Schema(Engine.POSTGRESQL, gateway).migrateTo(Stage.BASELINE);
        try (Connection other = gateway.connect();
                Statement statement = other.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(" + 0x4D6F7652L + ")");
            assertThatThrownBy(() -> loader().load(Scale.TINY.spec(1), 1, IfFilled.REFUSE))
                    .hasMessageContaining("Another load");
        }
    }

    private BulkLoader loader() {
        return new BulkLoader(Engine.POSTGRESQL, gateway, new LoadProgress());
    }

    private List<Long> counts() throws SQLException {
        List<Long> counts = new ArrayList<>();
        for (Table table : Table.values()) {
            counts.add(Long.valueOf(
                    database.query("SELECT count(*) FROM " + table.sql()).get(0)));
        }
        return counts;
    }

    private static List<Long> expectedCounts(DatasetSpec spec) {
        List<Long> counts = new ArrayList<>();
        for (Table table : Table.values()) {
            counts.add(spec.count(table));
        }
        return counts;
    }
}
