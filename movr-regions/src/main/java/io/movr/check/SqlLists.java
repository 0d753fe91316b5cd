package io.movr.check;

import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.database.SqlState;
import io.movr.workload.Isolation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lists that are stored as rows of one table, with clients over JDBC. */
final class SqlLists implements ListStore {

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(3);
    private static final Duration PROBE_LIMIT = Duration.ofSeconds(2);
    private static final Duration RECONNECT_PAUSE = Duration.ofMillis(100);

    private final List<Gateway> gateways;
    private final Gateway direct;
    private final Isolation isolation;
    private final long seed;
    private final @Nullable ClientDefect defect;
    private final ConcurrentMap<Long, List<Long>> cache = AppendClient.cache();

    /**
     * @param gateways the gateways that clients are distributed over
     * @param direct a gateway without links that faults affect
     */
    SqlLists(List<Gateway> gateways, Gateway direct, Isolation isolation, long seed, @Nullable ClientDefect defect) {
        this.gateways = gateways;
        this.direct = direct.withLimits(CONNECT_LIMIT, ANSWER_LIMIT);
        this.isolation = isolation;
        this.seed = seed;
        this.defect = defect;
    }

    @Override
    public void prepare() {
        try (Connection connection = direct.connect("movr-check")) {
            AppendClient.createTable(connection);
        } catch (SQLException failed) {
            throw new UserError("Cannot create the table of the lists: " + UserError.firstLine(failed), failed);
        }
    }

    @Override
    public Client client(int number, Duration answerLimit, FailureCounter failures) {
        Gateway gateway = gateways.get(number % gateways.size()).withLimits(CONNECT_LIMIT, answerLimit);
        return new SqlClient(gateway, new AppendClient(isolation, defect, seed + number, cache), failures);
    }

    @Override
    public FinalState readFinalLists(List<Transaction> history) throws InterruptedException {
        long limit = System.nanoTime() + FINAL_READ_LIMIT.toNanos();
        while (true) {
            try (Connection connection = direct.connect("movr-check")) {
                Map<Long, List<Long>> lists = AppendClient.lists(connection);
                return new FinalState(history, lists, List.of());
            } catch (SQLException | UserError failed) {
                if (System.nanoTime() > limit) {
                    throw new UserError("Cannot read the lists at the end: " + UserError.firstLine(failed), failed);
                }
                TimeUnit.NANOSECONDS.sleep(RECONNECT_PAUSE.toNanos());
            }
        }
    }

    @Override
    public List<Probe> probes() {
        return gateways.stream()
                .map(gateway -> gateway.withLimits(PROBE_LIMIT, PROBE_LIMIT))
                .<Probe>map(gateway -> new Probe() {
                    @Override
                    public void write() throws SQLException {
                        try (Connection connection = gateway.connect("movr-check")) {
                            AppendClient.writeProbe(connection);
                        }
                    }

                    @Override
                    public String target() {
                        return gateway.shown();
                    }
                })
                .toList();
    }

    /** A client with its own connection. */
    private static final class SqlClient implements Client {

        private final Gateway gateway;
        private final AppendClient client;
        private final FailureCounter failures;
        private @Nullable Connection connection;

        SqlClient(Gateway gateway, AppendClient client, FailureCounter failures) {
            this.gateway = gateway;
            this.client = client;
            this.failures = failures;
        }

        @Override
        public boolean isReady() {
            if (connection != null) {
                return true;
            }
            try {
                connection = gateway.connect("movr-check-client");
                connection.setAutoCommit(false);
                return true;
            } catch (SQLException | UserError notNow) {
                failures.count("no connection", UserError.firstLine(notNow));
                close();
                return false;
            }
        }

        @Override
        public Result run(List<MicroOp> operations) {
            if (connection == null) {
                throw new IllegalStateException("There is no connection");
            }
            AppendClient.Result result = client.run(connection, operations);
            SQLException failure = result.failure();
            if (failure != null) {
                String state = SqlState.of(failure);
                failures.count(
                        state == null || SqlState.isConnectionLost(state) ? "no answer" : state,
                        UserError.firstLine(failure));
                if (!AppendClient.isRolledBack(failure)) {
                    close();
                }
            }
            return new Result(result.outcome(), result.operations());
        }

        @Override
        public void finish() {}

        @Override
        public void close() {
            if (connection != null) {
                try {
                    connection.close();
                } catch (SQLException gone) {
                    // The failure was counted with the transaction.
                    connection = null;
                }
                connection = null;
            }
        }
    }
}
