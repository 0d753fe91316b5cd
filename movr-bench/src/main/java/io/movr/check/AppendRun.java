package io.movr.check;

import io.movr.UserError;
import io.movr.check.Transaction.Outcome;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import io.movr.workload.Isolation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;

/** Clients that append to lists and read them for a while, and what they saw. */
public final class AppendRun {

    /** So many transactions, with their reads, fit into the memory of a command; a run ends there. */
    public static final int MOST_TRANSACTIONS = 400_000;

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

    /** Shorter than many faults last, so that clients give up and do not know what became of their transaction. */
    private static final Duration ANSWER_LIMIT_UNDER_FAULTS = Duration.ofSeconds(3);

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(3);
    private static final Duration RECONNECT_PAUSE = Duration.ofMillis(100);
    private static final Duration FINAL_READ_LIMIT = Duration.ofMinutes(2);
    private static final Duration TICK = Duration.ofMillis(100);

    /**
     * How clients behave.
     *
     * @param isolation of their transactions
     * @param clients at a time, at least 1, spread over the gateways
     * @param duration at least; a run with faults lasts until all are over
     * @param rate transactions a second of all clients together, 0 for as many as they can
     * @param seed decides what transactions do; not in which order they meet
     * @param broken a mistake that they make, {@code null} for none
     */
    public record Settings(
            Isolation isolation,
            int clients,
            Duration duration,
            double rate,
            AppendGenerator.Shape shape,
            long seed,
            @Nullable Breakage broken) {}

    /**
     * What was seen.
     *
     * @param history by begin, indexes from 0
     * @param lists at the end, by key
     * @param seconds that the clients ran
     * @param failures transactions that did not commit, by SQLSTATE, or {@code no answer}; and attempts to connect that failed,
     *     as {@code no connection}
     * @param end why it ended early; empty if it did not
     */
    public record Seen(
            List<Transaction> history,
            Map<Long, List<Long>> lists,
            double seconds,
            Map<String, Long> failures,
            String end) {

        /** The history with the lists at the end as what one more transaction read, so that others can judge it too. */
        public List<Transaction> historyWithLists() {
            long last = history.stream().mapToLong(Transaction::end).max().orElse(0);
            int process = history.stream().mapToInt(Transaction::process).max().orElse(0) + 1;
            List<MicroOp> reads = lists.entrySet().stream()
                    .map(list -> MicroOp.read(list.getKey(), list.getValue()))
                    .toList();
            List<Transaction> all = new ArrayList<>(history);
            all.add(new Transaction(history.size(), process, Outcome.OK, reads, last + 1, last + 2));
            return all;
        }

        /** A quantile of the time that committed transactions took, in milliseconds; 0 if there were none. */
        public double quantileMs(double quantile) {
            Histogram nanos = new Histogram(3);
            history.stream()
                    .filter(one -> one.outcome() == Outcome.OK)
                    .forEach(one -> nanos.recordValue(one.end() - one.begin()));
            return nanos.getTotalCount() == 0 ? 0 : nanos.getValueAtPercentile(quantile * 100) / 1e6;
        }

        /** Appends of committed transactions. */
        public long acknowledgedAppends() {
            return history.stream()
                    .filter(one -> one.outcome() == Outcome.OK)
                    .flatMap(one -> one.operations().stream())
                    .filter(operation -> operation.kind() == MicroOp.Kind.APPEND)
                    .count();
        }
    }

    /** Hears how a run gets on, a tenth of a second apart. */
    public interface Listener {

        /** Counts since the begin. */
        void ran(double seconds, long ok, long failed, long unknown);
    }

    private final List<Gateway> gateways;
    private final Gateway direct;
    private final Settings settings;
    private final AppendGenerator generator;
    private final ConcurrentMap<Long, List<Long>> cache = AppendClient.cache();
    private final AtomicInteger count = new AtomicInteger();
    private final Map<Outcome, AtomicLong> outcomes =
            Map.of(Outcome.OK, new AtomicLong(), Outcome.FAIL, new AtomicLong(), Outcome.INFO, new AtomicLong());
    private final Map<String, Long> failures = new TreeMap<>();
    private final AtomicReference<@Nullable Throwable> defect = new AtomicReference<>();
    private volatile String lastFailure = "no client could begin one";
    private volatile boolean over;
    private volatile boolean stopped;
    private long begin;

    /**
     * A run that has not begun.
     *
     * @param gateways that clients connect to, in turn
     * @param direct the database, reached without any link that faults cut
     */
    public AppendRun(List<Gateway> gateways, Gateway direct, Settings settings) {
        this.gateways = gateways;
        this.direct = bounded(direct, ANSWER_LIMIT);
        this.settings = settings;
        this.generator = new AppendGenerator(settings.shape(), settings.seed());
    }

    private static Gateway bounded(Gateway gateway, Duration answerLimit) {
        return gateway.with(PGProperty.SOCKET_TIMEOUT, Long.toString(answerLimit.toSeconds()))
                .with(PGProperty.CONNECT_TIMEOUT, Long.toString(CONNECT_LIMIT.toSeconds()))
                .with(PGProperty.LOGIN_TIMEOUT, Long.toString(CONNECT_LIMIT.toSeconds()));
    }

    /**
     * What the server promises at the isolation level of this run: it may run transactions at a higher one than they ask
     * for.
     *
     * @throws UserError if it cannot be asked, or does not have the level
     */
    public Level level() {
        return level(direct, settings.isolation());
    }

    /** What a server promises at an isolation level. */
    static Level level(Gateway gateway, Isolation isolation) {
        try (Connection connection = gateway.connect("movr-check")) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(isolation.jdbc());
            return levelOf(Isolation.named(Rows.one(connection, "SHOW transaction_isolation")));
        } catch (SQLException failed) {
            throw new UserError("Cannot ask for the isolation level: " + UserError.firstLine(failed), failed);
        }
    }

    /** What PostgreSQL, and CockroachDB where it has the level, promise at an isolation level. */
    public static Level levelOf(Isolation isolation) {
        return switch (isolation) {
            case READ_COMMITTED -> Level.READ_COMMITTED;
            case REPEATABLE_READ -> Level.SNAPSHOT;
            case SERIALIZABLE -> Level.SERIALIZABLE;
        };
    }

    /** Ends the run soon; it is judged by what there is. */
    public void stop() {
        stopped = true;
    }

    /**
     * Makes the table, runs the clients, and reads the lists at the end.
     *
     * @param faults that are made meanwhile, {@code null} for none
     * @throws UserError if the database cannot be reached at the begin or at the end, does not come back after a fault, or
     *     has committed nothing; if a client never had a connection
     */
    public Seen run(@Nullable Nemesis faults, Listener listener) throws InterruptedException {
        try (Connection connection = direct.connect("movr-check")) {
            AppendClient.createTable(connection);
        } catch (SQLException failed) {
            throw new UserError("Cannot make the table of the lists: " + UserError.firstLine(failed), failed);
        }
        begin = System.nanoTime();
        List<Client> clients = new ArrayList<>();
        for (int number = 0; number < settings.clients(); number++) {
            Gateway gateway = gateways.get(number % gateways.size());
            clients.add(
                    new Client(number, bounded(gateway, faults == null ? ANSWER_LIMIT : ANSWER_LIMIT_UNDER_FAULTS)));
        }
        clients.forEach(Thread::start);
        double seconds;
        try {
            if (faults != null) {
                faults.start();
            }
            await(faults, listener);
        } finally {
            over = true;
            if (faults != null) {
                faults.end();
            }
            seconds = (System.nanoTime() - begin) / 1e9;
            for (Client client : clients) {
                client.join();
            }
        }
        if (faults != null) {
            faults.rethrow();
        }
        Throwable early = defect.get();
        if (early != null) {
            throw new IllegalStateException("A client has ended early", early);
        }
        if (counted(Outcome.OK) == 0) {
            throw new UserError("No transaction was committed: " + lastFailure);
        }
        long without = clients.stream().filter(client -> client.seen.isEmpty()).count();
        if (without > 0 && !stopped) {
            throw new UserError(without + " of " + clients.size() + " clients never ran a transaction: " + lastFailure);
        }
        return new Seen(history(clients), finalLists(), seconds, failures, end(faults));
    }

    private String end(@Nullable Nemesis faults) {
        if (stopped) {
            return "it was stopped";
        }
        if (count.get() >= MOST_TRANSACTIONS) {
            return "its " + MOST_TRANSACTIONS + " transactions fill the memory, after "
                    + (faults == null ? "a part of the time" : faults.made().size() + " faults") + ": give --rate";
        }
        return "";
    }

    private void await(@Nullable Nemesis faults, Listener listener) throws InterruptedException {
        while (!stopped && count.get() < MOST_TRANSACTIONS) {
            double seconds = (System.nanoTime() - begin) / 1e9;
            listener.ran(seconds, counted(Outcome.OK), counted(Outcome.FAIL), counted(Outcome.INFO));
            if (seconds >= settings.duration().toNanos() / 1e9 && (faults == null || faults.isOver())) {
                return;
            }
            TimeUnit.NANOSECONDS.sleep(TICK.toNanos());
        }
    }

    private long counted(Outcome outcome) {
        return outcomes.getOrDefault(outcome, new AtomicLong()).get();
    }

    private static List<Transaction> history(List<Client> clients) {
        List<Transaction> all = new ArrayList<>();
        clients.forEach(client -> all.addAll(client.seen));
        all.sort(Comparator.comparingLong(Transaction::begin));
        for (int index = 0; index < all.size(); index++) {
            Transaction one = all.get(index);
            all.set(
                    index,
                    new Transaction(index, one.process(), one.outcome(), one.operations(), one.begin(), one.end()));
        }
        return all;
    }

    private Map<Long, List<Long>> finalLists() throws InterruptedException {
        long limit = System.nanoTime() + FINAL_READ_LIMIT.toNanos();
        while (true) {
            try (Connection connection = direct.connect("movr-check")) {
                return AppendClient.lists(connection);
            } catch (SQLException | UserError failed) {
                if (System.nanoTime() > limit) {
                    throw new UserError("Cannot read the lists at the end: " + UserError.firstLine(failed), failed);
                }
                TimeUnit.NANOSECONDS.sleep(RECONNECT_PAUSE.toNanos());
            }
        }
    }

    private synchronized void failed(@Nullable SQLException failure) {
        if (failure != null) {
            lastFailure = UserError.firstLine(failure);
            String state = SqlState.of(failure);
            failures.merge(state == null || SqlState.isConnectionLost(state) ? "no answer" : state, 1L, Long::sum);
        }
    }

    private synchronized void noConnection() {
        failures.merge("no connection", 1L, Long::sum);
    }

    /** One of them, with a connection of its own. */
    private final class Client extends Thread {

        private final Gateway gateway;
        private final AppendClient client;
        private final List<Transaction> seen = new ArrayList<>();
        private int process;

        Client(int number, Gateway gateway) {
            super("check-client-" + number);
            setDaemon(true);
            this.process = number;
            this.gateway = gateway;
            this.client = new AppendClient(settings.broken(), settings.seed() + number, cache);
        }

        @Override
        public void run() {
            Connection connection = null;
            try {
                while (!over) {
                    connection = usable(connection);
                    if (connection == null) {
                        TimeUnit.NANOSECONDS.sleep(RECONNECT_PAUSE.toNanos());
                        continue;
                    }
                    int number = count.getAndIncrement();
                    if (!due(number)) {
                        return;
                    }
                    connection = transaction(connection);
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error failed) {
                defect.compareAndSet(null, failed);
                AppendRun.this.stop();
            } finally {
                close(connection);
            }
        }

        /** Waits until a transaction is due; false if that is after the end. */
        private boolean due(int number) throws InterruptedException {
            if (settings.rate() <= 0) {
                return true;
            }
            long due = begin + (long) (number / settings.rate() * 1e9);
            while (!over && System.nanoTime() < due) {
                TimeUnit.NANOSECONDS.sleep(Math.min(TICK.toNanos(), Math.max(1, due - System.nanoTime())));
            }
            return !over;
        }

        private @Nullable Connection transaction(Connection connection) {
            List<MicroOp> operations = generator.next();
            long from = System.nanoTime() - begin;
            AppendClient.Result result = client.run(connection, operations);
            long to = System.nanoTime() - begin;
            // The index is given when all are put in order.
            seen.add(new Transaction(0, process, result.outcome(), result.operations(), from, to));
            outcomes.getOrDefault(result.outcome(), new AtomicLong()).incrementAndGet();
            failed(result.failure());
            if (result.outcome() == Outcome.INFO) {
                // It may still be under way: who goes on is another process.
                process += settings.clients();
            }
            if (result.failure() != null && !AppendClient.isRefused(result.failure())) {
                close(connection);
                return null;
            }
            return connection;
        }

        private @Nullable Connection usable(@Nullable Connection connection) {
            if (connection != null) {
                return connection;
            }
            Connection fresh = null;
            try {
                fresh = gateway.connect("movr-check-client");
                fresh.setAutoCommit(false);
                fresh.setTransactionIsolation(settings.isolation().jdbc());
                return fresh;
            } catch (SQLException | UserError notNow) {
                lastFailure = UserError.firstLine(notNow);
                noConnection();
                close(fresh);
                return null;
            }
        }

        private void close(@Nullable Connection connection) {
            if (connection != null) {
                try {
                    connection.close();
                } catch (SQLException gone) {
                    failed(null);
                }
            }
        }
    }
}
