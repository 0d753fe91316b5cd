package io.movr.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Gateway;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunnerTest {

    private static final Duration SHORT = Duration.ofMillis(700);

    private static EmbeddedPostgres server;
    private static int databases;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.temporary();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Gateway database() throws SQLException {
        String name = "workload_" + databases++;
        execute(server.gateway(), "CREATE DATABASE " + name);
        return server.gateway().toDatabase(name);
    }

    private static void execute(Gateway gateway, String sql) throws SQLException {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static RunResult run(Workload workload, Gateway gateway, RunPlan plan) throws Exception {
        try (Connection connection = gateway.connect()) {
            workload.init(connection, text -> {});
            workload.prepare(connection);
        }
        return new Runner(workload, ConnectionSource.of(gateway, "test"), plan, RunListener.NONE).run();
    }

    private static List<String> check(Workload workload, Gateway gateway) throws SQLException {
        try (Connection connection = gateway.connect()) {
            return workload.check(connection);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "B", "C", "D", "E", "F"})
    void everyYcsbWorkloadRunsWithTheSharesOfItsOperationsAndTheRightAnswers(String letter) throws Exception {
        Gateway gateway = database();
        Ycsb.Settings settings = Ycsb.Settings.of(letter, 500);
        Workload ycsb = new Ycsb(settings);
        RunResult result =
                run(ycsb, gateway, RunPlan.of(4, Duration.ofMinutes(1)).withMaxOps(2_000));
        assertThat(result.firstFailure()).isNull();
        assertThat(result.total().count()).isEqualTo(2_000);
        assertThat(result.total().errors()).isZero();
        for (int operation = 0; operation < YcsbMix.OPERATIONS.size(); operation++) {
            double share = settings.mix().shares().get(operation);
            long count = result.operation(YcsbMix.OPERATIONS.get(operation))
                    .map(OperationResult::count)
                    .orElse(0L);
            assertThat((double) count).isBetween(2_000 * share - 200, 2_000 * share + 200);
        }
        assertThat(check(ycsb, gateway)).isEmpty();
    }

    @Test
    void anInsertedRowThatIsLostOrChangedIsFound() throws Exception {
        Gateway gateway = database();
        Workload ycsb = new Ycsb(Ycsb.Settings.of("D", 100));
        run(ycsb, gateway, RunPlan.of(2, Duration.ofMinutes(1)).withMaxOps(1_000));
        assertThat(check(ycsb, gateway)).isEmpty();
        execute(gateway, "UPDATE usertable SET field9 = 'x' WHERE ycsb_key = '" + Ycsb.key(101) + "'");
        assertThat(check(ycsb, gateway)).containsExactly("1 inserted rows are missing or have other values");
        execute(gateway, "DELETE FROM usertable WHERE ycsb_key = '" + Ycsb.key(101) + "'");
        assertThat(check(ycsb, gateway)).hasSize(2).first().asString().contains("were acknowledged");
    }

    @Test
    void aRowThatIsNotThereIsAWrongAnswerAndEndsTheRun() throws Exception {
        Gateway gateway = database();
        Workload ycsb = new Ycsb(Ycsb.Settings.of("C", 100));
        run(ycsb, gateway, RunPlan.of(1, Duration.ofMinutes(1)).withMaxOps(1));
        execute(gateway, "DELETE FROM usertable");
        RunResult result = new Runner(
                        ycsb,
                        ConnectionSource.of(gateway, "test"),
                        RunPlan.of(2, Duration.ofMinutes(1)),
                        RunListener.NONE)
                .run();
        assertThat(result.succeeded()).isFalse();
        assertThat(result.firstFailure()).startsWith("read: The row user");
        assertThat(result.total().failures()).containsOnlyKeys("wrong answer");
        assertThat(result.total().count()).isZero();
    }

    @Test
    void initDoesNothingTwiceAndFillsUpWhatIsMissing() throws Exception {
        Gateway gateway = database();
        try (Connection connection = gateway.connect()) {
            new Ycsb(Ycsb.Settings.of("B", 250)).init(connection, text -> {});
            new Ycsb(Ycsb.Settings.of("B", 250)).init(connection, text -> {});
            assertThat(count(connection, "usertable")).isEqualTo(250);
            Workload larger = new Ycsb(Ycsb.Settings.of("B", 330));
            assertThatThrownBy(() -> larger.prepare(connection))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("run the step init first");
            larger.init(connection, text -> {});
            assertThat(count(connection, "usertable")).isEqualTo(330);
            larger.prepare(connection);
        }
    }

    private static long count(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                var answer = statement.executeQuery("SELECT count(*) FROM " + table)) {
            answer.next();
            return answer.getLong(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Tpcb.Order.class)
    void theSumsOfTpcbAgreeUnderLoadAtSerializableIsolation(Tpcb.Order order) throws Exception {
        Gateway gateway = database();
        Workload tpcb = new Tpcb(1, order);
        RunResult result = run(
                tpcb,
                gateway,
                RunPlan.of(4, SHORT).withIsolation(Isolation.SERIALIZABLE).withRetries(100));
        assertThat(result.firstFailure()).isNull();
        assertThat(result.total().count()).isPositive();
        // One branch for all four workers: they cannot but meet.
        assertThat(result.total().retries()).containsKey("40001 serialization failure");
        assertThat(check(tpcb, gateway)).isEmpty();
        execute(gateway, "UPDATE pgbench_tellers SET tbalance = tbalance + 1 WHERE tid = 1");
        assertThat(check(tpcb, gateway)).singleElement().asString().startsWith("the sums differ");
    }

    @Test
    void aTransactionCanHaveAConnectionOfItsOwn() throws Exception {
        Gateway gateway = database();
        AtomicLong opened = new AtomicLong();
        Workload tpcb = new Tpcb(1, null);
        try (Connection connection = gateway.connect()) {
            tpcb.init(connection, text -> {});
            tpcb.prepare(connection);
        }
        ConnectionSource counting = () -> {
            opened.incrementAndGet();
            return gateway.connect();
        };
        RunResult result = new Runner(
                        tpcb,
                        counting,
                        RunPlan.of(2, Duration.ofMinutes(1)).withMaxOps(20).withReconnect(true),
                        RunListener.NONE)
                .run();
        assertThat(result.total().count()).isEqualTo(20);
        assertThat(opened).hasValue(20);
        assertThat(check(tpcb, gateway)).isEmpty();
    }

    @Test
    void connectionsThatAreCutAreOpenedAnewAndCountedWhereThatIsTolerated() throws Exception {
        Gateway gateway = database();
        Workload tpcb = new Tpcb(1, null);
        try (Connection connection = gateway.connect()) {
            tpcb.init(connection, text -> {});
            tpcb.prepare(connection);
        }
        Runner runner = new Runner(
                tpcb,
                ConnectionSource.of(gateway, "cut-me"),
                RunPlan.of(3, Duration.ofSeconds(2)).withTolerateErrors(true),
                new RunListener() {
                    @Override
                    public void tick(Tick tick) {
                        try {
                            execute(
                                    server.gateway(),
                                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'cut-me'");
                        } catch (SQLException failed) {
                            throw new IllegalStateException(failed);
                        }
                    }
                });
        RunResult result = runner.run();
        assertThat(result.succeeded()).isTrue();
        assertThat(result.total().errors()).isBetween(3L, 30L);
        assertThat(result.total().failures().keySet()).allMatch(cause -> cause.contains("connection lost"));
        assertThat(result.total().failedNanos().getTotalCount())
                .isEqualTo(result.total().errors());
        assertThat(check(tpcb, gateway)).isEmpty();
    }

    @Test
    void timeCountsFromWhenAnOperationWasDue() throws Exception {
        int perSecond = 100;
        Stalling stalling = new Stalling(20, 0.5);
        RunResult result = run(
                stalling, server.gateway(), RunPlan.of(1, Duration.ofSeconds(3)).withMaxRate(perSecond));
        OperationResult total = result.total();
        long limit = Duration.ofMillis(100).toNanos();
        // Half a second stands still; the forty operations that were due in its first 0.4 s waited 0.1 s and more.
        assertThat(total.responseNanos().getCountBetweenValues(limit, Long.MAX_VALUE))
                .isGreaterThan(35)
                .isGreaterThan(total.serviceNanos().getCountBetweenValues(limit, Long.MAX_VALUE) + 20);
        assertThat(total.count() + result.overdue()).isEqualTo(3L * perSecond);
    }

    @Test
    void operationsThatWereDueAndNeverSentAreCounted() throws Exception {
        RunResult result = run(
                new Stalling(0, 5),
                server.gateway(),
                RunPlan.of(1, Duration.ofSeconds(1)).withMaxRate(50));
        assertThat(result.total().count()).isEqualTo(1);
        assertThat(result.overdue()).isEqualTo(49);
    }

    @Test
    void theRampIsKeptOutOfTheStatistics() throws Exception {
        Stalling stalling = new Stalling(0, 0.3);
        RunResult result = run(stalling, server.gateway(), RunPlan.of(2, SHORT).withRamp(Duration.ofMillis(600)));
        assertThat(stalling.executed.get()).isGreaterThan(result.total().count());
        // The stall was in the ramp.
        assertThat(result.total().count()).isPositive();
        assertThat(result.seconds()).isGreaterThanOrEqualTo(0.7);
    }

    @Test
    void theSameSeedDrawsTheSame() throws Exception {
        List<Integer> first = drawn(5);
        assertThat(drawn(5)).isEqualTo(first);
        assertThat(drawn(6)).isNotEqualTo(first);
    }

    private static List<Integer> drawn(long seed) throws Exception {
        Stalling stalling = new Stalling(-1, 0);
        run(
                stalling,
                server.gateway(),
                RunPlan.of(1, Duration.ofMinutes(1)).withMaxOps(50).withSeed(seed));
        return stalling.drawn;
    }

    @Test
    void aRunIsStoppedFromOutside() throws Exception {
        Stalling stalling = new Stalling(-1, 0);
        stalling.prepare(null);
        AtomicLong ticks = new AtomicLong();
        Runner[] runner = new Runner[1];
        runner[0] = new Runner(
                stalling,
                ConnectionSource.of(server.gateway(), "test"),
                new RunPlan(2, null, Duration.ZERO, 0, 0, false, Duration.ofMillis(50), 1, null, 0, false),
                new RunListener() {
                    @Override
                    public void tick(Tick tick) {
                        ticks.incrementAndGet();
                        runner[0].stop();
                    }
                });
        RunResult result = runner[0].run();
        assertThat(result.stopped()).isTrue();
        assertThat(result.succeeded()).isTrue();
        assertThat(result.total().count()).isPositive();
    }

    @Test
    void aServerThatIsNotThereIsSaidSo() {
        assertThatThrownBy(() -> new Runner(
                                new Stalling(-1, 0),
                                ConnectionSource.of(new Gateway("jdbc:postgresql://127.0.0.1:1/x"), "test"),
                                RunPlan.of(2, SHORT),
                                RunListener.NONE)
                        .run())
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Cannot connect to jdbc:postgresql://127.0.0.1:1/x");
    }

    @Test
    void theColumnsAreThoseOfCockroachWorkload() {
        StringWriter text = new StringWriter();
        ColumnDisplay display = new ColumnDisplay(new PrintWriter(text));
        OperationResult read = OperationResult.none("read");
        for (int sample = 0; sample < 95; sample++) {
            read.responseNanos().recordValue(300_000);
        }
        read.responseNanos().recordValue(2_000_000);
        display.tick(new Tick(2, 1, 3, 0, List.of(new Tick.Part(read, read))));
        OperationResult update = OperationResult.none("update");
        update.failures().put("40001 serialization failure", 3L);
        display.result(new RunResult(
                "ycsb-b",
                RunPlan.of(1, Duration.ofSeconds(2)),
                Instant.EPOCH,
                2,
                List.of(read, update),
                0,
                null,
                false,
                new RunnerCost(0, 0, 0, 0)));
        assertThat(text.toString().lines())
                .containsExactly(
                        "_elapsed___errors__ops/sec(inst)___ops/sec(cum)__p50(ms)__p95(ms)__p99(ms)_pMax(ms)",
                        "    2.0s        3           96.0           48.0      0.3      0.3      2.0      2.0 read",
                        "",
                        "_elapsed___errors_____ops(total)___ops/sec(cum)__avg(ms)__p50(ms)__p95(ms)__p99(ms)_pMax(ms)__total",
                        "    2.0s        3             96           48.0      0.3      0.3      0.3      2.0      2.0  read",
                        "",
                        "_elapsed___errors_____ops(total)___ops/sec(cum)__avg(ms)__p50(ms)__p95(ms)__p99(ms)_pMax(ms)__total",
                        "",
                        "_elapsed___errors_____ops(total)___ops/sec(cum)__avg(ms)__p50(ms)__p95(ms)__p99(ms)_pMax(ms)__result",
                        "    2.0s        3             96           48.0      0.3      0.3      0.3      2.0      2.0  ");
    }

    @Test
    void aRunnerThatIsTheBottleneckSaysSo() {
        assertThat(new RunnerCost(0.2, 0.02, 1, 0).bottleneck()).isEmpty();
        assertThat(new RunnerCost(0.2, 0.3, 1, 0).bottleneck())
                .hasValueSatisfying(why -> assertThat(why).startsWith("30% of the workers' time"));
        assertThat(new RunnerCost(0.6, 0.02, 1, 0).bottleneck()).isPresent();
        assertThat(new RunnerCost(0.2, 0.02, 30, 0).bottleneck()).isPresent();
    }

    @Test
    void aPlanOutOfRangeIsRefused() {
        RunPlan plan = RunPlan.of(1, SHORT);
        assertThatThrownBy(() -> RunPlan.of(0, SHORT))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--concurrency 0");
        assertThatThrownBy(() -> RunPlan.of(1, Duration.ZERO))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--duration");
        assertThatThrownBy(() -> plan.withMaxRate(-1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--max-rate");
    }

    @Test
    void inserterKnowsUpToWhichRowAllAreThere() {
        InsertedRows rows = new InsertedRows(10);
        assertThat(List.of(rows.claim(), rows.claim(), rows.claim())).containsExactly(10L, 11L, 12L);
        rows.inserted(12);
        rows.inserted(10);
        assertThat(rows.certain()).isEqualTo(11);
        assertThat(rows.known()).isEqualTo(12);
        rows.giveBack(11, true);
        assertThat(rows.mayExist(11)).isTrue();
        assertThat(rows.unknown()).isEqualTo(1);
        assertThat(rows.claim()).isEqualTo(11);
        rows.inserted(11);
        assertThat(rows.certain()).isEqualTo(13);
        assertThat(rows.unknown()).isZero();
        assertThat(rows.claim()).isEqualTo(13);
    }

    /** Selects nothing, and once sleeps at the server. */
    private static final class Stalling implements Workload {

        private final long stallAt;
        private final double stallSeconds;
        private final AtomicLong executed = new AtomicLong();
        private final List<Integer> drawn = Collections.synchronizedList(new ArrayList<>());

        Stalling(long stallAt, double stallSeconds) {
            this.stallAt = stallAt;
            this.stallSeconds = stallSeconds;
        }

        @Override
        public String name() {
            return "stalling";
        }

        @Override
        public List<String> operations() {
            return List.of("select");
        }

        @Override
        public List<String> tables() {
            return List.of();
        }

        @Override
        public void init(Connection connection, Consumer<String> progress) {}

        @Override
        public void prepare(Connection connection) {}

        @Override
        public List<String> check(Connection connection) {
            return List.of();
        }

        @Override
        public Session session(long seed) {
            var random = new SplittableRandom(seed);
            return new Session() {

                private PreparedStatement statement;

                @Override
                public void open(Connection connection) throws SQLException {
                    statement = connection.prepareStatement("SELECT pg_sleep(?)");
                }

                @Override
                public int draw() {
                    drawn.add(random.nextInt(1_000));
                    return 0;
                }

                @Override
                public void execute() throws SQLException {
                    statement.setDouble(1, executed.getAndIncrement() == stallAt ? stallSeconds : 0);
                    statement.executeQuery().close();
                }
            };
        }
    }
}
