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

/** The injection of scheduled faults during a run, one after the other. */
final class Nemesis {

    private static final Duration MIN_DURATION = Duration.ofMillis(500);
    private static final Duration MAX_DURATION = Duration.ofSeconds(4);
    /** The maximum duration of faults that clients and nodes notice only by a timeout. */
    private static final Duration MAX_SILENT_DURATION = Duration.ofSeconds(12);

    private static final Duration RECOVERY_LIMIT = Duration.ofMinutes(3);
    private static final Duration UNDO_LIMIT = Duration.ofSeconds(20);
    private static final Duration PROBE_PAUSE = Duration.ofMillis(50);

    /** The injection of a fault, and how it is undone. */
    public interface Action {

        /** Injects the fault. */
        void inject() throws Exception;

        /** Undoes the fault, also if {@link #inject} failed. */
        void undo() throws Exception;
    }

    /**
     * A fault that was injected and undone.
     *
     * @param at seconds since the start of the run
     * @param recoverySeconds the time from the start of the undo until every probe succeeded
     */
    public record InjectedFault(Fault fault, double at, double recoverySeconds) {}

    private final List<Fault> schedule;
    private final Map<Fault.Kind, Map<String, Action>> actions;
    private final List<ListStore.Probe> probes;
    private final Consumer<InjectedFault> listener;
    private final List<InjectedFault> injected = new ArrayList<>();
    private final Thread thread = new Thread(this::injectAll, "nemesis");
    /** Held while a fault is undone, because the undo must not be interrupted. */
    private final ReentrantLock undoing = new ReentrantLock();

    private long begin;
    private volatile boolean ended;
    private volatile @Nullable RuntimeException failure;

    /**
     * Creates a nemesis that has not started.
     *
     * @param actions the actions by kind and target, at least for the faults of the schedule
     * @param probes the probes that must succeed after each fault
     * @param listener receives each fault after the recovery
     */
    public Nemesis(
            List<Fault> schedule,
            Map<Fault.Kind, Map<String, Action>> actions,
            List<ListStore.Probe> probes,
            Consumer<InjectedFault> listener) {
        this.schedule = schedule;
        this.actions = actions;
        this.probes = probes;
        this.listener = listener;
        thread.setDaemon(true);
    }

    /**
     * Returns a random schedule in which all kinds, and all targets of a kind, have the same probability.
     *
     * @param targets the targets of each possible kind; kinds without targets are not used
     * @return the same schedule for the same seed and targets
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
                    between(random, MIN_DURATION, MAX_DURATION),
                    between(random, MIN_DURATION, kind.isSilent() ? MAX_SILENT_DURATION : MAX_DURATION)));
        }
        return faults;
    }

    private static Duration between(SplittableRandom random, Duration min, Duration max) {
        return Duration.ofMillis(random.nextLong(min.toMillis(), max.toMillis()));
    }

    void start() {
        begin = System.nanoTime();
        thread.start();
    }

    boolean isOver() {
        return !thread.isAlive();
    }

    /** Returns the faults injected so far. */
    public synchronized List<InjectedFault> injected() {
        return List.copyOf(injected);
    }

    /** Throws the failure that ended the injection, if there is one. */
    void rethrowFailure() {
        RuntimeException early = failure;
        if (early != null) {
            throw early;
        }
    }

    private void injectAll() {
        for (Fault fault : schedule) {
            try {
                TimeUnit.NANOSECONDS.sleep(fault.delay().toNanos());
                inject(fault);
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

    private void inject(Fault fault) throws Exception {
        Action action = Objects.requireNonNull(
                Objects.requireNonNull(actions.get(fault.kind())).get(fault.target()));
        double at = seconds();
        double undoStarted;
        try {
            action.inject();
            TimeUnit.NANOSECONDS.sleep(fault.duration().toNanos());
        } finally {
            undoing.lock();
            try {
                boolean interrupted = Thread.interrupted();
                undoStarted = seconds();
                action.undo();
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
        InjectedFault injectedFault = new InjectedFault(fault, at, seconds() - undoStarted);
        synchronized (this) {
            injected.add(injectedFault);
        }
        listener.accept(injectedFault);
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
                            "Three minutes after the fault '" + fault + "' was undone, " + probe.target()
                                    + " still refuses writes: " + UserError.firstLine(notYet),
                            notYet);
                }
                TimeUnit.NANOSECONDS.sleep(PROBE_PAUSE.toNanos());
            }
        }
    }

    /**
     * Undoes the current fault, and ends the injection. The wait is limited, because a schema change may take long,
     * and its table is dropped anyway.
     */
    void stop() throws InterruptedException {
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
