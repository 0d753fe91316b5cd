package io.movr.traffic;

import io.movr.UserError;
import io.movr.report.RunBundle;
import io.movr.report.TrafficResults.ClosedLoop;
import io.movr.report.TrafficResults.Phase;
import io.movr.report.TrafficResults.Run;
import io.movr.report.TrafficResults.Second;
import io.movr.schema.Stage;
import io.movr.stats.Interval;
import io.movr.stats.RunStatistics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Traffic at one stage: the regions that it is sent to, and what its runs left. */
final class TrafficSide {

    /** Of traffic before the first run at a stage. */
    static final Duration UNCOUNTED = Duration.ofSeconds(10);

    static final Duration CLOSED_WARM_UP = Duration.ofSeconds(2);
    /** Of each region in a closed loop, as was published. */
    private static final int CLIENTS = 1;

    private static final long SEED = 1;
    /** Unlike the number of any run. */
    private static final long UNCOUNTED_SEED = 1_000;

    private final String id;
    private final Stage stage;
    private final RunningRegions regions;
    private final TrafficPlan plan;
    private final RunBundle bundle;
    private final Consumer<String> progress;
    private final LoadGenerator generator;
    private final List<Run> runs = new ArrayList<>();
    private final List<Run> closedRuns = new ArrayList<>();
    /** What counts, run by run. */
    private final List<MeasuredRun> measured = new ArrayList<>();

    private final List<MeasuredRun> measuredClosed = new ArrayList<>();
    private final List<Second> timeline = new ArrayList<>();
    /** Of all runs, those that count nowhere among them. */
    private final List<Path> folders = new ArrayList<>();

    /**
     * Prepares it.
     *
     * @param id {@code before} or {@code after}
     */
    TrafficSide(
            String id,
            Stage stage,
            RunningRegions regions,
            TrafficPlan plan,
            RunBundle bundle,
            Consumer<String> progress) {
        this.id = id;
        this.stage = stage;
        this.regions = regions;
        this.plan = plan;
        this.bundle = bundle;
        this.progress = progress;
        this.generator = new LoadGenerator(regions, plan, bundle.folder());
    }

    String id() {
        return id;
    }

    Stage stage() {
        return stage;
    }

    RunningRegions regions() {
        return regions;
    }

    List<MeasuredRun> measured() {
        return measured;
    }

    List<MeasuredRun> measuredClosed() {
        return measuredClosed;
    }

    /** Latency over time, of the runs that count. */
    List<Second> timeline() {
        return timeline;
    }

    /** Where each run left its ledger. */
    List<Path> folders() {
        return folders;
    }

    /** Sends the first requests of all, which find virtual machines that have not compiled anything yet and count nowhere. */
    void warmUp() throws InterruptedException {
        send(id + "-uncounted", load(Duration.ZERO, UNCOUNTED, UNCOUNTED_SEED), "Uncounted traffic at " + stage);
    }

    /**
     * Sends riders who arrive independently of each other.
     *
     * @param number from 1; two sides have the same arrivals in runs of one number
     */
    void run(int number) throws InterruptedException {
        LoadGenerator.Load load = load(plan.warmUp(), plan.duration(), number);
        LoadGenerator.Output output = send(id + "-" + number, load, what("Traffic", number));
        MeasuredRun run = counted(output);
        timeline.addAll(TrafficStatistics.timeline(id, run.requests()));
        measured.add(run);
        runs.add(describe(number, output, load));
    }

    /**
     * Has a client in each region wait for every answer. As the published ones, these ask for cities of their own region only.
     *
     * @param number from 1
     */
    void runClosed(int number) throws InterruptedException {
        LoadGenerator.Load load =
                new LoadGenerator.Load(plan.arrivalsPerSecond(), CLIENTS, 0, CLOSED_WARM_UP, plan.closedLoop(), number);
        LoadGenerator.Output output =
                send(id + "-closed-" + number, load, what("A waiting client in each region", number));
        measuredClosed.add(output.measured());
        closedRuns.add(describe(number, output, load));
    }

    private String what(String sent, int number) {
        return String.format(Locale.ROOT, "%s at %s, run %d of %d", sent, stage, number, plan.runs());
    }

    /** Traffic of the plan's rate. */
    LoadGenerator.Load load(Duration warmUp, Duration duration, long seed) {
        return new LoadGenerator.Load(plan.arrivalsPerSecond(), 0, plan.remoteShare(), warmUp, duration, seed);
    }

    /** Has a run of the load generator done, whose ledger is checked in the end. */
    LoadGenerator.Output send(String name, LoadGenerator.Load load, String what) throws InterruptedException {
        Path folder = folder(name);
        long begun = System.nanoTime();
        try (LoadGenerator.Started started = generator.start(folder, load)) {
            LoadGenerator.Output output = started.await(
                    load.length(),
                    () -> progress.accept(what + ", " + (System.nanoTime() - begun) / 1_000_000_000 + " s"));
            folders.add(folder);
            return output;
        }
    }

    /** What happened, and the traffic before, meanwhile and after. */
    record Watched<T>(T event, LoadGenerator.Output output) {}

    /** What happens under traffic. */
    interface Event<T> {
        T happen() throws InterruptedException;
    }

    /**
     * Sends traffic while something happens, beginning half a run before it.
     *
     * @param longest what it may take at most, with the traffic before and after
     * @param after how long traffic goes on
     */
    <T> Watched<T> watch(String name, Duration longest, long seed, Duration after, Event<T> event)
            throws InterruptedException {
        Path folder = folder(name + "-1");
        try (LoadGenerator.Started started = generator.start(folder, load(plan.warmUp(), longest, seed))) {
            progress.accept("Traffic before it begins");
            started.awaitSteady();
            Thread.sleep(plan.duration().toMillis() / 2);
            T happened = event.happen();
            Thread.sleep(after.toMillis());
            LoadGenerator.Output output = started.end();
            folders.add(folder);
            return new Watched<>(happened, output);
        }
    }

    private Path folder(String name) {
        return bundle.folder().resolve("raw").resolve(name);
    }

    /**
     * What counts of a run.
     *
     * @throws UserError when nothing does
     */
    MeasuredRun counted(LoadGenerator.Output output) {
        MeasuredRun run = output.measured();
        if (run.steady().isEmpty()) {
            throw new UserError("The load generator counted no request (see " + bundle.folder() + ")");
        }
        return run;
    }

    /**
     * A run as results have it.
     *
     * @param asked what was to be sent; {@code null} for a run that was to be ended early
     */
    Run describe(int number, LoadGenerator.Output output, LoadGenerator.@Nullable Load asked) {
        MeasuredRun run = output.measured();
        List<Request> steady = run.steady();
        JsonNode summary = output.summary();
        List<String> warnings = output.warnings(asked);
        JsonNode retries = summary.path("retries");
        JsonNode cpuShare = summary.path("process_cpu_share");
        JsonNode lag = summary.path("lag_ms").path("p99");
        return new Run(
                number,
                run.fromMs(),
                run.toMs(),
                run.answersPerSecond(),
                run.duePerSecond(),
                TrafficStatistics.count(steady, request -> !request.isFailed()),
                TrafficStatistics.count(steady, Request::isRefused),
                TrafficStatistics.count(steady, Request::isFailed),
                retries.isNumber() ? retries.asLong() : null,
                output.transactionRetries(),
                lag.isNumber() ? lag.asDouble() : null,
                cpuShare.isNumber() ? cpuShare.asDouble() * Runtime.getRuntime().availableProcessors() : null,
                output.report() == null ? null : bundle.pathTo(output.report()),
                warnings.isEmpty() ? null : String.join("; ", warnings));
    }

    /** What its runs come to. */
    Phase phase(List<String> names) {
        return new Phase(id, stage.id(), runs, TrafficStatistics.operations(measured, names), closedLoop(names));
    }

    private @Nullable ClosedLoop closedLoop(List<String> names) {
        if (closedRuns.isEmpty()) {
            return null;
        }
        Map<String, Interval> byRegion = new LinkedHashMap<>();
        names.forEach(region ->
                byRegion.put(region, perSecond(request -> request.region().equals(region))));
        return new ClosedLoop(
                CLIENTS, plan.closedLoop().toMillis() / 1e3, closedRuns, perSecond(request -> true), byRegion);
    }

    private Interval perSecond(Predicate<Request> of) {
        return RunStatistics.mean(
                measuredClosed.stream().map(run -> run.answersBySecond(of)).toList(), SEED);
    }
}
