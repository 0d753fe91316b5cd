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

/** Clients that append to lists and read them for a while, and what they saw. */
final class AppendRun {

    /** So many transactions, with their reads, fit into the memory of a command; a run ends there. */
    public static final int MOST_TRANSACTIONS = 400_000;

    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);

    /** Shorter than many faults last, so that clients give up and do not know what became of their transaction. */
    private static final Duration ANSWER_LIMIT_UNDER_FAULTS = Duration.ofSeconds(3);

    private static final Duration RECONNECT_PAUSE = Duration.ofMillis(100);
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
     * @param violations of rules that a history does not show, a sentence each
     * @param end why it ended early; empty if it did not
     */
    public record Seen(
            List<Transaction> history,
            Map<Long, List<Long>> lists,
            double seconds,
            Map<String, Long> failures,
            List<String> violations,
            String end) {

        /** The history, and each list at the end as what a transaction of its own read, so that others can judge it too. */
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

        /** How long committed transactions took, in nanoseconds. */
        public Histogram latencies() {
            Histogram nanos = new Histogram(3);
            history.stream()
                    .filter(one -> one.outcome() == Outcome.OK)
                    .forEach(one -> nanos.recordValue(one.end() - one.begin()));
            return nanos;
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

    private final ListStore store;
    private final Settings settings;
    private final AppendGenerator generator;
    private final AtomicInteger count = new AtomicInteger();
    private final Map<Outcome, AtomicLong> outcomes =
            Map.of(Outcome.OK, new AtomicLong(), Outcome.FAIL, new AtomicLong(), Outcome.INFO, new AtomicLong());
    private final Map<String, Long> failures = new TreeMap<>();
    private final AtomicReference<@Nullable Throwable> defect = new AtomicReference<>();
    private volatile String lastFailure = "no client could begin one";
    private volatile boolean over;
    private volatile boolean stopped;
    private long begin;

    /** A run that has not begun. */
    public AppendRun(ListStore store, Settings settings) {
        this.store = store;
        this.settings = settings;
        this.generator = new AppendGenerator(settings.shape(), settings.seed());
    }

    /**
     * A run on lists that are rows of one table.
     *
     * @param gateways that clients connect to, in turn
     * @param direct the database, reached without any link that faults cut
     */
    public AppendRun(List<Gateway> gateways, Gateway direct, Settings settings) {
        this(new SqlLists(gateways, direct, settings.isolation(), settings.seed(), settings.broken()), settings);
    }

    /** The ways to the lists, each of which must lead to a write again after a fault. */
    public List<ListStore.Probe> probes() {
        return store.probes();
    }

    /**
     * What a server promises at an isolation level: it may run transactions at a higher one than they ask for.
     *
     * @throws UserError if it cannot be asked, or does not have the level
     */
    public static Level level(Gateway gateway, Isolation isolation) {
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
            over = true;
            if (faults != null) {
                faults.end();
            }
            seconds = (System.nanoTime() - begin) / 1e9;
            clients.forEach(client -> client.client.end());
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
        ListStore.Final last = store.last(history(clients));
        return new Seen(last.history(), last.lists(), seconds, failures(), last.violations(), end(faults));
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
        return Objects.requireNonNull(outcomes.get(outcome)).get();
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

    private synchronized Map<String, Long> failures() {
        return new TreeMap<>(failures);
    }

    private synchronized void count(String cause, String message) {
        lastFailure = message;
        failures.merge(cause, 1L, Long::sum);
    }

    /** One of them, as a thread. */
    private final class Client extends Thread {

        private final ListStore.Client client;
        private final List<Transaction> seen = new ArrayList<>();
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
                while (!over) {
                    if (!client.isReady()) {
                        TimeUnit.NANOSECONDS.sleep(RECONNECT_PAUSE.toNanos());
                        continue;
                    }
                    int number = count.getAndIncrement();
                    if (!due(number)) {
                        return;
                    }
                    transaction();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error failed) {
                defect.compareAndSet(null, failed);
                AppendRun.this.stop();
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

        private void transaction() throws InterruptedException {
            List<MicroOp> operations = generator.next();
            long from = System.nanoTime() - begin;
            ListStore.Result result = client.run(operations);
            long to = System.nanoTime() - begin;
            // The index is given when all are put in order.
            seen.add(new Transaction(0, process, result.outcome(), result.operations(), from, to));
            Objects.requireNonNull(outcomes.get(result.outcome())).incrementAndGet();
            if (result.outcome() == Outcome.INFO) {
                // It may still be under way: who goes on is another process.
                process += settings.clients();
            }
        }
    }
}
