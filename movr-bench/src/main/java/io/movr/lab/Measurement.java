package io.movr.lab;

import com.zaxxer.hikari.HikariDataSource;
import io.movr.database.Gateway;
import io.movr.lab.Experiment.Side;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes the samples of one experiment.
 *
 * <p>Three sides take turns in the order A C B B C A: A is before, B after, and C is A once more on a connection of its
 * own, so that A and C differ by noise alone. The next round begins with C, the one after it with B, so that each side
 * comes equally often first, and equally often right after itself, when the processor's caches are warm for it. Whatever
 * drifts during the experiment falls on all three alike. A sample is the whole call as an application makes it:
 * a connection from the pool, the prepared statement, every row and column read, the connection given back.
 */
final class Measurement implements AutoCloseable {

    /** Executions of a side that are not counted: the driver prepares after 5, and the server then decides after 5. */
    static final int LEAST_WARM_UPS = 15;

    /** The fewest samples of a side from which anything is concluded. */
    static final int LEAST_SAMPLES = 30;

    static final String ORDER = "A C B B C A, C B A A B C, B A C C A B";

    private static final int MOST_SAMPLES = 3_000;
    private static final int MOST_WARM_UPS = 5_000;
    private static final long WARM_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(3_000);
    private static final long BUDGET_NANOS = TimeUnit.SECONDS.toNanos(15);

    /**
     * One execution.
     *
     * @param side {@code before}, {@code control} or {@code after}
     * @param startedMs since the first sample of the experiment
     */
    record Sample(int round, String side, double startedMs, double latencyMs) {}

    /**
     * What was measured.
     *
     * @param samples in the order of their taking
     * @param answerBefore what side A answered, in a few words
     * @param answerAfter what side B answered, in a few words
     */
    record Taken(List<Sample> samples, String answerBefore, String answerAfter) {}

    private final Turn before;
    private final Turn control;
    private final Turn after;

    Measurement(Experiment experiment, Gateway before, Gateway after) throws SQLException {
        this.before = new Turn("before", experiment.before(), before);
        this.control = new Turn("control", experiment.before(), before);
        this.after = new Turn("after", experiment.after(), after);
    }

    /**
     * Warms up, then measures.
     *
     * @param samples how many of each side, nothing for as many as fit into some seconds
     * @param progress told the finished part, from 0 to 1
     * @throws Mistaken when an execution answers wrongly, warming up included
     */
    Taken take(@Nullable Integer samples, DoubleConsumer progress) throws SQLException {
        for (Turn turn : List.of(before, after)) {
            turn.prepare();
        }
        long begun = System.nanoTime();
        int warmUps = 0;
        long lastRoundNanos = 0;
        while (warmUps < LEAST_WARM_UPS || (System.nanoTime() - begun < WARM_UP_NANOS && warmUps < MOST_WARM_UPS)) {
            long round = System.nanoTime();
            for (Turn turn : List.of(before, control, after)) {
                turn.run();
            }
            lastRoundNanos = System.nanoTime() - round;
            warmUps++;
        }
        long affordable = BUDGET_NANOS / Math.max(1, lastRoundNanos);
        int wanted = samples != null ? samples : (int) Math.max(LEAST_SAMPLES, Math.min(MOST_SAMPLES, affordable));
        int rounds = (wanted + 1) / 2;
        System.gc();
        List<Turn> sides = List.of(before, control, after);
        List<Sample> taken = new ArrayList<>(6 * rounds);
        long first = System.nanoTime();
        for (int round = 0; round < rounds; round++) {
            for (int position = 0; position < 6; position++) {
                Turn turn = sides.get((round + (position < 3 ? position : 5 - position)) % 3);
                double startedMs = (System.nanoTime() - first) / 1e6;
                taken.add(new Sample(round, turn.name, startedMs, turn.run() / 1e6));
            }
            progress.accept((round + 1.0) / rounds);
        }
        return new Taken(taken, before.answer, after.answer);
    }

    @Override
    public void close() throws SQLException {
        before.close();
        control.close();
        after.close();
    }

    /** A wrong answer or a wrong plan: whatever was timed, it was not what the experiment is about. */
    static final class Mistaken extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Mistaken(String message) {
            super(message);
        }
    }

    /** A side with its own connection, and another one for what is not timed. */
    private static final class Turn implements AutoCloseable {

        private final String name;
        private final Side side;
        private final HikariDataSource pool;
        private final Connection helper;
        private String answer = "";

        Turn(String name, Side side, Gateway gateway) {
            this.name = name;
            this.side = side;
            this.pool = gateway.pool("lab-" + name, 1);
            this.helper = gateway.connect("lab-helper");
        }

        void prepare() throws SQLException {
            side.operation().prepare(helper);
        }

        /** Runs once, checks and takes back. */
        long run() throws SQLException {
            List<List<String>> rows;
            long begun = System.nanoTime();
            try (Connection connection = pool.getConnection()) {
                rows = side.operation().run(connection);
            }
            long took = System.nanoTime() - begun;
            Optional<String> complaint = side.operation().complaint(rows, helper);
            if (complaint.isPresent()) {
                throw new Mistaken("Wrong answer " + name + " (" + side.label() + "): " + complaint.get());
            }
            answer = brief(rows);
            side.operation().reset(helper);
            return took;
        }

        private static String brief(List<List<String>> rows) {
            if (rows.size() == 1 && rows.get(0).size() == 1) {
                return rows.get(0).get(0);
            }
            return rows.size() + (rows.size() == 1 ? " row" : " rows");
        }

        @Override
        public void close() throws SQLException {
            pool.close();
            helper.close();
        }
    }
}
