package io.movr.load;

import io.movr.UserError;
import io.movr.region.Region;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** A run of traffic over all regions, from its preparation to its summary. */
final class Run {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final int MAX_STEPS = 300;

    private final Settings settings;
    private final Cities cities;
    private final Keys keys = new Keys();
    private final Results results = new Results();
    private final LoadWatch watch = new LoadWatch();
    private final ReadWriteLock gate = new ReentrantReadWriteLock();
    private final LongAdder retries = new LongAdder();
    private final LongAdder replays = new LongAdder();
    private final LongAdder arrived = new LongAdder();
    private final Map<String, LedgerEntry> underWay = new ConcurrentHashMap<>();
    private final Map<Region, Arrivals> arrivals = new LinkedHashMap<>();
    private final Map<Region, ArrivalSchedule> schedules = new LinkedHashMap<>();
    private final Duration step;
    private final Timeline timeline;
    private final AtomicInteger regionsLeft;
    private volatile @Nullable RequestLog log;
    private long startedMillis;
    private volatile @Nullable Verdict verdict;
    private volatile boolean endedEarly;

    Run(Settings settings) {
        this.settings = settings;
        this.cities = new Cities(settings.regions());
        Duration length = settings.warmup().plus(settings.duration());
        this.step = Duration.ofSeconds(1 + length.toSeconds() / MAX_STEPS);
        this.timeline = new Timeline(step);
        SplittableRandom random = new SplittableRandom(settings.seed());
        settings.rates().forEach((region, perSecond) -> {
            SplittableRandom own = random.split();
            if (perSecond > 0) {
                ArrivalSchedule schedule = settings.clients() > 0
                        ? ArrivalSchedule.empty(settings.warmup(), settings.duration())
                        : ArrivalSchedule.draw(
                                settings.profile(), perSecond, settings.warmup(), settings.duration(), own);
                schedules.put(region, schedule);
                arrivals.put(
                        region,
                        new Arrivals(
                                region, settings.regions(), settings.mix(), settings.remoteShare(), schedule, own));
            }
        });
        this.regionsLeft = new AtomicInteger(schedules.size());
    }

    Settings settings() {
        return settings;
    }

    /** Returns the arrivals of each region that has any. */
    Map<Region, Arrivals> arrivals() {
        return arrivals;
    }

    /** Returns the length of a step, in whole seconds, during which the riders of the next step are created. */
    Duration step() {
        return step;
    }

    /** Returns how many arrive in a region in each step. */
    int[] countsBySteps(Region region) {
        ArrivalSchedule schedule = schedules.get(region);
        return schedule == null ? new int[0] : schedule.countsBySteps(step);
    }

    /**
     * Opens the folder and reads every city.
     *
     * @throws UserError when the folder or the service cannot be used
     */
    void prepare() {
        startedMillis = System.currentTimeMillis();
        try {
            log = new RequestLog(settings.out(), results);
        } catch (IOException failed) {
            throw new UserError("Cannot write to " + settings.out() + ": " + UserError.firstLine(failed), failed);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(this::abandon, "traffic-abandoned"));
        new Discovery(settings, cities, keys, this).look();
    }

    Timeline timeline() {
        return timeline;
    }

    /** Creates the visit of an arriving rider. */
    Visit visit(Arrival arrival) {
        timeline.begin();
        return new Visit(this, new Rider(arrival, cities, keys), timeline.nanosAt(arrival.offsetMillis()));
    }

    /** Creates the visit of a client's next rider, who is due as soon as the former request has been answered. */
    Visit nextOfClient(Region region) {
        timeline.begin();
        long due = Math.max(System.nanoTime(), timeline.nanosAt(0));
        Arrival arrival = Objects.requireNonNull(arrivals.get(region)).arriving(timeline.offsetMillis(due));
        return new Visit(this, new Rider(arrival, cities, keys), due);
    }

    /** Returns whether the clients continue. */
    boolean isContinuing() {
        return !timeline.hasBegun() || System.nanoTime() < timeline.nanosAt(lengthMillis());
    }

    /** Records that a rider begins. */
    void began(Arrival arrival, long dueNanos, long nowNanos) {
        arrived.increment();
        if (!arrival.warmup()) {
            watch.began(dueNanos, nowNanos);
        }
    }

    /** Records that a write is about to be sent for the first time: from now on it may be done. */
    void sending(LedgerEntry unknown) {
        gate.readLock().lock();
        try {
            underWay.put(unknown.key(), unknown);
        } finally {
            gate.readLock().unlock();
        }
    }

    void retrying() {
        retries.increment();
    }

    /**
     * Records that a write has been acknowledged.
     *
     * @param replayed whether it had been done for an earlier attempt
     */
    void acknowledged(LedgerEntry entry, boolean replayed) {
        if (replayed) {
            replays.increment();
        }
        underWay.remove(entry.key());
        openLog().add(entry);
    }

    /** Records that a write has certainly not been done. */
    void notDone(String key) {
        underWay.remove(key);
    }

    /** Records that a write with an unknown outcome is not retried any more. */
    void givenUp(String key) {
        LedgerEntry entry = underWay.remove(key);
        if (entry != null) {
            openLog().add(entry);
        }
    }

    void ended(RequestRecord request) {
        openLog().add(request);
    }

    /** Records that a region has no more riders; returns whether it was the last region. */
    boolean regionEnded() {
        return regionsLeft.decrementAndGet() == 0;
    }

    /** Closes the files, checks the ledger and writes the summary. */
    void finish() throws IOException {
        watch.end();
        closeLog();
        Verdict reached = Verdict.of(settings, results, ledgerFaults());
        write(summary(reached));
        verdict = reached;
        System.out.println("The run is in " + settings.out());
    }

    private void write(Map<String, Object> summary) throws IOException {
        Files.writeString(settings.out().resolve("summary.json"), JSON.writeValueAsString(summary) + "\n");
    }

    /** Returns the verdict of the run; null if it was not completed. */
    @Nullable
    Verdict verdict() {
        return verdict;
    }

    private List<String> ledgerFaults() {
        try {
            return settings.database().isPresent()
                    ? LedgerCheck.check(
                            settings.database().get(), settings.out().resolve("ledger.csv"))
                    : List.of();
        } catch (UserError | SQLException failed) {
            return List.of("The ledger could not be checked: " + UserError.firstLine(failed));
        }
    }

    private long lengthMillis() {
        return settings.warmup().plus(settings.duration()).toMillis();
    }

    private Map<String, Object> summary(@Nullable Verdict reached) {
        Map<String, Object> summary = new LinkedHashMap<>();
        long now = System.currentTimeMillis();
        summary.put("started", startedMillis);
        summary.put("ended", now);
        summary.put("ended_early", endedEarly);
        if (timeline.hasBegun()) {
            summary.put("steady_started", steadyMillis(settings.warmup().toMillis(), now));
            summary.put("steady_ended", steadyMillis(lengthMillis(), now));
        }
        summary.put("settings", settings.shown());
        summary.put("arrivals", arrived.sum());
        if (settings.clients() == 0) {
            summary.put(
                    "arrivals_planned",
                    schedules.values().stream()
                            .mapToLong(ArrivalSchedule::count)
                            .sum());
        }
        summary.putAll(results.shown());
        summary.put("retries", retries.sum());
        summary.put("replays", replays.sum());
        summary.putAll(watch.shown(results.latencyMillis(50), results.latencyMillis(99)));
        if (reached != null) {
            summary.put("assertions", reached.shown());
        }
        return summary;
    }

    /** Returns the time of that moment of the schedule, or the current time if it is in the future. */
    private long steadyMillis(long offsetMillis, long now) {
        return Math.min(now, timeline.epochMillis(timeline.nanosAt(offsetMillis)));
    }

    private RequestLog openLog() {
        RequestLog open = log;
        if (open == null) {
            throw new IllegalStateException("The run's files are not open");
        }
        return open;
    }

    /** Closes the files; false when they were closed before, or never open. */
    private synchronized boolean closeLog() throws IOException {
        RequestLog open = log;
        if (open == null) {
            return false;
        }
        // Writes of riders who ended without an answer.
        underWay.keySet().forEach(this::givenUp);
        log = null;
        open.close();
        return true;
    }

    /**
     * Completes the files if the process is ended during a run: every write that may have been done is in the ledger, and the
     * summary has the measurements up to now. No record is written after that, so the gate, once shut, is not opened again.
     */
    @SuppressWarnings("LockNotBeforeTry")
    private void abandon() {
        gate.writeLock().lock();
        try {
            if (closeLog()) {
                endedEarly = true;
                watch.end();
                write(summary(null));
            }
        } catch (IOException failed) {
            System.err.println("The run's files are incomplete: " + UserError.firstLine(failed));
        }
    }
}
