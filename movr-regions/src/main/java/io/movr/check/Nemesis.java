package io.movr.check;

import io.movr.UserError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes the faults of a schedule, one after the other, and undoes each. */
final class Nemesis {

    private static final Duration SHORTEST = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(4);
    /** Of what a client or another node only notices by waiting. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(12);

    private static final Duration RECOVERY_LIMIT = Duration.ofMinutes(3);
    private static final Duration UNDO_LIMIT = Duration.ofSeconds(20);
    private static final Duration PROBE_PAUSE = Duration.ofMillis(50);

    /** How a fault is made and undone. */
    public interface Action {

        /** Breaks something. */
        void begin() throws Exception;

        /** Undoes it; also if {@link #begin} has failed. */
        void end() throws Exception;
    }

    /**
     * A fault that was made.
     *
     * @param at seconds from the begin of the run
     * @param recoverySeconds from when it began to be undone until every gateway could write again
     */
    public record Made(Fault fault, double at, double recoverySeconds) {}

    private final List<Fault> schedule;
    private final Map<Fault.Kind, Map<String, Action>> actions;
    private final List<ListStore.Probe> probes;
    private final Consumer<Made> listener;
    private final List<Made> made = new ArrayList<>();
    private final Thread thread = new Thread(this::make, "nemesis");
    /** Held while a fault is undone, which must not be interrupted. */
    private final ReentrantLock undoing = new ReentrantLock();

    private long begin;
    private volatile boolean ended;
    private volatile @Nullable RuntimeException failure;

    /**
     * Makes nothing yet.
     *
     * @param actions by kind and target, one for each fault of the schedule at least
     * @param probes that must write again after each fault
     * @param listener told of each fault when it is over
     */
    public Nemesis(
            List<Fault> schedule,
            Map<Fault.Kind, Map<String, Action>> actions,
            List<ListStore.Probe> probes,
            Consumer<Made> listener) {
        this.schedule = schedule;
        this.actions = actions;
        this.probes = probes;
        this.listener = listener;
        thread.setDaemon(true);
    }

    /**
     * Draws a schedule: each kind is as likely as any other, and each of its targets too.
     *
     * @param targets of each kind that can be done; kinds without any are not drawn
     * @return the same for the same seed and targets
     */
    public static List<Fault> schedule(long seed, int count, Map<Fault.Kind, ? extends Map<String, ?>> targets) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Fault.Kind> kinds = new TreeMap<>(targets)
                .entrySet().stream()
                        .filter(kind -> !kind.getValue().isEmpty())
                        .map(Map.Entry::getKey)
                        .toList();
        List<Fault> faults = new ArrayList<>();
        while (faults.size() < count && !kinds.isEmpty()) {
            Fault.Kind kind = kinds.get(random.nextInt(kinds.size()));
            List<String> names =
                    new ArrayList<>(Objects.requireNonNull(targets.get(kind)).keySet());
            faults.add(new Fault(
                    kind,
                    names.get(random.nextInt(names.size())),
                    between(random, SHORTEST, LONGEST),
                    between(random, SHORTEST, kind.isSilent() ? LONGEST_SILENCE : LONGEST)));
        }
        return faults;
    }

    private static Duration between(SplittableRandom random, Duration least, Duration most) {
        return Duration.ofMillis(random.nextLong(least.toMillis(), most.toMillis()));
    }

    void start() {
        begin = System.nanoTime();
        thread.start();
    }

    boolean isOver() {
        return !thread.isAlive();
    }

    /** The faults that were made so far. */
    public synchronized List<Made> made() {
        return List.copyOf(made);
    }

    /** Throws what ended it early, if anything did. */
    void rethrow() {
        RuntimeException early = failure;
        if (early != null) {
            throw early;
        }
    }

    private void make() {
        for (Fault fault : schedule) {
            try {
                TimeUnit.NANOSECONDS.sleep(fault.pause().toNanos());
                make(fault);
            } catch (InterruptedException stopped) {
                return;
            } catch (Exception | Error failed) {
                if (!ended) {
                    failure = failed instanceof UserError refusal
                            ? refusal
                            : new UserError("The fault '" + fault + "' failed: " + UserError.firstLine(failed), failed);
                }
                return;
            }
        }
    }

    private void make(Fault fault) throws Exception {
        Action action = Objects.requireNonNull(
                Objects.requireNonNull(actions.get(fault.kind())).get(fault.target()));
        double at = seconds();
        double undone;
        try {
            action.begin();
            TimeUnit.NANOSECONDS.sleep(fault.length().toNanos());
        } finally {
            undoing.lock();
            try {
                boolean interrupted = Thread.interrupted();
                undone = seconds();
                action.end();
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            } finally {
                undoing.unlock();
            }
        }
        for (ListStore.Probe probe : probes) {
            awaitWrite(fault, probe);
        }
        Made one = new Made(fault, at, seconds() - undone);
        synchronized (this) {
            made.add(one);
        }
        listener.accept(one);
    }

    private double seconds() {
        return (System.nanoTime() - begin) / 1e9;
    }

    private static void awaitWrite(Fault fault, ListStore.Probe probe) throws InterruptedException {
        long limit = System.nanoTime() + RECOVERY_LIMIT.toNanos();
        while (true) {
            try {
                probe.write();
                return;
            } catch (InterruptedException stopped) {
                throw stopped;
            } catch (Exception notYet) {
                if (System.nanoTime() > limit) {
                    throw new UserError(
                            "Three minutes after the fault '" + fault + "' was undone, " + probe.shown()
                                    + " still does not write: " + UserError.firstLine(notYet),
                            notYet);
                }
                TimeUnit.NANOSECONDS.sleep(PROBE_PAUSE.toNanos());
            }
        }
    }

    /**
     * Undoes the fault that is being made, and makes no more. It does not wait for ever: a change of a schema may take long, and
     * its table goes anyway.
     */
    void end() throws InterruptedException {
        ended = true;
        if (undoing.tryLock(UNDO_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            try {
                thread.interrupt();
            } finally {
                undoing.unlock();
            }
        }
        thread.join(UNDO_LIMIT.toMillis());
    }
}
