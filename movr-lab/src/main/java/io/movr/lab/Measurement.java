package io.movr.lab;

import com.zaxxer.hikari.HikariDataSource;
import io.movr.database.Closeables;
import io.movr.database.Gateway;
import io.movr.environment.SharedCore;
import io.movr.environment.StatementTimeout;
import io.movr.lab.Samples.Sample;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;

/**
 * Takes the samples of one experiment.
 *
 * <p>Three sides take turns: A is before, B is after, and C is A once more on a connection of its own, so that A and C
 * differ by noise alone. A round runs each side twice, there and back (A C B B C A), and the next round begins with
 * another side, so that each comes equally often first, and equally often right after itself, when the processor's caches
 * are warm for it. A drift affects all three alike.
 *
 * <p>The core on which the operating system runs a server process decides how fast it wakes up, which can matter more
 * than an index. Therefore short statements share a core with their server if possible. Samples are taken in blocks, each
 * on new connections, and blocks are compared.
 *
 * <p>A sample is the whole call as an application makes it: a connection from the pool, the prepared statement, every row
 * and column read, the connection given back.
 */
final class Measurement {

    /**
     * The minimum number of executions on a connection before it is measured: the driver prepares with the first, and the
     * server decides on a plan after 5.
     */
    static final int MIN_WARM_UPS = 8;

    /** The minimum if the URL says when the driver prepares, by default after 5. */
    private static final int MIN_WARM_UPS_AS_NAMED = 15;

    /**
     * The minimum number of blocks: Student's t estimates the variance from their ratios alone, and with fewer blocks its
     * intervals become wide.
     */
    static final int MIN_BLOCKS = 6;

    static final String BEFORE = "before";

    static final String CONTROL = "control";

    static final String AFTER = "after";

    static final String ORDER = "A C B B C A, C B A A B C, B A C C A B";

    private static final List<List<String>> ORDERS = List.of(
            List.of(BEFORE, CONTROL, AFTER),
            List.of(CONTROL, AFTER, BEFORE),
            List.of(AFTER, BEFORE, CONTROL),
            List.of(AFTER, CONTROL, BEFORE),
            List.of(CONTROL, BEFORE, AFTER),
            List.of(BEFORE, AFTER, CONTROL));

    private static final int MAX_BLOCKS = 80;
    private static final int MIN_SAMPLES_OF_A_BLOCK = 6;
    private static final int MAX_SAMPLES = 2_400;
    private static final long JIT_WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);
    private static final int MAX_JIT_WARM_UPS = 5_000;
    private static final long BLOCK_WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(40);
    private static final int MAX_BLOCK_WARM_UPS = 1_000;

    /** Statements that take less on average share a core with their server; the server runs none of them in parallel. */
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long BUDGET_NANOS = TimeUnit.SECONDS.toNanos(14);

    /** The budget for short statements, whose intervals are the narrowest even so. */
    private static final long SHORT_BUDGET_NANOS = TimeUnit.SECONDS.toNanos(7);

    private final Experiment experiment;
    private final Endpoints before;
    private final Endpoints after;
    private final @Nullable ProcessHandle server;
    private final int minWarmUps;

    /** Known once the virtual machine is warm. */
    private @Nullable Cost known;

    /**
     * Sets up a measurement.
     *
     * @param server the server's process, which shares a core with the calling thread while short statements that only
     *     read are measured; {@code null} if the system chooses its cores
     */
    Measurement(Experiment experiment, Endpoints before, Endpoints after, @Nullable ProcessHandle server) {
        this.experiment = experiment;
        this.server = experiment.writes() || experiment.city() != null ? null : server;
        this.before = before;
        this.after = after;
        this.minWarmUps = Math.max(minWarmUps(before.measured()), minWarmUps(after.measured()));
    }

    /**
     * Warms up, then measures. Measuring again does not warm the virtual machine up again.
     *
     * @param samples the minimum number of samples of each side, {@code null} for as many as fit into some seconds
     * @param listener receives the finished part
     * @throws WrongResult if an execution answers wrongly, warm-ups included
     */
    Samples take(@Nullable Integer samples, LabListener listener) throws SQLException {
        Cost cost = known == null ? warmUpVirtualMachine() : known;
        known = cost;
        SharedCore core = server != null && cost.isShort() ? new SharedCore(server) : null;
        try {
            return take(samples, cost, listener);
        } finally {
            if (core != null) {
                core.close();
            }
        }
    }

    private Samples take(@Nullable Integer samples, Cost cost, LabListener listener) throws SQLException {
        long roundNanos = cost.roundNanos();
        long budget = cost.isShort() ? SHORT_BUDGET_NANOS : BUDGET_NANOS;
        // Opening connections and warming them up may take half of the time.
        long blockNanos = cost.openNanos() + Math.max(cost.openNanos(), MIN_SAMPLES_OF_A_BLOCK * roundNanos);
        int maxBlocks = samples == null ? MAX_BLOCKS : Math.min(MAX_BLOCKS, samples / MIN_SAMPLES_OF_A_BLOCK);
        int blocks = (int) Math.max(MIN_BLOCKS, Math.min(maxBlocks, budget / Math.max(1, blockNanos)));
        long affordable = (budget - blocks * cost.openNanos()) / Math.max(1, roundNanos);
        int minSamples = samples != null ? samples : LabRequest.MIN_SAMPLES;
        int wanted = samples != null ? samples : (int) Math.min(MAX_SAMPLES, affordable);
        // At least as many as requested, and as close to the budget as whole rounds allow.
        int rounds = Math.max((minSamples + 2 * blocks - 1) / (2 * blocks), (wanted + blocks) / (2 * blocks));
        System.gc();
        List<Sample> taken = new ArrayList<>(6 * blocks * rounds);
        String answerBefore = "";
        String answerAfter = "";
        long first = System.nanoTime();
        for (int block = 0; block < blocks; block++) {
            try (Block opened = warm(block)) {
                for (int round = 0; round < rounds; round++) {
                    for (int position = 0; position < 6; position++) {
                        Turn turn = opened.turn(round + (position < 3 ? position : 5 - position));
                        double startedMs = (System.nanoTime() - first) / 1e6;
                        double latencyMs = turn.run() / 1e6;
                        taken.add(new Sample(
                                block, round, turn.name, turn.operation.parameterRow(), startedMs, latencyMs));
                    }
                    listener.progress((block + (round + 1.0) / rounds) / blocks);
                }
                answerBefore = opened.turn(BEFORE).answer;
                answerAfter = opened.turn(AFTER).answer;
            }
        }
        return new Samples(taken, answerBefore, answerAfter);
    }

    /** Returns how often a statement is executed on a connection before it is measured. */
    private static int minWarmUps(Gateway gateway) {
        return namesThreshold(gateway) ? MIN_WARM_UPS_AS_NAMED : MIN_WARM_UPS;
    }

    /** Users of a connection pool outside of movr may have to prevent prepared statements. */
    private static boolean namesThreshold(Gateway gateway) {
        return !gateway.without(PGProperty.PREPARE_THRESHOLD).url().equals(gateway.url());
    }

    private static Gateway preparing(Gateway gateway) {
        return namesThreshold(gateway) ? gateway : gateway.with(PGProperty.PREPARE_THRESHOLD, "1");
    }

    /**
     * Runs each side twice without measuring it, so that the reset of the first run is tested too.
     *
     * @throws WrongResult if an execution answers wrongly
     */
    void tryOut() throws SQLException {
        try (Block block = new Block(0)) {
            block.turn(BEFORE).prepare();
            block.turn(AFTER).prepare();
            block.runEach();
            block.runEach();
        }
    }

    /**
     * The durations once the virtual machine is warm.
     *
     * @param openNanos the time to open the connections of a block and to warm them up
     * @param roundNanos the median time of one run of each side
     */
    private record Cost(long openNanos, long roundNanos) {

        boolean isShort() {
            return roundNanos < 3 * SHORT_NANOS;
        }
    }

    /** Runs the sides until the just-in-time compiler has done its work, and returns the durations after that. */
    private Cost warmUpVirtualMachine() throws SQLException {
        List<Long> rounds = new ArrayList<>();
        try (Block block = new Block(0)) {
            block.turn(BEFORE).prepare();
            block.turn(AFTER).prepare();
            long startedNanos = System.nanoTime();
            for (int warmUps = 0;
                    warmUps < minWarmUps
                            || (System.nanoTime() - startedNanos < JIT_WARM_UP_NANOS && warmUps < MAX_JIT_WARM_UPS);
                    warmUps++) {
                long round = System.nanoTime();
                block.runEach();
                rounds.add(System.nanoTime() - round);
            }
        }
        // The median of several is robust against a round that the system delayed.
        List<Long> last = rounds.subList(rounds.size() - MIN_WARM_UPS, rounds.size()).stream()
                .sorted()
                .toList();
        long roundNanos = last.get(MIN_WARM_UPS / 2);
        long opening = System.nanoTime();
        Block opened = warm(0);
        Cost cost = new Cost(System.nanoTime() - opening, roundNanos);
        opened.close();
        return cost;
    }

    /**
     * Opens the connections of a block and warms them up, without the delay of links if possible. A round with the delay
     * follows, so that the first sample has the same conditions as the others.
     */
    private Block warm(int number) throws SQLException {
        Block block = null;
        try {
            distant(false);
            try {
                block = new Block(number);
                block.warmUp();
            } finally {
                distant(true);
            }
            if (before.links() != null || after.links() != null) {
                block.runEach();
            }
            return block;
        } catch (SQLException | RuntimeException failed) {
            if (block != null) {
                Closeables.closeAfter(failed, block);
            }
            throw failed;
        }
    }

    private void distant(boolean wanted) {
        Stream.of(before, after)
                .flatMap(endpoints -> Stream.ofNullable(endpoints.links()))
                .forEach(links -> links.distant(wanted));
    }

    /** The three sides, each on a connection of its own. */
    private final class Block implements AutoCloseable {

        private final Map<String, Turn> byName = new HashMap<>();
        private final List<Turn> turns = new ArrayList<>();

        Block(int number) {
            try {
                // The system places the process that is started first differently, so each side is first equally often.
                for (String name : ORDERS.get(number % ORDERS.size())) {
                    boolean isAfter = name.equals(AFTER);
                    Turn turn = new Turn(
                            name, isAfter ? experiment.after() : experiment.before(), number, isAfter ? after : before);
                    byName.put(name, turn);
                    turns.add(turn);
                }
            } catch (RuntimeException failed) {
                throw Closeables.closeAfter(failed, () -> Closeables.closeAll(turns, Turn::close));
            }
        }

        Turn turn(String name) {
            return Objects.requireNonNull(byName.get(name), name);
        }

        Turn turn(int number) {
            return turns.get(number % turns.size());
        }

        void warmUp() throws SQLException {
            long startedNanos = System.nanoTime();
            for (int warmUp = 0;
                    warmUp < minWarmUps
                            || (System.nanoTime() - startedNanos < BLOCK_WARM_UP_NANOS && warmUp < MAX_BLOCK_WARM_UPS);
                    warmUp++) {
                runEach();
            }
        }

        void runEach() throws SQLException {
            for (Turn turn : turns) {
                turn.run();
            }
        }

        @Override
        public void close() throws SQLException {
            Closeables.closeAll(turns, Turn::close);
        }
    }

    /** A side with its own connection, and another one for what is not timed. */
    private static final class Turn implements AutoCloseable {

        private final String name;
        private final Side side;
        private final Operation operation;
        private final Endpoints endpoints;
        private final HikariDataSource pool;
        private final Connection helper;
        private String answer = "";

        Turn(String name, Side side, int block, Endpoints endpoints) {
            this.name = name;
            this.side = side;
            this.operation = side.operation().inBlock(block);
            this.endpoints = endpoints;
            this.pool = StatementTimeout.bounded(preparing(endpoints.measured()), StatementTimeout.SAMPLE_LIMIT)
                    .pool("lab-" + name, 1);
            try {
                this.helper = StatementTimeout.bounded(endpoints.nearby(), StatementTimeout.LIMIT)
                        .connect("lab-helper");
            } catch (RuntimeException failed) {
                throw Closeables.closeAfter(failed, pool);
            }
        }

        void prepare() throws SQLException {
            try {
                operation.prepare(helper);
            } catch (SQLException failed) {
                throw aroundASample("what prepares it", failed);
            }
        }

        /** Runs once, checks the answer and resets the run. */
        long run() throws SQLException {
            List<List<String>> rows;
            long startedNanos = System.nanoTime();
            try (Connection connection = pool.getConnection()) {
                rows = operation.run(connection);
            } catch (SQLException failed) {
                String statements = operation.steps().stream().map(Step::sql).collect(Collectors.joining("; "));
                throw StatementTimeout.of(
                        failed, side.label() + ": " + statements, StatementTimeout.SAMPLE_LIMIT, endpoints.measured());
            }
            long took = System.nanoTime() - startedNanos;
            try {
                Optional<String> complaint = operation.complaint(rows, helper);
                if (complaint.isPresent()) {
                    throw new WrongResult("Wrong answer " + name + " (" + side.label() + "): " + complaint.get());
                }
                answer = brief(rows);
                operation.reset(helper);
            } catch (SQLException failed) {
                throw aroundASample("what checks it and takes it back", failed);
            }
            return took;
        }

        private SQLException aroundASample(String what, SQLException failed) {
            return StatementTimeout.of(failed, side.label() + ", " + what, StatementTimeout.LIMIT, endpoints.nearby());
        }

        private static String brief(List<List<String>> rows) {
            if (rows.size() == 1 && rows.get(0).size() == 1) {
                return rows.get(0).get(0);
            }
            return rows.size() + (rows.size() == 1 ? " row" : " rows");
        }

        @Override
        public void close() throws SQLException {
            try {
                pool.close();
            } finally {
                helper.close();
            }
        }
    }
}
