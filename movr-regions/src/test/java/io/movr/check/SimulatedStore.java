package io.movr.check;

import io.movr.check.Transaction.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Lists in memory whose transactions satisfy an isolation level by construction, with histories of random transactions. */
final class SimulatedStore {

    enum Isolation {
        /** A transaction takes effect as a whole, at one moment. */
        SERIAL,
        /** A transaction reads the state at its first step, and fails if another transaction has appended to one of its lists. */
        SNAPSHOT,
        /** Every read shows what is committed at that moment; an append locks its list until the transaction ends. */
        READ_COMMITTED
    }

    /** Appends after which a list is replaced by a new one, so that reads stay short. */
    private static final int MAX_ELEMENTS = 40;

    private final Isolation isolation;
    private final Random random;
    private final Map<Long, List<Long>> lists = new HashMap<>();
    private final Map<Long, Long> locks = new HashMap<>();
    private final List<Transaction> history = new ArrayList<>();
    private final long[] keys;
    private long nextKey;
    private long nextElement = 1;
    private long nanos;

    private SimulatedStore(Isolation isolation, Random random, int keys) {
        this.isolation = isolation;
        this.random = random;
        this.keys = new long[keys];
        for (int place = 0; place < keys; place++) {
            this.keys[place] = nextKey++;
        }
    }

    /** A history and its final lists. */
    record Run(List<Transaction> history, Map<Long, List<Long>> finalLists) {}

    static Run run(Isolation isolation, long seed, int transactions, int processes, int keys) {
        SimulatedStore store = new SimulatedStore(isolation, new Random(seed), keys);
        store.run(transactions, processes);
        store.history.sort(Comparator.comparingInt(Transaction::index));
        return new Run(store.history, store.lists);
    }

    private void run(int transactions, int processes) {
        List<Client> clients = new ArrayList<>();
        int begun = 0;
        for (int process = 0; process < processes && begun < transactions; process++) {
            clients.add(new Client(process, begun++));
        }
        while (!clients.isEmpty()) {
            int place = random.nextInt(clients.size());
            nanos += 1 + random.nextInt(100_000);
            Client client = clients.get(place);
            if (client.advance()) {
                if (begun < transactions) {
                    clients.set(place, new Client(client.process, begun++));
                } else {
                    clients.remove(place);
                }
            }
        }
    }

    private long key() {
        int place = random.nextInt(keys.length);
        List<Long> list = lists.get(keys[place]);
        if (list != null && list.size() >= MAX_ELEMENTS) {
            keys[place] = nextKey++;
        }
        return keys[place];
    }

    private List<Long> committed(long key) {
        return lists.computeIfAbsent(key, empty -> new ArrayList<>());
    }

    /** A process in the middle of a transaction. */
    private final class Client {

        final int process;
        private final int index;
        private final long begin;
        private final List<MicroOp> wanted = new ArrayList<>();
        private final List<MicroOp> done = new ArrayList<>();
        private final Map<Long, Integer> snapshot = new HashMap<>();
        private final Map<Long, List<Long>> appended = new HashMap<>();
        private Outcome outcome = Outcome.OK;
        private boolean decided;

        Client(int process, int index) {
            this.process = process;
            this.index = index;
            begin = nanos;
            int steps = 1 + random.nextInt(4);
            for (int step = 0; step < steps; step++) {
                long key = key();
                wanted.add(random.nextBoolean() ? MicroOp.append(key, nextElement++) : MicroOp.read(key, null));
            }
        }

        /** Executes its next step, and returns whether the transaction has ended. */
        boolean advance() {
            if (decided) {
                history.add(new Transaction(index, process, outcome, answers(), begin, nanos));
                return true;
            }
            if (isolation == Isolation.SNAPSHOT && done.isEmpty()) {
                wanted.forEach(
                        step -> snapshot.put(step.key(), committed(step.key()).size()));
            }
            do {
                if (done.size() < wanted.size()) {
                    step(wanted.get(done.size()));
                } else {
                    decide();
                }
            } while (isolation == Isolation.SERIAL && !decided);
            return false;
        }

        private void step(MicroOp step) {
            List<Long> own = appended.computeIfAbsent(step.key(), none -> new ArrayList<>());
            if (step.kind() == MicroOp.Kind.READ) {
                List<Long> now = committed(step.key());
                int visible = isolation == Isolation.SNAPSHOT ? snapshot.getOrDefault(step.key(), 0) : now.size();
                List<Long> read = new ArrayList<>(now.subList(0, visible));
                read.addAll(own);
                done.add(MicroOp.read(step.key(), read));
                return;
            }
            if (isolation == Isolation.READ_COMMITTED
                    && locks.computeIfAbsent(step.key(), free -> (long) index) != index) {
                end(Outcome.FAIL);
                return;
            }
            own.add(step.value());
            done.add(step);
        }

        private void decide() {
            boolean conflict = isolation == Isolation.SNAPSHOT
                    && appended.entrySet().stream()
                            .anyMatch(own -> !own.getValue().isEmpty()
                                    && committed(own.getKey()).size() > snapshot.getOrDefault(own.getKey(), 0));
            if (conflict || random.nextInt(20) == 0) {
                end(Outcome.FAIL);
                return;
            }
            boolean unknown = random.nextInt(50) == 0;
            if (!unknown || random.nextBoolean()) {
                appended.forEach((key, own) -> committed(key).addAll(own));
            }
            end(unknown ? Outcome.INFO : Outcome.OK);
        }

        private void end(Outcome how) {
            outcome = how;
            decided = true;
            locks.values().removeIf(owner -> owner == index);
        }

        private List<MicroOp> answers() {
            if (outcome == Outcome.OK) {
                return done;
            }
            List<MicroOp> answers = new ArrayList<>(done);
            answers.addAll(wanted.subList(done.size(), wanted.size()));
            return answers;
        }
    }

    /** Returns whether a serial order of its committed transactions explains a history, by trying all orders. */
    static boolean isSerializable(List<Transaction> history, Map<Long, List<Long>> finalLists, boolean realTime) {
        Set<Long> present = new HashSet<>();
        finalLists.values().forEach(present::addAll);
        List<Transaction> committed = history.stream()
                .filter(transaction -> transaction.outcome() == Outcome.OK
                        || (transaction.outcome() == Outcome.INFO
                                && transaction.operations().stream().anyMatch(step -> present.contains(step.value()))))
                .toList();
        return explains(committed, new HashSet<>(), new HashMap<>(), finalLists, realTime);
    }

    private static boolean explains(
            List<Transaction> transactions,
            Set<Transaction> done,
            Map<Long, List<Long>> state,
            Map<Long, List<Long>> finalLists,
            boolean realTime) {
        if (done.size() == transactions.size()) {
            return state.equals(finalLists);
        }
        for (Transaction next : transactions) {
            if (done.contains(next)
                    || (realTime
                            && transactions.stream()
                                    .anyMatch(other -> !done.contains(other)
                                            && other.outcome() == Outcome.OK
                                            && other.end() < next.begin()))) {
                continue;
            }
            Map<Long, List<Long>> after = new HashMap<>(state);
            if (agrees(next, after)) {
                Set<Transaction> more = new HashSet<>(done);
                more.add(next);
                if (explains(transactions, more, after, finalLists, realTime)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Runs a transaction, and returns whether its reads have the recorded results. */
    private static boolean agrees(Transaction transaction, Map<Long, List<Long>> state) {
        for (MicroOp step : transaction.operations()) {
            List<Long> list = state.getOrDefault(step.key(), List.of());
            if (step.kind() == MicroOp.Kind.APPEND) {
                List<Long> longer = new ArrayList<>(list);
                longer.add(step.value());
                state.put(step.key(), longer);
            } else if (step.read() != null && !step.read().equals(list)) {
                return false;
            }
        }
        return true;
    }
}
