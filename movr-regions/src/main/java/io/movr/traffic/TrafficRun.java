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
import io.movr.region.RegionMap;
import io.movr.report.CpuSteal;
import io.movr.report.LabResults.Check;
import io.movr.report.RunBundle;
import io.movr.report.TrafficResults;
import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Cell;
import io.movr.report.TrafficResults.Figure;
import io.movr.report.TrafficResults.Ledger;
import io.movr.report.TrafficResults.Migration;
import io.movr.report.TrafficResults.Outage;
import io.movr.report.TrafficResults.Phase;
import io.movr.report.TrafficResults.Placed;
import io.movr.report.TrafficResults.Probe;
import io.movr.report.TrafficResults.PromoReads;
import io.movr.report.TrafficResults.Second;
import io.movr.schema.AppliedStatement;
import io.movr.schema.Placement;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import io.movr.staleness.PromoCodeReads;
import io.movr.stats.LatencyClasses;
import io.movr.stats.RunStatistics;
import io.movr.traffic.RunOrder.Turn;
import io.movr.traffic.TrafficPlan.Objective;
import io.movr.traffic.TrafficSide.Watched;
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
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.Quantile;
import org.jspecify.annotations.Nullable;

/**
 * Traffic of all regions at one stage, and the same at a later one: in turn where each stage has a database of its own, otherwise
 * one after the other, with a migration in between.
 */
final class TrafficRun {

    private static final Duration PLACEMENT_LIMIT = Duration.ofMinutes(15);
    private static final Duration LONGEST_MIGRATION = Duration.ofHours(2);

    /** What a run takes beside its traffic: a virtual machine starts, looks around and writes a report. */
    private static final Duration AROUND_A_RUN = Duration.ofSeconds(7);
    /** Of a search, at each stage. */
    private static final int USUAL_PROBES = 8;

    private static final String PLACEMENT = "placement";
    private static final String PLACING = "(leaseholders move to their regions)";
    private static final String BEFORE = "before";
    private static final String DURING = "during";
    private static final String AFTER = "after";
    private static final double MOST_FAILED = 0.01;
    /** Unlike the number of any run, as the other. */
    private static final long DURING_SEED = 0;

    private static final long OUTAGE_SEED = 2_000;
    private static final Duration OUTAGE = Duration.ofMinutes(1);
    private static final Duration AFTER_OUTAGE = Duration.ofSeconds(30);
    private static final Duration LONGEST_RESTART = Duration.ofMinutes(15);

    private final RunOrder order;
    private final TrafficSide before;
    private final TrafficSide after;
    private final RegionMap map;
    private final TrafficPlan plan;
    private final RunBundle bundle;
    private final Consumer<String> progress;
    private final List<String> names;
    private final List<Check> checks = new ArrayList<>();
    private final List<Cell> matrix = new ArrayList<>();
    private final List<PromoReads> promoReads = new ArrayList<>();
    private final List<Placed> placement = new ArrayList<>();
    private final List<Capacity> capacities = new ArrayList<>();
    private final List<Second> timelineDuring = new ArrayList<>();

    /**
     * Prepares it.
     *
     * @param before regions that run, at the first stage of the plan
     * @param after others with a database of their own, at the first stage of the plan or a later one; the same where runs
     *     before and after share a database
     * @param bundle where each run leaves what it measured
     * @param progress takes a line about the current step; while traffic is sent, every second
     */
    public TrafficRun(
            RunningRegions before,
            RunningRegions after,
            TrafficPlan plan,
            RunBundle bundle,
            Consumer<String> progress) {
        this.order = before == after ? RunOrder.SEQUENTIAL : RunOrder.ALTERNATING;
        this.before = new TrafficSide(BEFORE, plan.before(), before, plan, bundle, progress);
        this.after = new TrafficSide(AFTER, plan.after(), after, plan, bundle, progress);
        this.map = before.map();
        this.plan = plan;
        this.bundle = bundle;
        this.progress = progress;
        this.names = map.cities().keySet().stream().map(Region::name).toList();
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
                : TrafficSide.CLOSED_WARM_UP.plus(plan.closedLoop()).plus(AROUND_A_RUN);
        int runs = plan.runs() + (plan.objective() == null ? 0 : USUAL_PROBES);
        Duration stage = run.multipliedBy(runs)
                .plus(closed.multipliedBy(plan.runs()))
                .plus(TrafficSide.UNCOUNTED)
                .plus(AROUND_A_RUN);
        int promoReads = PromoCodeReads.modes(engine, plan.before()).size()
                + PromoCodeReads.modes(engine, plan.after()).size();
        return stage.multipliedBy(2)
                .plus(
                        plan.killed() == null
                                ? Duration.ZERO
                                : plan.duration().plus(OUTAGE).plus(AFTER_OUTAGE))
                .plus(Duration.ofMillis(plan.matrixSamples() * 4_000L))
                .plus(plan.matrixSamples() == 0 ? Duration.ZERO : PromoCodeReads.RUN.multipliedBy(promoReads));
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
        Cluster cluster = before.regions().cluster();
        databases().forEach(this::preflight);
        Migration migration;
        List<Phase> phases = new ArrayList<>();
        if (order == RunOrder.ALTERNATING) {
            migration = migrateWithoutTraffic();
            measure(List.of(before, after));
            phases.add(before.phase(names));
            if (plan.during()) {
                migration = migrateUnderTraffic(phases);
            }
        } else {
            measure(List.of(before));
            phases.add(before.phase(names));
            migration = plan.during() ? migrateUnderTraffic(phases) : migrateWithoutTraffic();
            measure(List.of(after));
        }
        phases.add(after.phase(names));
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
                        TrafficSide.UNCOUNTED.toMillis() / 1e3,
                        RunStatistics.MIN_RUNS,
                        order.id()),
                checks,
                phases,
                migration,
                Stream.of(before.timeline(), timelineDuring, after.timeline())
                        .flatMap(List::stream)
                        .toList(),
                LatencyClasses.WIDTH,
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

    /** The sides with a database of their own. */
    private List<TrafficSide> databases() {
        return order == RunOrder.ALTERNATING ? List.of(before, after) : List.of(before);
    }

    private void preflight(TrafficSide side) {
        if (side == after && side.regions().cluster().servers().isEmpty()) {
            // Another database of the same servers.
            return;
        }
        for (ServiceInstance instance : side.regions().instances()) {
            String place = instance.region() + (side == after ? ", " + AFTER : "");
            preflight(instance.gateway()).stream()
                    .map(check ->
                            new Check(check.name() + ", " + place, check.status(), check.detail(), check.remedy()))
                    .forEach(checks::add);
        }
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
        notes.add(
                order == RunOrder.ALTERNATING
                        ? "Each stage has a database of its own with the same rows. Runs before and after alternate (before,"
                                + " after, after, before), and the ratios are those of pairs of runs, so a machine that"
                                + " slowly changes favours neither."
                        : TrafficResults.Load.DRIFT);
        if (plan.during()) {
            notes.add("Traffic during the migration was sent once. What it shows includes everything else that changed"
                    + " meanwhile.");
        }
        Cluster cluster = before.regions().cluster();
        if (!cluster.servers().isEmpty()) {
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
        if (!plan.during() && hasDistancesToSkip()) {
            notes.add("The stages were reached without the distances between the regions, and so were the times that"
                    + " are given for them. --during shows what they take over distances.");
        }
        if (plan.killed() != null) {
            notes.add(
                    "The nodes kept their rows in files, so that those of a region could be killed and started again.");
        }
        if (plan.runs() < RunStatistics.MIN_RUNS) {
            notes.add("Fewer than " + RunStatistics.MIN_RUNS
                    + " runs at a stage: intervals are within these runs only, and nothing is judged.");
        }
        if (cluster.links().isEmpty() && plan.matrixSamples() > 0) {
            notes.add("How far the regions of this cluster are from each other is not known here, so single statements"
                    + " stand without a prediction.");
        }
        return notes;
    }

    private List<TrafficResults.RegionOf> regionsOf() {
        List<TrafficResults.RegionOf> all = new ArrayList<>();
        map.cities().forEach((region, cities) -> {
            Map<String, Double> roundTrips = new LinkedHashMap<>();
            before.regions()
                    .cluster()
                    .links()
                    .ifPresent(links -> map.cities().keySet().stream()
                            .filter(other -> !other.equals(region))
                            .forEach(other -> roundTrips.put(
                                    other.name(),
                                    links.distances().roundTrip(region, other).toNanos() / 1e6)));
            all.add(new TrafficResults.RegionOf(region.name(), region.equals(map.primary()), cities, roundTrips));
        });
        return all;
    }

    /** Measures sides in turn. */
    private void measure(List<TrafficSide> sides) throws InterruptedException {
        for (TrafficSide side : sides) {
            measureMatrix(side);
        }
        for (TrafficSide side : sides) {
            side.warmUp();
        }
        List<Turn<TrafficSide>> turns = RunOrder.turns(sides, plan.runs());
        for (Turn<TrafficSide> turn : turns) {
            turn.side().run(turn.number());
        }
        if (!plan.closedLoop().isZero()) {
            for (Turn<TrafficSide> turn : turns) {
                turn.side().runClosed(turn.number());
            }
        }
        for (TrafficSide side : sides) {
            searchRate(side);
            readPlacement(side);
        }
    }

    private void measureMatrix(TrafficSide side) throws InterruptedException {
        if (plan.matrixSamples() == 0) {
            return;
        }
        Cluster cluster = side.regions().cluster();
        Stage stage = side.stage();
        matrix.addAll(new RegionMatrix(cluster, map, plan.matrixSamples())
                .measure(
                        stage,
                        done -> progress.accept(String.format(
                                Locale.ROOT, "Single statements between regions at %s: %.0f%%", stage, 100 * done))));
        promoReads.addAll(
                new PromoCodeReads(cluster.engine(), cluster.gateways(), PromoCodeReads.RUN, progress).measure(stage));
    }

    private void readPlacement(TrafficSide side) {
        try {
            Placement.of(side.regions().cluster(), map)
                    .ifPresent(seen -> seen.sharesOfTables()
                            .forEach((table, byRegion) -> byRegion.forEach((region, share) -> placement.add(new Placed(
                                    side.id(),
                                    side.stage().id(),
                                    table,
                                    region,
                                    share.leaseholders(),
                                    share.replicas(),
                                    share.bytes())))));
        } catch (SQLException failed) {
            throw new UserError("Cannot ask where the rows are: " + UserError.firstLine(failed), failed);
        }
    }

    /** Looks for the highest rate that keeps the objective, by runs that count nowhere else. */
    private void searchRate(TrafficSide side) throws InterruptedException {
        Objective objective = plan.objective();
        if (objective == null) {
            return;
        }
        String stage = side.stage().id();
        int[] number = {0};
        capacities.add(RateSearch.search(
                stage, objective, plan.arrivalsPerSecond(), plan.leastRate(objective.quantile()), rate -> {
                    LoadGenerator.Load load = new LoadGenerator.Load(
                            rate, 0, plan.remoteShare(), plan.warmUp(), plan.duration(), ++number[0]);
                    String what = String.format(
                            Locale.ROOT, "Highest rate with %s at %s: trying %.1f arrivals/s", objective, stage, rate);
                    LoadGenerator.Output output = side.send("rate-" + stage + "-" + number[0], load, what);
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

    private record Moved(
            Schema schema, List<Stage> stages, long begun, double seconds, List<AppliedStatement> statements) {}

    private Moved migrate(RunningRegions regions, String check) {
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
                check,
                missing.isEmpty() ? "ok" : "problem",
                missing.isEmpty() ? "every row is in its home region" : String.join("; ", missing),
                missing.isEmpty() ? "" : "wait longer before measuring"));
        return new Moved(regions.schema(), stages, begun, (System.currentTimeMillis() - begun) / 1e3, statements);
    }

    /** @param meanwhile the requests that were due while the schema was moved on, {@code null} if none were sent */
    private Migration migration(Moved moved, @Nullable List<Request> meanwhile) {
        Map<String, Long> locked = new LinkedHashMap<>();
        moved.schema().pauses().forEach((stage, pause) -> locked.put(stage.id(), pause.toMillis()));
        return new Migration(
                plan.before().id(),
                plan.after().id(),
                moved.stages().stream().map(Stage::id).toList(),
                moved.begun(),
                moved.seconds(),
                locked,
                meanwhile != null,
                TrafficStatistics.statements(moved.statements(), meanwhile == null ? List.of() : meanwhile));
    }

    /** Of the database of the runs after. */
    private Migration migrateWithoutTraffic() {
        RunningRegions regions = after.regions();
        // With --during it only prepares: the migration that is told follows under traffic.
        if (!plan.during() && !hasDistancesToSkip()) {
            return migration(migrate(regions, PLACEMENT), null);
        }
        regions.cluster().distant(false);
        try {
            return migration(migrate(regions, PLACEMENT), null);
        } finally {
            regions.cluster().distant(true);
        }
    }

    /** Over distances its schema changes take a quarter of an hour. */
    private boolean hasDistancesToSkip() {
        Cluster cluster = before.regions().cluster();
        return cluster.engine().isMultiRegion() && cluster.links().isPresent();
    }

    /** Of the database of the runs before, when these are over. */
    private Migration migrateUnderTraffic(List<Phase> phases) throws InterruptedException {
        String check = PLACEMENT + (order == RunOrder.ALTERNATING ? ", migrated under traffic" : "");
        Watched<Moved> watched = before.watch(
                DURING,
                LONGEST_MIGRATION,
                DURING_SEED,
                plan.duration().dividedBy(2),
                () -> migrate(before.regions(), check));
        MeasuredRun run = before.counted(watched.output());
        timelineDuring.addAll(TrafficStatistics.timeline(DURING, run.requests()));
        phases.add(new Phase(
                DURING,
                plan.before().id(),
                List.of(before.describe(1, watched.output(), null)),
                TrafficStatistics.operations(List.of(run), names),
                null));
        return migration(watched.event(), run.requests());
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
        Watched<Down> watched = after.watch(
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
                TrafficStatistics.affected(watched.output().requests(), map, down.killed(), down.back()));
    }

    private Down killAndRestart(Region region) throws InterruptedException {
        long killed = System.currentTimeMillis();
        Cluster cluster = after.regions().cluster();
        cluster.kill(region);
        progress.accept("The nodes in " + region + " are down for " + OUTAGE.toSeconds() + " s");
        Thread.sleep(OUTAGE.toMillis());
        progress.accept("The nodes in " + region + " start again");
        cluster.restart(region);
        return new Down(killed, System.currentTimeMillis());
    }

    private Ledger ledger() throws InterruptedException {
        long acknowledged = 0;
        long unknown = 0;
        List<String> faults = new ArrayList<>();
        for (TrafficSide database : databases()) {
            List<Path> folders = new ArrayList<>(database.folders());
            if (order == RunOrder.SEQUENTIAL) {
                folders.addAll(after.folders());
            }
            Cluster cluster = database.regions().cluster();
            // Nothing is measured any more, and each check asks every region for many rows: over the links that takes
            // minutes.
            cluster.distant(false);
            progress.accept("Looking for every write of " + folders.size() + " runs in the database");
            String answer = "ledger-check" + (database == after ? "-" + AFTER : "") + ".txt";
            faults.addAll(LoadGenerator.ledgerFaults(
                    folders, cluster.gateway(), bundle.folder().resolve(answer)));
            for (Path folder : folders) {
                Map<String, Long> counts = LoadGenerator.ledger(folder);
                acknowledged += counts.getOrDefault("acknowledged", 0L);
                unknown += counts.getOrDefault("unknown", 0L);
            }
        }
        return new Ledger(acknowledged, unknown, faults);
    }

    private List<Figure> figures() {
        return TrafficFigures.of(
                order, before.measured(), after.measured(), before.measuredClosed(), after.measuredClosed());
    }
}
