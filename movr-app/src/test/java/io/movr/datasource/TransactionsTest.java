package io.movr.datasource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.movr.RunningService;
import io.movr.database.Gateway;
import io.movr.datasource.DatabaseProperties.Isolation;
import io.movr.datasource.DatabaseProperties.Retries;
import io.movr.datasource.DatabaseProperties.Timeouts;
import io.movr.datasource.DatabaseProperties.Tls;
import io.movr.datasource.Unavailable.Reason;
import io.movr.schema.Stage;
import io.movr.web.Problem;
import io.movr.web.RequestProblem;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Meets real conflicts on a real database. */
class TransactionsTest {

    private static final int CONNECTIONS = 4;

    private static Gateway gateway;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private GatewayPool pool;
    private JdbcTemplate jdbc;
    private Transactions transactions;

    @BeforeAll
    static void database() {
        gateway = RunningService.database(Stage.FOREIGN_KEYS);
    }

    @BeforeEach
    void open() throws InterruptedException {
        open(Isolation.SERIALIZABLE, 15, Duration.ofSeconds(20));
        jdbc.execute("DROP TABLE IF EXISTS duty");
        jdbc.execute("CREATE TABLE duty (id INT PRIMARY KEY, on_call BOOLEAN NOT NULL)");
        jdbc.execute("INSERT INTO duty VALUES (1, true), (2, true)");
    }

    private void open(Isolation isolation, int attempts, Duration limit) throws InterruptedException {
        if (pool != null) {
            pool.close();
        }
        DatabaseProperties properties = new DatabaseProperties(
                gateway.url(),
                Map.of(),
                null,
                null,
                null,
                0,
                1,
                CONNECTIONS,
                isolation,
                new Tls(null, null, null, null),
                new Timeouts(Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(20), limit),
                new Retries(attempts, Duration.ofMillis(1), Duration.ofMillis(20)));
        pool = new GatewayPool(gateway, properties, "transactions-test");
        jdbc = new JdbcTemplate(pool);
        awaitAllConnections();
        transactions = new Transactions(new DataSourceTransactionManager(pool), meters, () -> "none", properties);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private double retries(String cause) {
        var counter =
                meters.find("movr.transactions.retries").tag("cause", cause).counter();
        return counter == null ? 0 : counter.count();
    }

    private int onCall() {
        return jdbc.queryForObject("SELECT count(*) FROM duty WHERE on_call", Integer.class);
    }

    /** Two go off call at once, each because the other is still there: the classic write skew. */
    private void goOffCallAtOnce() throws Exception {
        CyclicBarrier bothHaveLooked = new CyclicBarrier(2);
        ExecutorService two = Executors.newFixedThreadPool(2);
        try {
            Future<?> one = two.submit(() -> goOffCall(1, bothHaveLooked));
            Future<?> other = two.submit(() -> goOffCall(2, bothHaveLooked));
            one.get(1, TimeUnit.MINUTES);
            other.get(1, TimeUnit.MINUTES);
        } finally {
            two.shutdownNow();
        }
    }

    private void goOffCall(int id, CyclicBarrier bothHaveLooked) {
        AtomicInteger attempts = new AtomicInteger();
        transactions.write("go off call", () -> {
            int there = onCall();
            if (attempts.getAndIncrement() == 0) {
                await(bothHaveLooked);
            }
            return there < 2 ? 0 : jdbc.update("UPDATE duty SET on_call = false WHERE id = ?", id);
        });
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(30, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void aSerializationFailureIsTriedAgainWithWhatIsTrueThen() throws Exception {
        goOffCallAtOnce();
        assertThat(onCall()).isEqualTo(1);
        assertThat(retries("serialization")).isPositive();
        assertThat(meters.get("movr.transactions")
                        .tag("outcome", "done")
                        .timer()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void theIsolationLevelIsTheOneThatIsConfigured() throws Exception {
        assertThat(jdbc.queryForObject("SHOW transaction_isolation", String.class))
                .isEqualTo("serializable");
        open(Isolation.READ_COMMITTED, 15, Duration.ofSeconds(20));
        assertThat(jdbc.queryForObject("SHOW transaction_isolation", String.class))
                .isEqualTo("read committed");
        goOffCallAtOnce();
        assertThat(onCall()).as("write skew is what read committed allows").isZero();
        open(Isolation.REPEATABLE_READ, 15, Duration.ofSeconds(20));
        assertThat(jdbc.queryForObject("SHOW transaction_isolation", String.class))
                .isEqualTo("repeatable read");
    }

    @Test
    void aDeadlockIsTriedAgain() throws Exception {
        open(Isolation.READ_COMMITTED, 15, Duration.ofSeconds(20));
        CyclicBarrier bothHoldOne = new CyclicBarrier(2);
        ExecutorService two = Executors.newFixedThreadPool(2);
        try {
            Future<?> one = two.submit(() -> lockBoth(1, 2, bothHoldOne));
            Future<?> other = two.submit(() -> lockBoth(2, 1, bothHoldOne));
            one.get(1, TimeUnit.MINUTES);
            other.get(1, TimeUnit.MINUTES);
        } finally {
            two.shutdownNow();
        }
        assertThat(retries("deadlock")).isEqualTo(1);
    }

    private void lockBoth(int first, int second, CyclicBarrier bothHoldOne) {
        AtomicInteger attempts = new AtomicInteger();
        transactions.write("lock both", () -> {
            jdbc.queryForList("SELECT id FROM duty WHERE id = ? FOR UPDATE", first);
            if (attempts.getAndIncrement() == 0) {
                await(bothHoldOne);
            }
            return jdbc.queryForList("SELECT id FROM duty WHERE id = ? FOR UPDATE", second);
        });
    }

    /** A pool that has one connection so far has none when that is cut, and more than one attempt is made. */
    private void awaitAllConnections() throws InterruptedException {
        assertThat(pool.awaitConnection(Duration.ofSeconds(30))).isTrue();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (jdbc.queryForObject(
                        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'transactions-test'",
                        Integer.class)
                != CONNECTIONS) {
            assertThat(System.nanoTime()).as("the pool was filled").isLessThan(end);
            Thread.sleep(5);
        }
    }

    @Test
    void aConnectionThatIsLostBeforeTheCommitCostsAnotherAttempt() {
        AtomicInteger attempts = new AtomicInteger();
        transactions.write("change duty", () -> {
            jdbc.update("UPDATE duty SET on_call = false WHERE id = 1");
            if (attempts.getAndIncrement() == 0) {
                int own = jdbc.queryForObject("SELECT pg_backend_pid()", Integer.class);
                new JdbcTemplate(new org.springframework.jdbc.datasource.DriverManagerDataSource(gateway.url()))
                        .queryForList("SELECT pg_terminate_backend(?, 5000)", own);
            }
            return jdbc.update("UPDATE duty SET on_call = false WHERE id = 2");
        });
        assertThat(attempts).hasValue(2);
        assertThat(onCall()).isZero();
        assertThat(retries("connection_lost")).isEqualTo(1);
    }

    @Test
    void aDefectIsNotTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        assertThatThrownBy(() -> transactions.write("insert nothing", () -> {
                    attempts.incrementAndGet();
                    return jdbc.update("INSERT INTO duty VALUES (3, NULL)");
                }))
                .isInstanceOf(DataIntegrityViolationException.class);
        assertThat(attempts).hasValue(1);
        assertThat(meters.get("movr.transactions")
                        .tag("outcome", "failed")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"53100", "58030", "XX000"})
    void aServerThatFailsIsUnavailableAndNoDefectOfTheService(String state) {
        assertThatThrownBy(() -> transactions.write("fill the disk", () -> {
                    jdbc.execute("DO $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = '" + state + "'; END $$");
                    return 1;
                }))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        unavailable -> assertThat(unavailable.reason()).isEqualTo(Reason.GATEWAY));
    }

    @Test
    void ofACommitInWhichTheServerFailsNobodyKnows() throws Exception {
        open(Isolation.SERIALIZABLE, 3, Duration.ofSeconds(20));
        jdbc.execute("CREATE OR REPLACE FUNCTION fail_at_commit() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN RAISE EXCEPTION 'could not write to log file' USING ERRCODE = 'XX000'; END $$");
        jdbc.execute("CREATE CONSTRAINT TRIGGER at_commit AFTER UPDATE ON duty DEFERRABLE INITIALLY DEFERRED"
                + " FOR EACH ROW EXECUTE FUNCTION fail_at_commit()");
        assertThatThrownBy(() -> transactions.write(
                        "change duty", () -> jdbc.update("UPDATE duty SET on_call = false WHERE id = 1")))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        unavailable -> assertThat(unavailable.reason()).isEqualTo(Reason.UNKNOWN_OUTCOME));
        assertThat(retries("commit_unknown")).isPositive();
    }

    private long counted(String outcome) {
        var timer = meters.find("movr.transactions").tag("outcome", outcome).timer();
        return timer == null ? 0 : timer.count();
    }

    @Test
    void aRefusalAndADefectAreToldApart() {
        assertThatThrownBy(() -> transactions.write("refuse", () -> {
                    throw RequestProblem.INVALID_REQUEST.because("as it should");
                }))
                .isInstanceOf(Problem.class);
        assertThat(counted("refused")).isEqualTo(1);
        assertThatThrownBy(() -> transactions.write("break", () -> {
                    throw new IllegalStateException("as it should not");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> transactions.read("break", () -> {
                    throw new AssertionError("as it should not");
                }))
                .isInstanceOf(AssertionError.class);
        assertThat(counted("defect")).isEqualTo(2);
        assertThat(counted("refused")).isEqualTo(1);
    }

    @Test
    void attemptsAreBounded() throws Exception {
        open(Isolation.SERIALIZABLE, 3, Duration.ofSeconds(20));
        AtomicInteger attempts = new AtomicInteger();
        assertThatThrownBy(() -> loseAlways(attempts))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        unavailable -> assertThat(unavailable.reason()).isEqualTo(Reason.CONTENTION));
        assertThat(attempts).hasValue(3);
        assertThat(jdbc.queryForObject("SELECT on_call FROM duty WHERE id = 1", Boolean.class))
                .as("what others wrote is there, what was given up is not")
                .isTrue();
    }

    @Test
    void timeIsBounded() throws Exception {
        open(Isolation.SERIALIZABLE, 1_000, Duration.ofMillis(50));
        AtomicInteger attempts = new AtomicInteger();
        assertThatThrownBy(() -> loseAlways(attempts)).isInstanceOf(Unavailable.class);
        assertThat(attempts).hasValueLessThan(1_000);

        open(Isolation.SERIALIZABLE, 1_000, Duration.ofSeconds(20));
        assertThatThrownBy(() -> Deadline.<Unavailable, RuntimeException>within(
                        Duration.ZERO, () -> loseAlways(new AtomicInteger())))
                .isInstanceOf(Unavailable.class);
    }

    /** Somebody else writes the same row between our look at it and our own write, each time. */
    private void loseAlways(AtomicInteger attempts) {
        JdbcTemplate other =
                new JdbcTemplate(new org.springframework.jdbc.datasource.DriverManagerDataSource(gateway.url()));
        transactions.write("lose", () -> {
            attempts.incrementAndGet();
            onCall();
            other.update("UPDATE duty SET on_call = true WHERE id = 1");
            return jdbc.update("UPDATE duty SET on_call = false WHERE id = 1");
        });
    }

    @Test
    void aStatementThatRunsTooLongIsStopped() throws Exception {
        open(Isolation.SERIALIZABLE, 3, Duration.ofSeconds(20));
        jdbc.execute("SET statement_timeout = 50");
        assertThatThrownBy(() -> transactions.read("sleep", () -> {
                    jdbc.execute("SET statement_timeout = 50; SELECT pg_sleep(30)");
                    return 1;
                }))
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        unavailable -> assertThat(unavailable.reason()).isEqualTo(Reason.TIMEOUT));
    }
}
