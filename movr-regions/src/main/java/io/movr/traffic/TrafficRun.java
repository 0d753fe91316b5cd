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
import io.movr.traffic.TrafficSide.EventRun;
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
import org.jspecify.annotations.Nullable;

/**
 * A comparison of traffic from all regions at two schema stages. Runs alternate between the stages if each has its
 * own database; otherwise all runs at the first stage precede a migration and the runs at the second stage.
 */
final class TrafficRun {

    private static final Duration PLACEMENT_LIMIT = Duration.ofMinutes(15);
    private static final Duration MAX_MIGRATION = Duration.ofHours(2);

    /** The time of a run in addition to its traffic, in which the load generator starts and writes its report. */
    private static final Duration RUN_OVERHEAD = Duration.ofSeconds(7);
    /** The usual number of probes of a rate search at one stage. */
    private static final int EXPECTED_PROBES = 8;

    private static final String PLACEMENT = "placement";
    private static final String PLACEMENT_STEP = "(leaseholders move to their regions)";
    private static final String BEFORE = "before";
    private static final String DURING = "during";
    private static final String AFTER = "after";
    private static final double MAX_FAILED_SHARE = 0.01;
    /** A seed that differs from the seeds of the numbered runs. */
    private static final long DURING_SEED = 0;

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
     * Prepares a comparison.
     *
     * @param before running regions at the first stage of the plan
     * @param after other regions with their own database, at the first stage of the plan or a later one; the same
     *     object as {@code before} if both stages share a database
     * @param bundle receives the files of each run
     * @param progress receives a line about the current step, once a second during traffic
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
     * Checks that the load generator exists, before the regions are started.
     *
     * @throws UserError if the load generator is missing
     */
    public static void requireLoadGenerator() {
        LoadGenerator.program();
    }

    /** Returns the approximate duration without loading and migrations. */
    public static Duration expectedDuration(TrafficPlan plan, Engine engine) {
        Duration run = plan.warmUp().plus(plan.duration()).plus(RUN_OVERHEAD);
        Duration closed = plan.closedLoop().isZero()
                ? Duration.ZERO
                : TrafficSide.CLOSED_WARM_UP.plus(plan.closedLoop()).plus(RUN_OVERHEAD);
        int runs = plan.runs() + (plan.objective() == null ? 0 : EXPECTED_PROBES);
        Duration stage = run.multipliedBy(runs)
                .plus(closed.multipliedBy(plan.runs()))
                .plus(TrafficSide.JVM_WARM_UP)
                .plus(RUN_OVERHEAD);
        int promoReads = PromoCodeReads.modes(engine, plan.before()).size()
                + PromoCodeReads.modes(engine, plan.after()).size();
        return stage.multipliedBy(2)
                .plus(plan.killed() == null ? Duration.ZERO : plan.duration().plus(RegionOutage.TRAFFIC_FROM_KILL))
                .plus(Duration.ofMillis(plan.matrixSamples() * 4_000L))
                .plus(plan.matrixSamples() == 0 ? Duration.ZERO : PromoCodeReads.RUN.multipliedBy(promoReads));
    }

    /**
     * Runs the comparison, and writes the results and their page.
     *
     * @param command the words of the command line
     * @param loadSeconds the time of loading the rows in seconds; {@code null} if they were loaded before
     */
    public TrafficResults run(
            DatasetSpec rows, String scale, Program program, List<String> command, @Nullable Double loadSeconds)
            throws InterruptedException {
        Instant startedAt = Instant.now();
        CpuSteal steal = new CpuSteal();
        Cluster cluster = before.regions().cluster();
        databases().forEach(this::preflight);
        List<Phase> phases = new ArrayList<>();
        Migration migration = migrateAndMeasure(phases);
        Outage outage = plan.killed() == null
                ? null
                : new RegionOutage(after, plan, map, checks, progress).measure(plan.killed());
        Ledger ledger = ledger();
        TrafficResults results = new TrafficResults(
                TrafficResults.SCHEMA_VERSION,
                "traffic",
                startedAt.truncatedTo(ChronoUnit.SECONDS).toString(),
                Duration.between(startedAt, Instant.now()).toMillis() / 1e3,
                command,
                isComplete(phases, ledger),
                TrafficNotes.of(order, plan, cluster, canSkipDistances()),
                EnvironmentProbe.of(cluster, cluster.gateway(), program).with(steal),
                EnvironmentProbe.dataset(scale, rows, loadSeconds),
                regionResults(),
                loadSettings(),
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

    /** Measures both stages, adds their phases, and returns the migration between them. */
    private Migration migrateAndMeasure(List<Phase> phases) throws InterruptedException {
        Migration migration;
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
        return migration;
    }

    private TrafficResults.Load loadSettings() {
        return new TrafficResults.Load(
                plan.mix(),
                plan.arrivalsPerSecond(),
                plan.warmUp().toMillis() / 1e3,
                plan.duration().toMillis() / 1e3,
                plan.runs(),
                plan.remoteShare(),
                TrafficSide.JVM_WARM_UP.toMillis() / 1e3,
                RunStatistics.MIN_RUNS,
                order.id());
    }

    /** Returns whether no check, read or request of the runs shows a problem, so that the figures can be used. */
    private boolean isComplete(List<Phase> phases, Ledger ledger) {
        return ledger.faults().isEmpty()
                && checks.stream().noneMatch(check -> check.status().equals("problem"))
                && promoReads.stream().noneMatch(PromoReads::isWrong)
                && phases.stream()
                        .flatMap(phase -> Stream.concat(
                                phase.runs().stream(),
                                phase.closedLoop() == null ? Stream.empty() : phase.closedLoop().runs().stream()))
                        .allMatch(run -> run.bottleneck() == null
                                && run.answered() > 0
                                && run.failed() <= MAX_FAILED_SHARE * (run.answered() + run.failed()));
    }

    /** Returns one side for each database. */
    private List<TrafficSide> databases() {
        return order == RunOrder.ALTERNATING ? List.of(before, after) : List.of(before);
    }

    private void preflight(TrafficSide side) {
        if (side == after && side.regions().cluster().servers().isEmpty()) {
            // The second database is on the same servers.
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

    /** Runs the preflight checks on the database of one region, and omits checks that do not apply to several regions. */
    public static List<Check> preflight(Gateway gateway) {
        return Preflight.of(gateway).stream()
                // Long round trips are intended, and regions have different statistics.
                .filter(check ->
                        !check.name().equals("round trip") && !check.name().equals("statistics"))
                .toList();
    }

    private List<TrafficResults.RegionOf> regionResults() {
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

    /** Measures sides alternately. */
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
                    .ifPresent(read -> read.sharesOfTables()
                            .forEach((table, byRegion) -> byRegion.forEach((region, share) -> placement.add(new Placed(
                                    side.id(),
                                    side.stage().id(),
                                    table,
                                    region,
                                    share.leaseholders(),
                                    share.replicas(),
                                    share.bytes())))));
        } catch (SQLException failed) {
            throw new UserError("Cannot read the placement of the rows: " + UserError.firstLine(failed), failed);
        }
    }

    /** Searches for the highest rate that meets the objective, by runs that are in no other figure. */
    private void searchRate(TrafficSide side) throws InterruptedException {
        Objective objective = plan.objective();
        if (objective == null) {
            return;
        }
        String stage = side.stage().id();
        int[] number = {0};
        capacities.add(RateSearch.search(
                stage, objective, plan.arrivalsPerSecond(), plan.minRate(objective.quantile()), rate -> {
                    LoadGenerator.Load load = new LoadGenerator.Load(
                            rate, 0, plan.remoteShare(), plan.warmUp(), plan.duration(), ++number[0]);
                    String step = String.format(
                            Locale.ROOT, "Highest rate with %s at %s: trying %.1f arrivals/s", objective, stage, rate);
                    LoadGenerator.RunOutput output = side.send("rate-" + stage + "-" + number[0], load, step);
                    return RateSearch.evaluate(objective, load, output.measured(), output.warnings(load));
                }));
    }

    private record AppliedMigration(
            Schema schema, List<Stage> stages, long startMs, double seconds, List<AppliedStatement> statements) {}

    private AppliedMigration migrate(RunningRegions regions, String check) {
        long startMs = System.currentTimeMillis();
        List<Stage> stages =
                regions.migrate(plan.after(), now -> progress.accept("To stage " + plan.after() + ": " + now.what()));
        Instant reached = Instant.now();
        List<String> missing = plan.after().movesRows() ? regions.awaitPlacement(PLACEMENT_LIMIT, progress) : List.of();
        List<AppliedStatement> statements = new ArrayList<>(regions.schema().statements());
        if (!statements.isEmpty()) {
            statements.add(new AppliedStatement(
                    plan.after(), PLACEMENT_STEP, reached, Duration.between(reached, Instant.now())));
        }
        checks.add(new Check(
                check,
                missing.isEmpty() ? "ok" : "problem",
                missing.isEmpty() ? "every row is in its home region" : String.join("; ", missing),
                missing.isEmpty() ? "" : "wait longer before measuring"));
        return new AppliedMigration(
                regions.schema(), stages, startMs, (System.currentTimeMillis() - startMs) / 1e3, statements);
    }

    /** @param requests the requests that were due during the migration; {@code null} if there was no traffic */
    private Migration migration(AppliedMigration applied, @Nullable List<Request> requests) {
        Map<String, Long> locked = new LinkedHashMap<>();
        applied.schema().pauses().forEach((stage, pause) -> locked.put(stage.id(), pause.toMillis()));
        return new Migration(
                plan.before().id(),
                plan.after().id(),
                applied.stages().stream().map(Stage::id).toList(),
                applied.startMs(),
                applied.seconds(),
                locked,
                requests != null,
                TrafficStatistics.statements(applied.statements(), requests == null ? List.of() : requests));
    }

    /** Migrates the database of the later stage. */
    private Migration migrateWithoutTraffic() {
        RunningRegions regions = after.regions();
        // With --during, the reported migration is the one under traffic, which follows later.
        if (!plan.during() && !canSkipDistances()) {
            return migration(migrate(regions, PLACEMENT), null);
        }
        regions.cluster().distant(false);
        try {
            return migration(migrate(regions, PLACEMENT), null);
        } finally {
            regions.cluster().distant(true);
        }
    }

    /**
     * Returns whether the migration can run without the simulated distances, with which it takes a quarter of an
     * hour.
     */
    private boolean canSkipDistances() {
        Cluster cluster = before.regions().cluster();
        return cluster.engine().isMultiRegion() && cluster.links().isPresent();
    }

    /** Migrates the database of the first stage after its runs, under traffic. */
    private Migration migrateUnderTraffic(List<Phase> phases) throws InterruptedException {
        String check = PLACEMENT + (order == RunOrder.ALTERNATING ? ", migrated under traffic" : "");
        EventRun<AppliedMigration> eventRun = before.sendDuring(
                DURING,
                MAX_MIGRATION,
                DURING_SEED,
                plan.duration().dividedBy(2),
                () -> migrate(before.regions(), check));
        MeasuredRun run = before.requireRequests(eventRun.output());
        timelineDuring.addAll(TrafficStatistics.timeline(DURING, run.requests()));
        phases.add(new Phase(
                DURING,
                plan.before().id(),
                List.of(before.toResult(1, eventRun.output(), null)),
                TrafficStatistics.operations(List.of(run), names),
                null));
        return migration(eventRun.result(), run.requests());
    }

    private Ledger ledger() throws InterruptedException {
        long acknowledged = 0;
        long unknown = 0;
        List<String> faults = new ArrayList<>();
        for (TrafficSide database : databases()) {
            List<Path> folders = new ArrayList<>(database.runFolders());
            if (order == RunOrder.SEQUENTIAL) {
                folders.addAll(after.runFolders());
            }
            Cluster cluster = database.regions().cluster();
            // Nothing is measured any more, and the check would take minutes over the simulated distances.
            cluster.distant(false);
            progress.accept("Checking that the database has every write of " + folders.size() + " runs");
            String answer = "ledger-check" + (database == after ? "-" + AFTER : "") + ".txt";
            faults.addAll(LoadGenerator.ledgerFaults(
                    folders, cluster.gateway(), bundle.folder().resolve(answer)));
            for (Path folder : folders) {
                Map<String, Long> counts = LoadGenerator.countLedgerOutcomes(folder);
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
