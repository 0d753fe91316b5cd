package io.movr.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.movr.TestDatabase;
import java.io.StringReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** What is read twice without the database having been asked twice shows by a write made behind the cache's back. */
class CachingDataSourceTest {

    private static final String BY_KEY = "SELECT balance FROM accounts WHERE id = 1";

    private final AtomicLong now = new AtomicLong();
    private TestDatabase database;
    private HikariDataSource pool;
    private CachingDataSource cache;

    @BeforeEach
    void start() throws Exception {
        database = TestDatabase.fresh();
        database.execute("CREATE TABLE accounts (id INT PRIMARY KEY, owner TEXT, balance BIGINT NOT NULL)");
        database.execute("INSERT INTO accounts VALUES (1, 'Ada', 100), (2, 'Bob', 200)");
        database.execute("CREATE TABLE other (x INT)");
        pool = database.gateway().pool("cache-test", 4);
        open(CacheSettings.standard());
    }

    private void open(CacheSettings settings) throws InterruptedException {
        if (cache != null) {
            cache.close();
        }
        cache = new CachingDataSource(pool, settings, now::get);
        ready();
    }

    /** After a statement that may have changed the catalog. */
    private void ready() throws InterruptedException {
        assertThat(cache.awaitReady(Duration.ofSeconds(30))).isTrue();
    }

    @AfterEach
    void stop() {
        cache.close();
        pool.close();
    }

    private String ask(String sql, Object... parameters) throws SQLException {
        try (Connection connection = cache.getConnection()) {
            return ask(connection, sql, parameters);
        }
    }

    private static String ask(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int index = 0; index < parameters.length; index++) {
                statement.setObject(index + 1, parameters[index]);
            }
            try (ResultSet answer = statement.executeQuery()) {
                return answer.next() ? answer.getString(1) : null;
            }
        }
    }

    private void run(String sql, Object... parameters) throws SQLException {
        try (Connection connection = cache.getConnection()) {
            run(connection, sql, parameters);
        }
    }

    private static void run(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int index = 0; index < parameters.length; index++) {
                statement.setObject(index + 1, parameters[index]);
            }
            statement.execute();
        }
    }

    private void elsewhere(String sql) throws SQLException {
        database.execute(sql);
    }

    @Test
    void aTableThatIsNotCachedIsReadFromTheDatabaseEachTime() throws Exception {
        open(new CacheSettings(Duration.ofMinutes(1), 1_000, 20_000, 10_000, false, Set.of("accounts")));
        String joined = "SELECT balance FROM accounts, other WHERE id = 1 AND x = 1";
        run("INSERT INTO other VALUES (1)");
        for (String balance : List.of("100", "101")) {
            elsewhere("UPDATE accounts SET balance = " + balance + " WHERE id = 1");
            assertThat(ask(BY_KEY)).isEqualTo(balance);
            assertThat(ask(joined)).isEqualTo(balance);
            assertThat(ask("SELECT x FROM other")).isEqualTo("1");
        }
        assertThat(cache.statistics().hits()).as("of the other table").isEqualTo(1);
    }

    @Test
    void aReadIsAnsweredAgainUntilItsTimeIsOver() throws Exception {
        open(CacheSettings.standard().withTimeToLive(Duration.ofSeconds(10)));
        assertThat(ask(BY_KEY)).isEqualTo("100");
        elsewhere("UPDATE accounts SET balance = 101");
        now.addAndGet(9_999_999_999L);
        assertThat(ask(BY_KEY)).isEqualTo("100");
        now.addAndGet(1);
        assertThat(ask(BY_KEY)).isEqualTo("101");
        assertThat(cache.statistics().hits()).isEqualTo(1);
        assertThat(cache.statistics().misses()).isEqualTo(2);
    }

    @Test
    void aHitTakesNoConnection() throws Exception {
        ask(BY_KEY);
        try (Connection one = pool.getConnection();
                Connection two = pool.getConnection();
                Connection three = pool.getConnection();
                Connection four = pool.getConnection()) {
            assertThat(List.of(one, two, three, four)).doesNotContainNull();
            assertThat(ask(BY_KEY)).isEqualTo("100");
        }
    }

    @Test
    void parametersTellAnswersApart() throws Exception {
        String sql = "SELECT balance FROM accounts WHERE id = ?";
        assertThat(ask(sql, 1)).isEqualTo("100");
        assertThat(ask(sql, 2)).isEqualTo("200");
        assertThat(ask(sql, 3)).isNull();
        elsewhere("UPDATE accounts SET balance = 0");
        assertThat(ask(sql, 1)).isEqualTo("100");
        assertThat(ask(sql, 2)).isEqualTo("200");
    }

    @Test
    void aWriteByKeyLeavesOtherRowsAndTakesWhatReadsTheTable() throws Exception {
        String sum = "SELECT sum(balance) FROM accounts";
        String byKey = "SELECT balance FROM accounts WHERE id = ?";
        ask(byKey, 1);
        ask(byKey, 2);
        ask(sum);
        elsewhere("UPDATE accounts SET balance = balance + 1");
        run("UPDATE accounts SET balance = balance + ? WHERE id = ?", 10, 1);
        assertThat(ask(byKey, 1)).isEqualTo("111");
        assertThat(ask(byKey, 2)).isEqualTo("200");
        assertThat(ask(sum)).isEqualTo("312");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE accounts SET balance = 7",
                "UPDATE accounts SET id = 9 WHERE id = 2",
                "UPDATE accounts SET balance = 7 WHERE owner = 'Ada'",
                "INSERT INTO accounts (id, balance) VALUES (1, 7) ON CONFLICT (id) DO UPDATE SET balance = 7",
                "UPDATE accounts SET balance = 7 WHERE id = '1'",
                "DELETE FROM accounts WHERE id = 1",
                "TRUNCATE accounts",
                "WITH x AS (UPDATE accounts SET balance = 7 RETURNING *) SELECT * FROM x",
                "DO $$ BEGIN UPDATE accounts SET balance = 7; END $$",
                "ALTER TABLE accounts ALTER balance TYPE TEXT",
            })
    void afterAWriteTheDatabaseIsAsked(String write) throws Exception {
        ask(BY_KEY);
        elsewhere("UPDATE accounts SET balance = 5");
        run(write);
        assertThat(ask(BY_KEY)).isNotEqualTo("100");
    }

    @Test
    void aRowThatWasMissingIsFoundWhenItIsThere() throws Exception {
        String sql = "SELECT balance FROM accounts WHERE id = ?";
        assertThat(ask(sql, 3)).isNull();
        run("INSERT INTO accounts (id, owner, balance) VALUES (?, ?, ?)", 3, "Eve", 300);
        assertThat(ask(sql, 3)).isEqualTo("300");
    }

    @Test
    void writesCountWhenTheyAreCommitted() throws Exception {
        ask(BY_KEY);
        elsewhere("UPDATE accounts SET owner = 'Carl'");
        try (Connection connection = cache.getConnection()) {
            connection.setAutoCommit(false);
            run(connection, "UPDATE accounts SET balance = 5 WHERE id = 1");
            assertThat(ask(connection, BY_KEY)).isEqualTo("5");
            assertThat(ask(BY_KEY)).isEqualTo("100");
            assertThat(cache.statistics().hits()).isEqualTo(1);
            connection.commit();
            assertThat(ask(BY_KEY)).isEqualTo("5");
            assertThat(cache.statistics().hits()).isEqualTo(1);
            run(connection, "UPDATE accounts SET balance = 6 WHERE id = 1");
            connection.rollback();
        }
        assertThat(ask(BY_KEY)).isEqualTo("5");
    }

    @Test
    void transactionsThatStatementsBeginAndEndAreSeen() throws Exception {
        ask(BY_KEY);
        try (Connection connection = cache.getConnection()) {
            run(connection, "BEGIN");
            run(connection, "UPDATE accounts SET balance = 5 WHERE id = 1");
            assertThat(ask(BY_KEY)).isEqualTo("100");
            assertThat(ask(BY_KEY)).isEqualTo("100");
            run(connection, "COMMIT");
        }
        assertThat(ask(BY_KEY)).isEqualTo("5");
    }

    @Test
    void aConnectionThatIsClosedInATransactionLeavesNothingBehind() throws Exception {
        try (Connection connection = cache.getConnection()) {
            connection.setAutoCommit(false);
            run(connection, "UPDATE accounts SET balance = 5 WHERE id = 1");
            assertThat(ask(connection, BY_KEY)).isEqualTo("5");
        }
        assertThat(ask(BY_KEY)).isEqualTo("100");
    }

    @Test
    void transactionsAboveReadCommittedReadFromTheDatabase() throws Exception {
        ask(BY_KEY);
        elsewhere("UPDATE accounts SET balance = 5");
        try (Connection connection = cache.getConnection()) {
            connection.setAutoCommit(false);
            assertThat(ask(connection, BY_KEY)).isEqualTo("100");
            connection.commit();
        }
        for (int level : new int[] {Connection.TRANSACTION_SERIALIZABLE, Connection.TRANSACTION_REPEATABLE_READ}) {
            try (Connection connection = cache.getConnection()) {
                connection.setTransactionIsolation(level);
                connection.setAutoCommit(false);
                assertThat(ask(connection, BY_KEY)).isEqualTo("5");
                connection.commit();
            }
        }
        assertThat(ask(BY_KEY)).isEqualTo("100");
    }

    @Test
    void batchesAndCopiesCount() throws Exception {
        ask(BY_KEY);
        try (Connection connection = cache.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("UPDATE accounts SET balance = ? WHERE id = ?")) {
            for (int id = 1; id <= 2; id++) {
                statement.setLong(1, 5);
                statement.setInt(2, id);
                statement.addBatch();
            }
            statement.executeBatch();
        }
        assertThat(ask(BY_KEY)).isEqualTo("5");
        String count = "SELECT count(*) FROM accounts";
        assertThat(ask(count)).isEqualTo("2");
        try (Connection connection = cache.getConnection()) {
            connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn("COPY accounts FROM STDIN", new StringReader("3\tEve\t1\n"));
            assertThat(ask(count)).isEqualTo("3");
        }
        ready();
        assertThat(ask(count)).isEqualTo("3");
    }

    @Test
    void whatForeignKeysTriggersAndPartitionsReachCounts() throws Exception {
        elsewhere("CREATE TABLE cards (id INT PRIMARY KEY, account INT REFERENCES accounts ON DELETE CASCADE)");
        elsewhere("CREATE TABLE log (x INT)");
        elsewhere("CREATE TABLE watched (x INT)");
        elsewhere("CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN INSERT INTO log VALUES (1); RETURN NULL; END'");
        elsewhere("CREATE TRIGGER note AFTER INSERT ON watched FOR EACH ROW EXECUTE FUNCTION note()");
        elsewhere("CREATE TABLE parts (x INT) PARTITION BY LIST (x)");
        elsewhere("CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1)");
        elsewhere("INSERT INTO cards VALUES (1, 1)");
        open(CacheSettings.standard());
        assertThat(ask("SELECT count(*) FROM cards")).isEqualTo("1");
        assertThat(ask("SELECT count(*) FROM log")).isEqualTo("0");
        assertThat(ask("SELECT count(*) FROM parts")).isEqualTo("0");
        run("DELETE FROM accounts WHERE id = 1");
        assertThat(ask("SELECT count(*) FROM cards")).isEqualTo("0");
        run("INSERT INTO parts_1 (x) VALUES (1)");
        assertThat(ask("SELECT count(*) FROM parts")).isEqualTo("1");
        run("INSERT INTO watched (x) VALUES (1)");
        assertThat(ask("SELECT count(*) FROM log")).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM accounts WHERE id = 1",
                "DELETE FROM banks WHERE id = 1",
                "UPDATE banks SET id = 9 WHERE id = 1"
            })
    void whatTriggersOfReachedTablesWriteCounts(String write) throws Exception {
        elsewhere("CREATE TABLE cards (id INT PRIMARY KEY, account INT REFERENCES accounts ON DELETE CASCADE)");
        elsewhere("CREATE TABLE log (x INT)");
        elsewhere("CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS"
                + " 'BEGIN INSERT INTO log VALUES (1); RETURN NULL; END'");
        elsewhere("CREATE TRIGGER note AFTER DELETE ON cards FOR EACH ROW EXECUTE FUNCTION note()");
        // Two steps away, from one partition to one partition, with a trigger on that partition only.
        elsewhere("CREATE TABLE banks (id INT PRIMARY KEY)");
        elsewhere("CREATE TABLE branches (id INT PRIMARY KEY, bank INT REFERENCES banks ON DELETE CASCADE"
                + " ON UPDATE SET NULL) PARTITION BY LIST (id)");
        elsewhere("CREATE TABLE branches_1 PARTITION OF branches FOR VALUES IN (1)");
        elsewhere("CREATE TABLE desks (id INT, branch INT REFERENCES branches_1 ON DELETE CASCADE)"
                + " PARTITION BY LIST (id)");
        elsewhere("CREATE TABLE desks_1 PARTITION OF desks FOR VALUES IN (1)");
        elsewhere("CREATE TRIGGER note AFTER DELETE ON desks_1 FOR EACH ROW EXECUTE FUNCTION note()");
        elsewhere("CREATE TRIGGER note AFTER UPDATE ON branches_1 FOR EACH ROW EXECUTE FUNCTION note()");
        elsewhere("INSERT INTO cards VALUES (1, 1)");
        elsewhere("INSERT INTO banks VALUES (1)");
        elsewhere("INSERT INTO branches VALUES (1, 1)");
        elsewhere("INSERT INTO desks VALUES (1, 1)");
        open(CacheSettings.standard());
        assertThat(ask("SELECT count(*) FROM log")).isEqualTo("0");
        run(write);
        assertThat(ask("SELECT count(*) FROM log")).isEqualTo("1");
    }

    @Test
    void viewsFunctionsAndRowsOfOneRoleAreNotKept() throws Exception {
        elsewhere("CREATE VIEW rich AS SELECT * FROM accounts WHERE balance > 100");
        elsewhere("CREATE TABLE secrets (x INT)");
        elsewhere("ALTER TABLE secrets ENABLE ROW LEVEL SECURITY");
        open(CacheSettings.standard());
        for (String sql : List.of(
                "SELECT count(*) FROM rich",
                "SELECT count(*) FROM secrets",
                "SELECT count(*) FROM pg_class",
                "SELECT random() FROM accounts")) {
            ask(sql);
            ask(sql);
        }
        assertThat(cache.statistics().entries()).isZero();
        assertThat(cache.statistics().hits()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET ROLE poor",
                "SET search_path = shadow",
                "CREATE TEMP TABLE accounts AS SELECT 1 AS id, 7::bigint AS balance",
            })
    void aSessionThatChangedGetsNothingAndGivesNothing(String change) throws Exception {
        elsewhere("DROP ROLE IF EXISTS poor");
        elsewhere("CREATE ROLE poor");
        elsewhere("CREATE SCHEMA shadow");
        elsewhere("CREATE TABLE shadow.accounts (id INT PRIMARY KEY, balance BIGINT)");
        elsewhere("INSERT INTO shadow.accounts VALUES (1, 7)");
        try {
            ask(BY_KEY);
            try (Connection connection = cache.getConnection()) {
                connection.setAutoCommit(true);
                run(connection, change);
                ready();
                if (change.endsWith("poor")) {
                    assertThatThrownBy(() -> ask(connection, BY_KEY)).hasMessageContaining("permission denied");
                } else {
                    assertThat(ask(connection, BY_KEY)).isEqualTo("7");
                }
                assertThat(ask(BY_KEY)).isEqualTo("100");
            }
        } finally {
            elsewhere("DROP ROLE poor");
        }
    }

    @Test
    void anotherUserIsNeverAnsweredFromMemory() throws Exception {
        ask(BY_KEY);
        assertThatThrownBy(() -> {
                    try (Connection connection = cache.getConnection("nobody", "wrong")) {
                        ask(connection, BY_KEY);
                    }
                })
                .isInstanceOf(Exception.class);
    }

    @Test
    void whatStreamsOrIsCutOffPassesBy() throws Exception {
        for (int times = 0; times < 2; times++) {
            try (Connection connection = cache.getConnection()) {
                connection.setAutoCommit(false);
                try (PreparedStatement statement = connection.prepareStatement("SELECT id FROM accounts ORDER BY id")) {
                    statement.setFetchSize(1);
                    try (ResultSet rows = statement.executeQuery()) {
                        assertThat(rows.next()).isTrue();
                        assertThat(rows.next()).isTrue();
                        assertThat(rows.getInt(1)).isEqualTo(2);
                        assertThat(rows.getFetchSize()).isEqualTo(1);
                    }
                }
                connection.commit();
            }
        }
        assertThat(cache.statistics().hits()).isZero();
        assertThat(cache.statistics().entries()).isZero();
    }

    @Test
    void memoryIsBounded() throws Exception {
        open(new CacheSettings(Duration.ofMinutes(1), 1_000, 20_000, 10_000, false, Set.of()));
        for (int id = 0; id < 200; id++) {
            ask("SELECT balance FROM accounts WHERE id = ?", id);
        }
        ask("SELECT rpad('x', 20000, 'y')");
        ask("SELECT string_agg(owner, '') FROM accounts, generate_series(1, 9000)");
        for (int wait = 0; wait < 1_000 && cache.statistics().bytes() > 20_000; wait++) {
            Thread.sleep(5);
        }
        assertThat(cache.statistics().bytes()).isBetween(1L, 20_000L);
        assertThat(cache.statistics().evictions()).isPositive();
    }

    @Test
    void aHitReadsAsTheDriverReads() throws Exception {
        String sql = """
                SELECT true AS b, 7::int2 AS s, 8::int4 AS i, 9::int8 AS l, 1.5::float4 AS f, 2.5::float8 AS d,
                    3.25::numeric(6,2) AS n, 'text'::text AS t, 'v'::varchar(3) AS v, 'c'::char(3) AS c,
                    'f47ac10b-58cc-4372-a567-0e02b2c3d479'::uuid AS u, DATE '2020-02-29' AS dt,
                    TIME '12:34:56.789' AS tm, TIMESTAMP '2020-03-29 02:30:00.123456' AS ts,
                    TIMESTAMPTZ '2020-03-29 02:30:00+02' AS tz, NULL::int AS x, balance FROM accounts WHERE id = 1""";
        List<Object> direct = new ArrayList<>();
        try (Connection connection = pool.getConnection()) {
            direct.addAll(everything(connection, sql));
        }
        for (int times = 0; times < 2; times++) {
            try (Connection connection = cache.getConnection()) {
                assertThat(everything(connection, sql)).isEqualTo(direct);
            }
        }
        assertThat(cache.statistics().hits()).isEqualTo(1);
    }

    private static List<Object> everything(Connection connection, String sql) throws SQLException {
        List<Object> all = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            assertThat(row.next()).isTrue();
            int columns = row.getMetaData().getColumnCount();
            for (int column = 1; column <= columns; column++) {
                String label = row.getMetaData().getColumnLabel(column);
                all.add(label);
                all.add(row.getMetaData().getColumnTypeName(column));
                all.add(row.getMetaData().getColumnClassName(column));
                all.add(row.getMetaData().getColumnType(column));
                all.add(row.getObject(column));
                all.add(row.wasNull());
                all.add(row.getString(label.toUpperCase(java.util.Locale.ROOT)));
                all.add(row.findColumn(label));
            }
            all.add(List.of(
                    row.getBoolean("b"), row.getShort("s"), row.getInt("s"), row.getInt("i"), row.getLong("l")));
            all.add(List.of(row.getFloat("f"), row.getDouble("d"), row.getBigDecimal("n"), row.getDouble("n")));
            all.add(row.getObject("u", UUID.class));
            all.add(row.getDate("dt"));
            all.add(row.getObject("dt", LocalDate.class));
            all.add(row.getObject("dt", Date.class));
            all.add(row.getTime("tm"));
            all.add(row.getObject("tm", Time.class));
            all.add(row.getTimestamp("ts"));
            all.add(row.getObject("ts", LocalDateTime.class));
            all.add(row.getObject("ts", Timestamp.class));
            all.add(row.getObject("tz", OffsetDateTime.class));
            all.add(row.getInt("x"));
            all.add(row.wasNull());
            all.add(row.isLast());
            all.add(row.next());
        }
        return all;
    }

    @Test
    void aWayOfReadingThatOnlyTheDriverHasIsLeftToTheDriver() throws Exception {
        String sql = "SELECT '42'::text AS t, balance FROM accounts WHERE id = 1";
        ask(sql);
        try (Connection connection = cache.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            assertThat(row.next()).isTrue();
            assertThat(row.getInt("t")).isEqualTo(42);
            assertThat(row.getLong("balance")).isEqualTo(100);
            assertThatThrownBy(() -> row.getInt("none")).hasMessageContaining("none");
        }
        assertThat(cache.statistics().hits()).isEqualTo(1);
        ask(sql);
        assertThat(cache.statistics().hits()).isEqualTo(1);
    }

    @Test
    void whatIsGivenOutCannotSpoilWhatIsKept() throws Exception {
        String sql = "SELECT TIMESTAMP '2020-01-01 00:00:00' AS ts FROM accounts WHERE id = 1";
        ask(sql);
        for (int times = 0; times < 2; times++) {
            try (Connection connection = cache.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(sql)) {
                assertThat(row.next()).isTrue();
                Timestamp value = row.getTimestamp(1);
                assertThat(value).isEqualTo(Timestamp.valueOf("2020-01-01 00:00:00"));
                value.setTime(0);
            }
        }
        assertThat(cache.statistics().hits()).isEqualTo(2);
    }

    @Test
    void anAnswerThatIsOlderThanAWriteIsNeverKept() {
        ResultCache results = new ResultCache(CacheSettings.standard(), now::get);
        ResultCache.Rows row = new ResultCache.Rows(new Sql.Name("public", "a"), 1L);
        ResultCache.Rows table = new ResultCache.Rows(new Sql.Name("public", "a"), null);
        ResultCache.Versions before = results.versions(List.of(row));
        results.invalidate(row);
        assertThat(results.isCurrent(before)).isFalse();
        before = results.versions(List.of(table));
        results.invalidate(row);
        assertThat(results.isCurrent(before)).isFalse();
        before = results.versions(List.of(row));
        results.invalidate(new ResultCache.Rows(row.table(), 2L));
        assertThat(results.isCurrent(before)).isTrue();
        results.invalidate(table);
        assertThat(results.isCurrent(before)).isFalse();
    }

    @Test
    void whatTheNextBorrowerOfAConnectionWritesIsNotTakenForTheFormerOnes() throws Exception {
        AtomicReference<Connection> borrowed = new AtomicReference<>();
        AtomicBoolean watched = new AtomicBoolean();
        cache.close();
        cache = new CachingDataSource(
                closing(() -> {
                    if (watched.compareAndSet(true, false)) {
                        Connection next = cache.getConnection();
                        next.setAutoCommit(false);
                        run(next, "UPDATE accounts SET balance = 101 WHERE id = 1");
                        borrowed.set(next);
                    }
                }),
                CacheSettings.standard(),
                now::get);
        ready();
        Connection former = cache.getConnection();
        assertThat(ask(former, "SELECT owner FROM accounts WHERE id = 2")).isEqualTo("Bob");
        watched.set(true);
        former.close();
        assertThat(ask(BY_KEY)).as("not committed yet").isEqualTo("100");
        borrowed.get().commit();
        borrowed.get().close();
        assertThat(ask(BY_KEY)).isEqualTo("101");
    }

    /** The pool, with something that happens when a connection has just been given back to it. */
    private DataSource closing(Closed closed) {
        return new DelegatingDataSource(pool) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection real = super.getConnection();
                return (Connection) Proxy.newProxyInstance(
                        CachingDataSourceTest.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (self, method, arguments) -> {
                            try {
                                Object result = method.invoke(real, arguments);
                                if (method.getName().equals("close")) {
                                    closed.happened();
                                }
                                return result;
                            } catch (InvocationTargetException failed) {
                                throw failed.getCause();
                            }
                        });
            }
        };
    }

    private interface Closed {
        void happened() throws SQLException;
    }

    @Test
    void whoeverReadsAfterAnAcknowledgedWriteSeesIt() throws Exception {
        int rows = 8;
        database.execute("INSERT INTO accounts SELECT n, 'x', 0 FROM generate_series(10, " + (9 + rows) + ") n");
        AtomicLongArray acknowledged = new AtomicLongArray(rows);
        AtomicLong stale = new AtomicLong();
        AtomicLong reads = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int worker = 0; worker < 4; worker++) {
                int mine = worker;
                running.add(threads.submit(() -> {
                    SplittableRandom random = new SplittableRandom(mine);
                    for (int times = 0; times < 1_500; times++) {
                        int row = random.nextInt(rows);
                        if (mine == 0 && times % 3 == 0) {
                            long next = acknowledged.get(row) + 1;
                            run(
                                    times % 2 == 0
                                            ? "UPDATE accounts SET balance = ? WHERE id = ?"
                                            : "UPDATE accounts SET balance = ? WHERE id IN (?)",
                                    next,
                                    10 + row);
                            acknowledged.set(row, next);
                        } else {
                            long least = acknowledged.get(row);
                            long seen = Long.parseLong(ask("SELECT balance FROM accounts WHERE id = ?", 10 + row));
                            reads.incrementAndGet();
                            if (seen < least) {
                                stale.incrementAndGet();
                            }
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(stale).hasValue(0);
        assertThat(cache.statistics().hits()).isPositive();
        assertThat(cache.statistics().outdated()).isPositive();
    }
}
