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

/** The traffic at one stage: its regions and its runs. */
final class TrafficSide {

    /** The duration of the traffic before the first run, during which the virtual machines compile. */
    static final Duration JVM_WARM_UP = Duration.ofSeconds(10);

    static final Duration CLOSED_WARM_UP = Duration.ofSeconds(2);
    /** The number of closed-loop clients in each region, as in the published measurement. */
    private static final int CLIENTS_PER_REGION = 1;

    private static final long SEED = 1;
    /** A seed that differs from the seeds of the numbered runs. */
    private static final long JVM_WARM_UP_SEED = 1_000;

    private final String id;
    private final Stage stage;
    private final RunningRegions regions;
    private final TrafficPlan plan;
    private final RunBundle bundle;
    private final Consumer<String> progress;
    private final LoadGenerator generator;
    private final List<Run> runs = new ArrayList<>();
    private final List<Run> closedRuns = new ArrayList<>();
    /** The requests of each open-model run. */
    private final List<MeasuredRun> measured = new ArrayList<>();

    private final List<MeasuredRun> measuredClosed = new ArrayList<>();
    private final List<Second> timeline = new ArrayList<>();
    /** The folders of all runs, including runs that are in no figure. */
    private final List<Path> runFolders = new ArrayList<>();

    /**
     * Prepares a side.
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

    /** Returns the latency over time in the open-model runs. */
    List<Second> timeline() {
        return timeline;
    }

    /** Returns the folders with the ledgers of all runs. */
    List<Path> runFolders() {
        return runFolders;
    }

    /** Sends traffic that is in no figure, during which the virtual machines compile. */
    void warmUp() throws InterruptedException {
        send(id + "-uncounted", load(Duration.ZERO, JVM_WARM_UP, JVM_WARM_UP_SEED), "JVM warm-up at " + stage);
    }

    /**
     * Runs traffic of an open model.
     *
     * @param number the number of the run, from 1; runs of both sides with the same number have the same arrivals
     */
    void run(int number) throws InterruptedException {
        LoadGenerator.Load load = load(plan.warmUp(), plan.duration(), number);
        LoadGenerator.RunOutput output = send(id + "-" + number, load, progressText("Traffic", number));
        MeasuredRun run = requireRequests(output);
        timeline.addAll(TrafficStatistics.timeline(id, run.requests()));
        measured.add(run);
        runs.add(toResult(number, output, load));
    }

    /**
     * Runs a closed-loop client in each region. As in the published measurement, clients request cities of their own
     * region only.
     *
     * @param number the number of the run, from 1
     */
    void runClosed(int number) throws InterruptedException {
        LoadGenerator.Load load = new LoadGenerator.Load(
                plan.arrivalsPerSecond(), CLIENTS_PER_REGION, 0, CLOSED_WARM_UP, plan.closedLoop(), number);
        LoadGenerator.RunOutput output =
                send(id + "-closed-" + number, load, progressText("A closed-loop client in each region", number));
        measuredClosed.add(output.measured());
        closedRuns.add(toResult(number, output, load));
    }

    private String progressText(String traffic, int number) {
        return String.format(Locale.ROOT, "%s at %s, run %d of %d", traffic, stage, number, plan.runs());
    }

    /** Returns the load at the rate of the plan. */
    LoadGenerator.Load load(Duration warmUp, Duration duration, long seed) {
        return new LoadGenerator.Load(plan.arrivalsPerSecond(), 0, plan.remoteShare(), warmUp, duration, seed);
    }

    /** Runs the load generator. Its ledger is checked after all runs. */
    LoadGenerator.RunOutput send(String name, LoadGenerator.Load load, String step) throws InterruptedException {
        Path folder = folder(name);
        long startNanos = System.nanoTime();
        try (LoadGenerator.ActiveRun started = generator.start(folder, load)) {
            LoadGenerator.RunOutput output = started.await(
                    load.length(),
                    () -> progress.accept(step + ", " + (System.nanoTime() - startNanos) / 1_000_000_000 + " s"));
            runFolders.add(folder);
            return output;
        }
    }

    /** The result of an event, and the traffic before, during and after it. */
    record EventRun<T>(T result, LoadGenerator.RunOutput output) {}

    /** An event under traffic. */
    interface Event<T> {
        T run() throws InterruptedException;
    }

    /**
     * Sends traffic during an event, starting half a run before it.
     *
     * @param longest the maximum duration of the traffic, including the time before and after the event
     * @param after the duration of the traffic after the event
     */
    <T> EventRun<T> sendDuring(String name, Duration longest, long seed, Duration after, Event<T> event)
            throws InterruptedException {
        Path folder = folder(name + "-1");
        try (LoadGenerator.ActiveRun started = generator.start(folder, load(plan.warmUp(), longest, seed))) {
            progress.accept("Traffic before the event");
            started.awaitSteady();
            Thread.sleep(plan.duration().toMillis() / 2);
            T result = event.run();
            Thread.sleep(after.toMillis());
            LoadGenerator.RunOutput output = started.stop();
            runFolders.add(folder);
            return new EventRun<>(result, output);
        }
    }

    private Path folder(String name) {
        return bundle.folder().resolve("raw").resolve(name);
    }

    /**
     * Returns the requests of a run.
     *
     * @throws UserError if no request was due in the steady part
     */
    MeasuredRun requireRequests(LoadGenerator.RunOutput output) {
        MeasuredRun run = output.measured();
        if (run.steady().isEmpty()) {
            throw new UserError("The load generator sent no request in the steady part (see " + bundle.folder() + ")");
        }
        return run;
    }

    /**
     * Returns the result of a run.
     *
     * @param requested the requested load; {@code null} for a run that is stopped early
     */
    Run toResult(int number, LoadGenerator.RunOutput output, LoadGenerator.@Nullable Load requested) {
        MeasuredRun run = output.measured();
        List<Request> steady = run.steady();
        JsonNode summary = output.summary();
        List<String> warnings = output.warnings(requested);
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

    /** Returns the results of all runs at this stage. */
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
                CLIENTS_PER_REGION,
                plan.closedLoop().toMillis() / 1e3,
                closedRuns,
                perSecond(request -> true),
                byRegion);
    }

    private Interval perSecond(Predicate<Request> filter) {
        return RunStatistics.mean(
                measuredClosed.stream().map(run -> run.answersBySecond(filter)).toList(), SEED);
    }
}
