package io.movr.check;

import io.movr.UserError;
import io.movr.check.Transaction.Outcome;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.workload.Isolation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A run of concurrent clients that append to lists and read them, and record a history. */
final class AppendRun {

    /** The number of transactions after which a run ends, because the history is kept in memory. */
    public static final int MAX_TRANSACTIONS = 400_000;

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

    /** Shorter than many faults last, so that clients time out and leave transactions of unknown outcome. */
    private static final Duration ANSWER_LIMIT_UNDER_FAULTS = Duration.ofSeconds(3);

    private static final Duration RECONNECT_PAUSE = Duration.ofMillis(100);
    private static final Duration TICK = Duration.ofMillis(100);

    /**
     * The settings of the clients.
     *
     * @param isolation the isolation level of their transactions
     * @param clients the number of concurrent clients, at least 1, distributed over the gateways
     * @param duration the minimum duration; a run with faults lasts until the last fault is undone
     * @param rate transactions per second of all clients together; 0 for no limit
     * @param seed determines the operations of the transactions, but not how they interleave
     * @param defect a deliberate defect of the clients; {@code null} for none
     */
    public record Settings(
            Isolation isolation,
            int clients,
            Duration duration,
            double rate,
            AppendGenerator.Shape shape,
            long seed,
            @Nullable ClientDefect defect) {}

    /**
     * The history of a run and the final state of the lists.
     *
     * @param history the transactions in the order of their begins, with indexes from 0
     * @param lists the final lists by key
     * @param seconds the duration of the run
     * @param failures the number of failed transactions by SQLSTATE or {@code no answer}, and of failed attempts to
     *     connect as {@code no connection}
     * @param violations violations of rules that the history does not contain, a sentence each
     * @param stopReason the reason why the run ended early; empty if it did not
     */
    public record RecordedHistory(
            List<Transaction> history,
            Map<Long, List<Long>> lists,
            double seconds,
            Map<String, Long> failures,
            List<String> violations,
            String stopReason) {

        /**
         * Returns the history with a read of each final list added as a transaction, so that other checkers can use
         * it.
         */
        public List<Transaction> historyWithLists() {
            long end = history.stream().mapToLong(Transaction::end).max().orElse(0);
            int process = history.stream().mapToInt(Transaction::process).max().orElse(0) + 1;
            List<Transaction> all = new ArrayList<>(history);
            for (Map.Entry<Long, List<Long>> list : lists.entrySet()) {
                MicroOp read = MicroOp.read(list.getKey(), list.getValue());
                all.add(new Transaction(all.size(), process, Outcome.OK, List.of(read), end + 1, end + 2));
                end += 2;
            }
            return all;
        }

        /** Returns the latencies of committed transactions in nanoseconds. */
        public Histogram latencies() {
            Histogram nanos = new Histogram(3);
            history.stream()
                    .filter(one -> one.outcome() == Outcome.OK)
                    .forEach(one -> nanos.recordValue(one.end() - one.begin()));
            return nanos;
        }

        /** Returns the number of appends of committed transactions. */
        public long acknowledgedAppends() {
            return history.stream()
                    .filter(one -> one.outcome() == Outcome.OK)
                    .flatMap(one -> one.operations().stream())
                    .filter(operation -> operation.kind() == MicroOp.Kind.APPEND)
                    .count();
        }
    }

    /** Receives the progress of a run every 100 ms. */
    public interface Listener {

        /** Reports the numbers of transactions by outcome since the start of the run. */
        void progress(double seconds, long ok, long failed, long unknown);
    }

    private final ListStore store;
    private final Settings settings;
    private final AppendGenerator generator;
    private final AtomicInteger transactionCount = new AtomicInteger();
    private final Map<Outcome, AtomicLong> outcomes =
            Map.of(Outcome.OK, new AtomicLong(), Outcome.FAIL, new AtomicLong(), Outcome.INFO, new AtomicLong());
    private final Map<String, Long> failures = new TreeMap<>();
    private final AtomicReference<@Nullable Throwable> clientFailure = new AtomicReference<>();
    private volatile String lastFailure = "no client could begin one";
    private volatile boolean ended;
    private volatile boolean stopped;
    private long begin;

    /** Creates a run that has not started. */
    public AppendRun(ListStore store, Settings settings) {
        this.store = store;
        this.settings = settings;
        this.generator = new AppendGenerator(settings.shape(), settings.seed());
    }

    /**
     * Creates a run on lists that are rows of one table.
     *
     * @param gateways the gateways that clients are distributed over
     * @param direct a gateway without links that faults affect
     */
    public AppendRun(List<Gateway> gateways, Gateway direct, Settings settings) {
        this(new SqlLists(gateways, direct, settings.isolation(), settings.seed(), settings.defect()), settings);
    }

    /** Returns the probes that must succeed after each fault. */
    public List<ListStore.Probe> probes() {
        return store.probes();
    }

    /**
     * Returns the level that a server guarantees: it may run transactions at a higher level than requested.
     *
     * @throws UserError if the level cannot be read, or the server does not have it
     */
    public static Level readLevel(Gateway gateway, Isolation isolation) {
        try (Connection connection = gateway.connect("movr-check")) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(isolation.jdbc());
            return levelOf(Isolation.named(Rows.one(connection, "SHOW transaction_isolation")));
        } catch (SQLException failed) {
            throw new UserError("Cannot read the isolation level: " + UserError.firstLine(failed), failed);
        }
    }

    /** Returns the guarantee of PostgreSQL, and of CockroachDB where it has the level, at an isolation level. */
    public static Level levelOf(Isolation isolation) {
        return switch (isolation) {
            case READ_COMMITTED -> Level.READ_COMMITTED;
            case REPEATABLE_READ -> Level.SNAPSHOT;
            case SERIALIZABLE -> Level.SERIALIZABLE;
        };
    }

    /** Ends the run early. The history until then is checked. */
    public void stop() {
        stopped = true;
    }

    /**
     * Creates the lists, runs the clients, and reads the final lists.
     *
     * @param faults injects faults during the run; {@code null} for none
     * @throws UserError if the database cannot be reached at the start or at the end, does not recover after a fault,
     *     or committed nothing, or if a client never connected
     */
    public RecordedHistory run(@Nullable Nemesis faults, Listener listener) throws InterruptedException {
        store.prepare();
        begin = System.nanoTime();
        List<Client> clients = new ArrayList<>();
        Duration answerLimit = faults == null ? ANSWER_LIMIT : ANSWER_LIMIT_UNDER_FAULTS;
        for (int number = 0; number < settings.clients(); number++) {
            clients.add(new Client(number, store.client(number, answerLimit, this::count)));
        }
        clients.forEach(Thread::start);
        double seconds;
        try {
            if (faults != null) {
                faults.start();
            }
            await(faults, listener);
        } finally {
            ended = true;
            if (faults != null) {
                faults.stop();
            }
            seconds = (System.nanoTime() - begin) / 1e9;
            clients.forEach(client -> client.client.finish());
            for (Client client : clients) {
                client.join();
            }
        }
        if (faults != null) {
            faults.rethrowFailure();
        }
        Throwable early = clientFailure.get();
        if (early != null) {
            throw new IllegalStateException("A client has ended early", early);
        }
        if (outcomeCount(Outcome.OK) == 0) {
            throw new UserError("No transaction was committed: " + lastFailure);
        }
        long idleClients =
                clients.stream().filter(client -> client.transactions.isEmpty()).count();
        if (idleClients > 0 && !stopped) {
            throw new UserError(
                    idleClients + " of " + clients.size() + " clients never ran a transaction: " + lastFailure);
        }
        ListStore.FinalState finalState = store.readFinalLists(history(clients));
        return new RecordedHistory(
                finalState.history(),
                finalState.lists(),
                seconds,
                failures(),
                finalState.violations(),
                stopReason(faults));
    }

    private String stopReason(@Nullable Nemesis faults) {
        if (stopped) {
            return "it was stopped";
        }
        if (transactionCount.get() >= MAX_TRANSACTIONS) {
            return "its " + MAX_TRANSACTIONS + " transactions fill the memory, after "
                    + (faults == null ? "a part of the time" : faults.injected().size() + " faults") + ": give --rate";
        }
        return "";
    }

    private void await(@Nullable Nemesis faults, Listener listener) throws InterruptedException {
        while (!stopped && transactionCount.get() < MAX_TRANSACTIONS) {
            double seconds = (System.nanoTime() - begin) / 1e9;
            listener.progress(
                    seconds, outcomeCount(Outcome.OK), outcomeCount(Outcome.FAIL), outcomeCount(Outcome.INFO));
            if (seconds >= settings.duration().toNanos() / 1e9 && (faults == null || faults.isOver())) {
                return;
            }
            TimeUnit.NANOSECONDS.sleep(TICK.toNanos());
        }
    }

    private long outcomeCount(Outcome outcome) {
        return Objects.requireNonNull(outcomes.get(outcome)).get();
    }

    private static List<Transaction> history(List<Client> clients) {
        List<Transaction> all = new ArrayList<>();
        clients.forEach(client -> all.addAll(client.transactions));
        all.sort(Comparator.comparingLong(Transaction::begin));
        for (int index = 0; index < all.size(); index++) {
            Transaction one = all.get(index);
            all.set(
                    index,
                    new Transaction(index, one.process(), one.outcome(), one.operations(), one.begin(), one.end()));
        }
        return all;
    }

    private synchronized Map<String, Long> failures() {
        return new TreeMap<>(failures);
    }

    private synchronized void count(String cause, String message) {
        lastFailure = message;
        failures.merge(cause, 1L, Long::sum);
    }

    /** A client with its thread. */
    private final class Client extends Thread {

        private final ListStore.Client client;
        private final List<Transaction> transactions = new ArrayList<>();
        private int process;

        Client(int number, ListStore.Client client) {
            super("check-client-" + number);
            setDaemon(true);
            this.process = number;
            this.client = client;
        }

        @Override
        public void run() {
            try (client) {
                while (!ended) {
                    if (!client.isReady()) {
                        TimeUnit.NANOSECONDS.sleep(RECONNECT_PAUSE.toNanos());
                        continue;
                    }
                    int number = transactionCount.getAndIncrement();
                    if (!awaitDue(number)) {
                        return;
                    }
                    transaction();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error failed) {
                clientFailure.compareAndSet(null, failed);
                AppendRun.this.stop();
            }
        }

        /** Waits until a transaction is due, and returns false if the run ends first. */
        private boolean awaitDue(int number) throws InterruptedException {
            if (settings.rate() <= 0) {
                return true;
            }
            long due = begin + (long) (number / settings.rate() * 1e9);
            while (!ended && System.nanoTime() < due) {
                TimeUnit.NANOSECONDS.sleep(Math.min(TICK.toNanos(), Math.max(1, due - System.nanoTime())));
            }
            return !ended;
        }

        private void transaction() throws InterruptedException {
            List<MicroOp> operations = generator.next();
            long from = System.nanoTime() - begin;
            ListStore.Result result = client.run(operations);
            long to = System.nanoTime() - begin;
            // The index is assigned when the transactions of all clients are sorted.
            transactions.add(new Transaction(0, process, result.outcome(), result.operations(), from, to));
            Objects.requireNonNull(outcomes.get(result.outcome())).incrementAndGet();
            if (result.outcome() == Outcome.INFO) {
                // The transaction may still run, so the client continues as another process of the history.
                process += settings.clients();
            }
        }
    }
}
