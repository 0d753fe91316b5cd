package io.movr.traffic;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.dataset.DatasetSpec;
import io.movr.environment.EnvironmentProbe;
import io.movr.environment.Preflight;
import io.movr.environment.Program;
import io.movr.region.Region;
import io.movr.report.CpuSteal;
import io.movr.report.LabResults.Check;
import io.movr.report.RunBundle;
import io.movr.report.TrafficResults;
import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Cell;
import io.movr.report.TrafficResults.ClosedLoop;
import io.movr.report.TrafficResults.Figure;
import io.movr.report.TrafficResults.Ledger;
import io.movr.report.TrafficResults.Migration;
import io.movr.report.TrafficResults.Outage;
import io.movr.report.TrafficResults.Phase;
import io.movr.report.TrafficResults.Placed;
import io.movr.report.TrafficResults.Probe;
import io.movr.report.TrafficResults.PromoReads;
import io.movr.report.TrafficResults.Run;
import io.movr.report.TrafficResults.Second;
import io.movr.schema.AppliedStatement;
import io.movr.schema.Placement;
import io.movr.schema.Stage;
import io.movr.stats.Interval;
import io.movr.stats.RunStatistics;
import io.movr.traffic.TrafficPlan.Objective;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.Quantile;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Traffic of all regions at one stage, the stages after it, and the same traffic again. */
public final class TrafficRun {

    private static final Duration PLACEMENT_LIMIT = Duration.ofMinutes(15);
    private static final Duration LONGEST_MIGRATION = Duration.ofHours(2);
    /** Of traffic before the first run at a stage. */
    private static final Duration UNCOUNTED = Duration.ofSeconds(10);

    /** Of each way in which promo codes are read. */
    private static final Duration PROMO_READS = Duration.ofSeconds(5);

    private static final Duration CLOSED_WARM_UP = Duration.ofSeconds(2);
    /** Of each region in a closed loop, as was published. */
    private static final int CLIENTS = 1;
    /** What a run takes beside its traffic: a virtual machine starts, looks around and writes a report. */
    private static final Duration AROUND_A_RUN = Duration.ofSeconds(7);
    /** Of a search, at each stage. */
    private static final int USUAL_PROBES = 8;

    private static final String PLACING = "(leaseholders move to their regions)";
    private static final String BEFORE = "before";
    private static final String AFTER = "after";
    private static final double MOST_FAILED = 0.01;
    private static final long SEED = 1;
    /** Unlike the number of any run. */
    private static final long UNCOUNTED_SEED = 1_000;

    private static final long DURING_SEED = 0;
    private static final long OUTAGE_SEED = 2_000;
    private static final Duration OUTAGE = Duration.ofMinutes(1);
    private static final Duration AFTER_OUTAGE = Duration.ofSeconds(30);
    private static final Duration LONGEST_RESTART = Duration.ofMinutes(15);

    private final RunningRegions regions;
    private final TrafficPlan plan;
    private final RunBundle bundle;
    private final Consumer<String> progress;
    private final LoadGenerator generator;
    private final List<String> names;
    private final List<Check> checks = new ArrayList<>();
    private final List<Cell> matrix = new ArrayList<>();
    private final List<PromoReads> promoReads = new ArrayList<>();
    private final List<Placed> placement = new ArrayList<>();
    private final List<Capacity> capacities = new ArrayList<>();
    private final List<Second> timeline = new ArrayList<>();
    private final List<Path> folders = new ArrayList<>();
    /** What counts, run by run, by phase. */
    private final Map<String, List<MeasuredRun>> measured = new LinkedHashMap<>();

    /**
     * Prepares it.
     *
     * @param regions that run, at the first stage of the plan
     * @param bundle where each run leaves what it measured
     * @param progress is told what is going on
     */
    public TrafficRun(RunningRegions regions, TrafficPlan plan, RunBundle bundle, Consumer<String> progress) {
        this.regions = regions;
        this.plan = plan;
        this.bundle = bundle;
        this.progress = progress;
        this.generator = new LoadGenerator(regions, plan, bundle.folder());
        this.names = regions.map().cities().keySet().stream().map(Region::name).toList();
    }

    /**
     * Makes sure that it can be run, before much work is done for it.
     *
     * @throws UserError when the load generator is missing
     */
    public static void check() {
        LoadGenerator.program();
    }

    /** How long it takes about, without loading and without the stages. */
    public static Duration expected(TrafficPlan plan, Engine engine) {
        Duration run = plan.warmUp().plus(plan.duration()).plus(AROUND_A_RUN);
        Duration closed = plan.closedLoop().isZero()
                ? Duration.ZERO
                : CLOSED_WARM_UP.plus(plan.closedLoop()).plus(AROUND_A_RUN);
        int runs = plan.runs() + (plan.objective() == null ? 0 : USUAL_PROBES);
        Duration stage = run.multipliedBy(runs)
                .plus(closed.multipliedBy(plan.runs()))
                .plus(UNCOUNTED)
                .plus(AROUND_A_RUN);
        int promoReads = PromoCodeReads.modes(engine, plan.before()).size()
                + PromoCodeReads.modes(engine, plan.after()).size();
        return stage.multipliedBy(2)
                .plus(
                        plan.killed() == null
                                ? Duration.ZERO
                                : plan.duration().plus(OUTAGE).plus(AFTER_OUTAGE))
                .plus(Duration.ofMillis(plan.matrixSamples() * 4_000L))
                .plus(plan.matrixSamples() == 0 ? Duration.ZERO : PROMO_READS.multipliedBy(promoReads));
    }

    /**
     * Runs it, and writes the results and the page that shows them.
     *
     * @param command the words of the command line
     * @param loadSeconds that loading the rows took, {@code null} if they had been loaded before
     */
    public TrafficResults run(
            DatasetSpec rows, String scale, Program program, List<String> command, @Nullable Double loadSeconds)
            throws InterruptedException {
        Instant startedAt = Instant.now();
        CpuSteal stolen = new CpuSteal();
        Cluster cluster = regions.cluster();
        for (ServiceInstance instance : regions.instances()) {
            preflight(instance.gateway()).stream()
                    .map(check -> new Check(
                            check.name() + ", " + instance.region(), check.status(), check.detail(), check.remedy()))
                    .forEach(checks::add);
        }
        List<Phase> phases = new ArrayList<>();
        measureMatrix(plan.before());
        phases.add(phase(BEFORE, plan.before()));
        searchRate(plan.before());
        readPlacement(BEFORE, plan.before());
        Migration migration = plan.during() ? migrateUnderTraffic(phases) : migrateWithoutTraffic();
        measureMatrix(plan.after());
        phases.add(phase(AFTER, plan.after()));
        searchRate(plan.after());
        readPlacement(AFTER, plan.after());
        Outage outage = outage();
        Ledger ledger = ledger();
        boolean complete = ledger.faults().isEmpty()
                && checks.stream().noneMatch(check -> check.status().equals("problem"))
                && promoReads.stream().noneMatch(PromoReads::isWrong)
                && phases.stream()
                        .flatMap(phase -> Stream.concat(
                                phase.runs().stream(),
                                phase.closedLoop() == null ? Stream.empty() : phase.closedLoop().runs().stream()))
                        .allMatch(run -> run.bottleneck() == null
                                && run.answered() > 0
                                && run.failed() <= MOST_FAILED * (run.answered() + run.failed()));
        TrafficResults results = new TrafficResults(
                TrafficResults.SCHEMA_VERSION,
                "traffic",
                startedAt.truncatedTo(ChronoUnit.SECONDS).toString(),
                Duration.between(startedAt, Instant.now()).toMillis() / 1e3,
                command,
                complete,
                notes(),
                EnvironmentProbe.of(cluster, cluster.gateway(), program).with(stolen),
                EnvironmentProbe.dataset(scale, rows, loadSeconds),
                regionsOf(),
                new TrafficResults.Load(
                        plan.mix(),
                        plan.arrivalsPerSecond(),
                        plan.warmUp().toMillis() / 1e3,
                        plan.duration().toMillis() / 1e3,
                        plan.runs(),
                        plan.remoteShare(),
                        UNCOUNTED.toMillis() / 1e3,
                        RunStatistics.LEAST_RUNS),
                checks,
                phases,
                migration,
                timeline,
                matrix,
                promoReads,
                placement,
                ledger,
                capacities,
                outage,
                figures());
        bundle.write(results);
        return results;
    }

    /** Checks the database of one region. */
    public static List<Check> preflight(Gateway gateway) {
        return Preflight.of(gateway).stream()
                // A round trip is what is measured here; and the rows of another region have other statistics.
                .filter(check ->
                        !check.name().equals("round trip") && !check.name().equals("statistics"))
                .toList();
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!regions.cluster().servers().isEmpty()) {
            notes.add("Three PostgreSQL servers on one machine, joined by links that delay every byte. Nothing is"
                    + " replicated for safety, and no transaction is atomic over several regions.");
            notes.add(
                    "Before stage 7 every statement of a remote region crosses to the primary region once. From stage 7 on"
                            + " a statement on rows of another region goes through postgres_fdw, which takes 3 to 5 round trips"
                            + " where CockroachDB takes one: the share of remote requests weighs more here.");
            notes.add(
                    "Promo codes arrive in other regions with a delay, where GLOBAL tables of CockroachDB wait before they"
                            + " answer the writer.");
        }
        notes.add("The published figures come from one client in each region, which waited for each answer, on another"
                + " engine. They count statements, and these requests, each of which is some statements, the same before"
                + " and after: ratios can be compared, rates and milliseconds cannot.");
        if (skipsDistances()) {
            notes.add("The stages were reached without the distances between the regions, and so were the times that"
                    + " are given for them. --during shows what they take over distances.");
        }
        if (plan.killed() != null) {
            notes.add(
                    "The nodes kept their rows in files, so that those of a region could be killed and started again.");
        }
        if (plan.runs() < RunStatistics.LEAST_RUNS) {
            notes.add("Fewer than " + RunStatistics.LEAST_RUNS
                    + " runs at a stage: intervals are within these runs only, and nothing is judged.");
        }
        if (regions.cluster().links().isEmpty() && plan.matrixSamples() > 0) {
            notes.add("How far the regions of this cluster are from each other is not known here, so single statements"
                    + " stand without a prediction.");
        }
        return notes;
    }

    private List<TrafficResults.RegionOf> regionsOf() {
        List<TrafficResults.RegionOf> all = new ArrayList<>();
        regions.map().cities().forEach((region, cities) -> {
            Map<String, Double> roundTrips = new LinkedHashMap<>();
            regions.cluster()
                    .links()
                    .ifPresent(links -> regions.map().cities().keySet().stream()
                            .filter(other -> !other.equals(region))
                            .forEach(other -> roundTrips.put(
                                    other.name(),
                                    links.distances().roundTrip(region, other).toNanos() / 1e6)));
            all.add(new TrafficResults.RegionOf(
                    region.name(), region.equals(regions.map().primary()), cities, roundTrips));
        });
        return all;
    }

    private void measureMatrix(Stage stage) throws InterruptedException {
        if (plan.matrixSamples() == 0) {
            return;
        }
        matrix.addAll(new RegionMatrix(regions.cluster(), regions.map(), plan.matrixSamples())
                .measure(
                        stage,
                        done -> progress.accept(String.format(
                                Locale.ROOT, "Single statements between regions at %s: %.0f%%", stage, 100 * done))));
        promoReads.addAll(new PromoCodeReads(regions.cluster(), regions.map(), PROMO_READS, progress).measure(stage));
    }

    private void readPlacement(String phase, Stage stage) {
        try {
            Placement.of(regions.cluster(), regions.map())
                    .ifPresent(seen -> seen.sharesOfTables()
                            .forEach((table, byRegion) -> byRegion.forEach((region, share) -> placement.add(new Placed(
                                    phase,
                                    stage.id(),
                                    table,
                                    region,
                                    share.leaseholders(),
                                    share.replicas(),
                                    share.bytes())))));
        } catch (SQLException failed) {
            throw new UserError("Cannot ask where the rows are: " + UserError.firstLine(failed), failed);
        }
    }

    private Phase phase(String id, Stage stage) throws InterruptedException {
        // The first requests of all find virtual machines that have not compiled anything yet.
        send(id + "-uncounted", load(Duration.ZERO, UNCOUNTED, UNCOUNTED_SEED), "Uncounted traffic at " + stage);
        List<Run> runs = new ArrayList<>();
        for (int number = 1; number <= plan.runs(); number++) {
            LoadGenerator.Load load = load(plan.warmUp(), plan.duration(), number);
            LoadGenerator.Output output = send(id + "-" + number, load, what("Traffic", stage, number));
            runs.add(run(number, output, load));
            keep(id, output);
        }
        return new Phase(
                id, stage.id(), runs, TrafficStatistics.operations(measured(id), names), closedLoop(id, stage));
    }

    private @Nullable ClosedLoop closedLoop(String id, Stage stage) throws InterruptedException {
        if (plan.closedLoop().isZero()) {
            return null;
        }
        List<Run> runs = new ArrayList<>();
        List<MeasuredRun> all = measured(closed(id));
        for (int number = 1; number <= plan.runs(); number++) {
            // As the published clients, which asked for the cities of their own region only.
            LoadGenerator.Load load = new LoadGenerator.Load(
                    plan.arrivalsPerSecond(), CLIENTS, 0, CLOSED_WARM_UP, plan.closedLoop(), number);
            LoadGenerator.Output output =
                    send(closed(id) + "-" + number, load, what("A waiting client in each region", stage, number));
            runs.add(run(number, output, load));
            all.add(output.measured());
        }
        Map<String, Interval> byRegion = new LinkedHashMap<>();
        names.forEach(region ->
                byRegion.put(region, perSecond(all, request -> request.region().equals(region))));
        return new ClosedLoop(
                CLIENTS, plan.closedLoop().toMillis() / 1e3, runs, perSecond(all, request -> true), byRegion);
    }

    private static Interval perSecond(List<MeasuredRun> runs, Predicate<Request> of) {
        return RunStatistics.mean(
                runs.stream().map(run -> run.answersBySecond(of)).toList(), SEED);
    }

    private static String closed(String phase) {
        return phase + "-closed";
    }

    private String what(String sent, Stage stage, int number) {
        return String.format(Locale.ROOT, "%s at %s, run %d of %d", sent, stage, number, plan.runs());
    }

    private LoadGenerator.Load load(Duration warmUp, Duration duration, long seed) {
        return new LoadGenerator.Load(plan.arrivalsPerSecond(), 0, plan.remoteShare(), warmUp, duration, seed);
    }

    /** Has a run of the load generator done, whose ledger is checked in the end. */
    private LoadGenerator.Output send(String name, LoadGenerator.Load load, String what) throws InterruptedException {
        Path folder = bundle.folder().resolve("raw").resolve(name);
        long begun = System.nanoTime();
        try (LoadGenerator.Started started = generator.start(folder, load)) {
            LoadGenerator.Output output = started.await(
                    load.length(),
                    () -> progress.accept(what + ", " + (System.nanoTime() - begun) / 1_000_000_000 + " s"));
            folders.add(folder);
            return output;
        }
    }

    /** Looks for the highest rate that keeps the objective, by runs that count nowhere else. */
    private void searchRate(Stage stage) throws InterruptedException {
        Objective objective = plan.objective();
        if (objective == null) {
            return;
        }
        int[] number = {0};
        capacities.add(RateSearch.search(
                stage.id(), objective, plan.arrivalsPerSecond(), plan.leastRate(objective.quantile()), rate -> {
                    LoadGenerator.Load load = new LoadGenerator.Load(
                            rate, 0, plan.remoteShare(), plan.warmUp(), plan.duration(), ++number[0]);
                    String what = String.format(
                            Locale.ROOT, "Highest rate with %s at %s: trying %.1f arrivals/s", objective, stage, rate);
                    LoadGenerator.Output output = send("rate-" + stage.id() + "-" + number[0], load, what);
                    return probe(objective, load, output.measured(), output.warnings(load));
                }));
    }

    /** What traffic at one rate says of an objective. A request that failed was not answered in time. */
    static Probe probe(Objective objective, LoadGenerator.Load load, MeasuredRun run, List<String> warnings) {
        List<Request> steady = run.steady();
        long failed = TrafficStatistics.count(steady, Request::isFailed);
        long inTime = TrafficStatistics.count(
                steady, request -> !request.isFailed() && request.latencyMs() <= objective.limitMs());
        double share = steady.isEmpty() ? 0 : (double) inTime / steady.size();
        double[] latencies = steady.stream()
                .filter(Request::hasLatency)
                .mapToDouble(Request::latencyMs)
                .toArray();
        boolean kept = share >= objective.quantile();
        return new Probe(
                load.arrivalsPerSecond(),
                run.answersPerSecond(),
                latencies.length == 0 ? null : Quantile.withDefaults().evaluate(latencies, objective.quantile()),
                share,
                failed,
                kept,
                kept
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "%.1f%% of %d requests were answered within %.0f ms",
                                100 * share,
                                steady.size(),
                                objective.limitMs()),
                // A load generator that was late although the objective is kept has made it harder, not easier.
                kept || warnings.isEmpty() ? null : String.join("; ", warnings));
    }

    private void keep(String phase, LoadGenerator.Output output) {
        MeasuredRun run = output.measured();
        if (run.steady().isEmpty()) {
            throw new UserError("The load generator counted no request (see " + bundle.folder() + ")");
        }
        timeline.addAll(TrafficStatistics.timeline(phase, run.requests()));
        measured(phase).add(run);
    }

    private List<MeasuredRun> measured(String phase) {
        return measured.computeIfAbsent(phase, id -> new ArrayList<>());
    }

    private Run run(int number, LoadGenerator.Output output, LoadGenerator.@Nullable Load asked) {
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

    private record Moved(List<Stage> stages, long begun, double seconds, List<AppliedStatement> statements) {}

    private Moved migrate() {
        long begun = System.currentTimeMillis();
        List<Stage> stages =
                regions.migrate(plan.after(), now -> progress.accept("To stage " + plan.after() + ": " + now.what()));
        Instant reached = Instant.now();
        List<String> missing = plan.after().movesRows() ? regions.awaitPlacement(PLACEMENT_LIMIT, progress) : List.of();
        List<AppliedStatement> statements = new ArrayList<>(regions.schema().statements());
        if (!statements.isEmpty()) {
            statements.add(
                    new AppliedStatement(plan.after(), PLACING, reached, Duration.between(reached, Instant.now())));
        }
        checks.add(new Check(
                "placement",
                missing.isEmpty() ? "ok" : "problem",
                missing.isEmpty() ? "every row is in its home region" : String.join("; ", missing),
                missing.isEmpty() ? "" : "wait longer before measuring"));
        return new Moved(stages, begun, (System.currentTimeMillis() - begun) / 1e3, statements);
    }

    /** @param meanwhile the requests that were due while the schema was moved on */
    private Migration migration(Moved moved, List<Request> meanwhile) {
        Map<String, Long> locked = new LinkedHashMap<>();
        regions.schema().pauses().forEach((stage, pause) -> locked.put(stage.id(), pause.toMillis()));
        return new Migration(
                plan.before().id(),
                plan.after().id(),
                moved.stages().stream().map(Stage::id).toList(),
                moved.begun(),
                moved.seconds(),
                locked,
                plan.during(),
                TrafficStatistics.statements(moved.statements(), meanwhile));
    }

    private Migration migrateWithoutTraffic() {
        if (!skipsDistances()) {
            return migration(migrate(), List.of());
        }
        regions.cluster().distant(false);
        try {
            return migration(migrate(), List.of());
        } finally {
            regions.cluster().distant(true);
        }
    }

    /** Over distances its schema changes take a quarter of an hour. */
    private boolean skipsDistances() {
        return !plan.during()
                && regions.cluster().engine().isMultiRegion()
                && regions.cluster().links().isPresent();
    }

    private Migration migrateUnderTraffic(List<Phase> phases) throws InterruptedException {
        String id = "during";
        Watched<Moved> watched =
                watch(id, LONGEST_MIGRATION, DURING_SEED, plan.duration().dividedBy(2), this::migrate);
        keep(id, watched.output());
        phases.add(new Phase(
                id,
                plan.before().id(),
                List.of(run(1, watched.output(), null)),
                TrafficStatistics.operations(measured(id), names),
                null));
        return migration(watched.event(), watched.output().measured().requests());
    }

    /** What happened, and the traffic before, meanwhile and after. */
    private record Watched<T>(T event, LoadGenerator.Output output) {}

    private interface Event<T> {
        T happen() throws InterruptedException;
    }

    /**
     * Sends traffic while something happens, beginning half a run before it.
     *
     * @param longest what it may take at most, with the traffic before and after
     * @param after how long traffic goes on
     */
    private <T> Watched<T> watch(String id, Duration longest, long seed, Duration after, Event<T> event)
            throws InterruptedException {
        Path folder = bundle.folder().resolve("raw").resolve(id + "-1");
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

    private Duration outageLength() {
        return plan.duration().dividedBy(2).plus(OUTAGE).plus(AFTER_OUTAGE);
    }

    /** What was measured before is not lost with a region that does not come back. */
    private @Nullable Outage outage() throws InterruptedException {
        Region region = plan.killed();
        if (region == null) {
            return null;
        }
        try {
            return kill(region);
        } catch (UserError failed) {
            checks.add(new Check(
                    "outage",
                    "problem",
                    UserError.firstLine(failed),
                    "look at the log that it names, and repeat the run"));
            return null;
        }
    }

    private record Down(long killed, long back) {}

    private Outage kill(Region region) throws InterruptedException {
        // Requests of the outage are still tried again, half a minute at most.
        Watched<Down> watched = watch(
                "outage",
                outageLength().plus(LONGEST_RESTART),
                OUTAGE_SEED,
                AFTER_OUTAGE,
                () -> killAndRestart(region));
        List<String> warnings = watched.output().warnings(null);
        checks.add(new Check(
                "outage",
                warnings.isEmpty() ? "ok" : "problem",
                warnings.isEmpty() ? "the load generator kept up" : String.join("; ", warnings),
                warnings.isEmpty() ? "" : "measure on a machine that is less busy"));
        Down down = watched.event();
        return new Outage(
                plan.after().id(),
                region.name(),
                down.killed(),
                (down.back() - down.killed()) / 1e3,
                TrafficStatistics.affected(watched.output().requests(), regions.map(), down.killed(), down.back()));
    }

    private Down killAndRestart(Region region) throws InterruptedException {
        long killed = System.currentTimeMillis();
        regions.cluster().kill(region);
        progress.accept("The nodes in " + region + " are down for " + OUTAGE.toSeconds() + " s");
        Thread.sleep(OUTAGE.toMillis());
        progress.accept("The nodes in " + region + " start again");
        regions.cluster().restart(region);
        return new Down(killed, System.currentTimeMillis());
    }

    private Ledger ledger() throws InterruptedException {
        long acknowledged = 0;
        long unknown = 0;
        // Nothing is measured any more, and each check asks every region for many rows: over the links that takes
        // minutes.
        regions.cluster().distant(false);
        progress.accept("Looking for every write of " + folders.size() + " runs in the database");
        List<String> faults = LoadGenerator.ledgerFaults(
                folders, regions.cluster().gateway(), bundle.folder().resolve("ledger-check.txt"));
        for (Path folder : folders) {
            Map<String, Long> counts = LoadGenerator.ledger(folder);
            acknowledged += counts.getOrDefault("acknowledged", 0L);
            unknown += counts.getOrDefault("unknown", 0L);
        }
        return new Ledger(acknowledged, unknown, faults);
    }

    private List<Figure> figures() {
        return TrafficFigures.of(measured(BEFORE), measured(AFTER), measured(closed(BEFORE)), measured(closed(AFTER)));
    }
}
