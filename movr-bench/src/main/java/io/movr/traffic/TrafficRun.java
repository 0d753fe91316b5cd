package io.movr.traffic;

import io.movr.Refusal;
import io.movr.database.Cluster;
import io.movr.database.Engine;
import io.movr.dataset.DatasetSpec;
import io.movr.lab.LabRequest;
import io.movr.lab.Preflight;
import io.movr.lab.PublishedFigures;
import io.movr.lab.Surroundings;
import io.movr.lab.Verdict;
import io.movr.region.Region;
import io.movr.report.LabResults.Check;
import io.movr.report.LabResults.Published;
import io.movr.report.RunBundle;
import io.movr.report.TrafficResults;
import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Cell;
import io.movr.report.TrafficResults.Figure;
import io.movr.report.TrafficResults.Ledger;
import io.movr.report.TrafficResults.Migration;
import io.movr.report.TrafficResults.Phase;
import io.movr.report.TrafficResults.Probe;
import io.movr.report.TrafficResults.Run;
import io.movr.report.TrafficResults.Second;
import io.movr.schema.Placement;
import io.movr.schema.Stage;
import io.movr.stats.BlockQuantiles;
import io.movr.stats.Interval;
import io.movr.traffic.TrafficPlan.Objective;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.commons.statistics.descriptive.Quantile;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Traffic of all regions at one stage, the stages after it, and the same traffic again. */
public final class TrafficRun {

    private static final Duration PLACEMENT_LIMIT = Duration.ofMinutes(15);
    private static final Duration LONGEST_MIGRATION = Duration.ofHours(2);
    /** Long enough for some hundred requests at ten arrivals a second. */
    private static final Duration PROBE = Duration.ofSeconds(15);

    private static final double MOST_FAILED = 0.01;
    private static final double TAIL = 0.99;
    private static final long SEED = 1;

    private final RunningRegions regions;
    private final TrafficPlan plan;
    private final RunBundle bundle;
    private final Consumer<String> progress;
    private final LoadGenerator generator;
    private final List<String> names;
    private final List<Check> checks = new ArrayList<>();
    private final List<Cell> matrix = new ArrayList<>();
    private final List<Capacity> capacities = new ArrayList<>();
    private final List<Second> timeline = new ArrayList<>();
    private final List<Path> folders = new ArrayList<>();
    /** The requests that count, run by run, by phase. */
    private final Map<String, List<List<Request>>> requests = new LinkedHashMap<>();

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
        this.generator = new LoadGenerator(regions, plan);
        this.names = regions.map().cities().keySet().stream().map(Region::name).toList();
    }

    /**
     * Makes sure that it can be run, before much work is done for it.
     *
     * @throws Refusal when the load generator is missing
     */
    public static void check() {
        LoadGenerator.program();
    }

    /** How long it takes about, without loading and without the stages. */
    public static Duration expected(TrafficPlan plan) {
        Duration run = plan.warmUp().plus(plan.duration()).plusSeconds(7);
        return run.multipliedBy(2L * plan.runs()).plus(Duration.ofMillis(plan.matrixSamples() * 4_000L));
    }

    /**
     * Runs it, and writes the results and the page that shows them.
     *
     * @param command the words of the command line
     */
    public TrafficResults run(
            DatasetSpec rows, String scale, LabRequest.Program program, List<String> command, double loadSeconds)
            throws InterruptedException {
        Instant startedAt = Instant.now();
        Cluster cluster = regions.cluster();
        for (ServiceInstance instance : regions.instances()) {
            Preflight.of(instance.gateway()).stream()
                    // A round trip is what is measured here; and the rows of another region have other statistics.
                    .filter(check ->
                            !check.name().equals("round trip") && !check.name().equals("statistics"))
                    .map(check -> new Check(
                            check.name() + ", " + instance.region(), check.status(), check.detail(), check.remedy()))
                    .forEach(checks::add);
        }
        List<Phase> phases = new ArrayList<>();
        measureMatrix(plan.before());
        phases.add(phase("before", plan.before()));
        searchRate(plan.before());
        Migration migration = plan.during() ? migrateUnderTraffic(phases) : migrate();
        measureMatrix(plan.after());
        phases.add(phase("after", plan.after()));
        searchRate(plan.after());
        Ledger ledger = ledger();
        boolean complete = ledger.faults().isEmpty()
                && phases.stream()
                        .flatMap(phase -> phase.runs().stream())
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
                Surroundings.of(cluster, cluster.gateway(), program),
                Surroundings.dataset(scale, rows, loadSeconds),
                regionsOf(),
                new TrafficResults.Load(
                        plan.mix(),
                        plan.arrivalsPerSecond(),
                        plan.warmUp().toMillis() / 1e3,
                        plan.duration().toMillis() / 1e3,
                        plan.runs(),
                        plan.remoteShare()),
                checks,
                phases,
                migration,
                timeline,
                matrix,
                ledger,
                capacities,
                List.of(tail(phases)));
        bundle.write(results);
        return results;
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (regions.cluster().engine() == Engine.POSTGRESQL
                && regions.cluster().links().isPresent()) {
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
        notes.add("The published figures come from a closed loop of clients on another engine: ratios can be compared,"
                + " milliseconds cannot.");
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
        if (plan.matrixSamples() > 0) {
            matrix.addAll(new RegionMatrix(regions.cluster(), regions.map(), plan.matrixSamples())
                    .measure(
                            stage,
                            done -> progress.accept(String.format(
                                    Locale.ROOT,
                                    "Single statements between regions at %s: %.0f%%",
                                    stage,
                                    100 * done))));
        }
    }

    private Phase phase(String id, Stage stage) throws InterruptedException {
        List<Run> runs = new ArrayList<>();
        List<Request> steady = new ArrayList<>();
        for (int number = 1; number <= plan.runs(); number++) {
            Path folder = bundle.folder().resolve("raw").resolve(id + "-" + number);
            String what = String.format(Locale.ROOT, "Traffic at %s, run %d of %d", stage, number, plan.runs());
            long begun = System.nanoTime();
            LoadGenerator.Output output;
            try (LoadGenerator.Started started = generator.start(folder, plan.arrivalsPerSecond(), plan.duration(), number)) {
                output = started.await(
                        plan.warmUp().plus(plan.duration()),
                        () -> progress.accept(what + ", " + (System.nanoTime() - begun) / 1_000_000_000 + " s"));
            }
            runs.add(run(number, output));
            steady.addAll(keep(id, folder, output));
        }
        return new Phase(id, stage.id(), runs, TrafficStatistics.operations(steady, names));
    }

    /** Looks for the highest rate that keeps the objective, by short runs that count nowhere else. */
    private void searchRate(Stage stage) throws InterruptedException {
        Objective objective = plan.objective();
        if (objective == null) {
            return;
        }
        int[] number = {0};
        capacities.add(RateSearch.search(
                stage.id(), objective.quantile(), objective.limitMs(), plan.arrivalsPerSecond(), rate -> {
                    Path folder =
                            bundle.folder().resolve("raw").resolve("rate-" + stage.id() + "-" + ++number[0]);
                    String what = String.format(
                            Locale.ROOT, "Highest rate with %s at %s: trying %.1f arrivals/s", objective, stage, rate);
                    try (LoadGenerator.Started started = generator.start(folder, rate, PROBE, number[0])) {
                        LoadGenerator.Output output =
                                started.await(plan.warmUp().plus(PROBE), () -> progress.accept(what));
                        folders.add(folder);
                        return probe(objective, rate, output);
                    }
                }));
    }

    private static Probe probe(Objective objective, double rate, LoadGenerator.Output output) {
        List<Request> steady =
                output.requests().stream().filter(Request::steady).toList();
        double[] latencies = steady.stream().mapToDouble(Request::latencyMs).toArray();
        double seen = latencies.length == 0
                ? Double.POSITIVE_INFINITY
                : Quantile.withDefaults().evaluate(latencies, objective.quantile());
        Run run = run(0, output);
        boolean fast = seen <= objective.limitMs();
        boolean sound = run.failed() <= MOST_FAILED * steady.size();
        String why = fast
                ? sound ? "" : run.failed() + " of " + steady.size() + " requests failed"
                : String.format(Locale.ROOT, "%s was %.0f ms", objective.toString().replaceAll("=.*", ""), seen);
        // One that is late although the objective is kept has made it harder, not easier.
        String limit = fast && sound ? null : run.bottleneck();
        return new Probe(rate, run.requestsPerSecond(), seen, run.failed(), fast && sound, why, limit);
    }

    private List<Request> keep(String phase, Path folder, LoadGenerator.Output output) {
        folders.add(folder);
        List<Request> steady = output.steady();
        if (steady.isEmpty()) {
            throw new Refusal("The load generator counted no request (see " + folder + ")");
        }
        timeline.addAll(TrafficStatistics.timeline(phase, output.requests()));
        requests.computeIfAbsent(phase, id -> new ArrayList<>()).add(steady);
        return steady;
    }

    private static Run run(int number, LoadGenerator.Output output) {
        List<Request> steady = output.steady();
        long first = steady.stream().mapToLong(Request::dueMs).min().orElse(0);
        long last = steady.stream().mapToLong(Request::dueMs).max().orElse(0);
        long answered = TrafficStatistics.count(steady, request -> !request.isFailed());
        JsonNode summary = output.summary();
        return new Run(
                number,
                first,
                last,
                last > first ? 1e3 * answered / (last - first) : 0,
                answered,
                TrafficStatistics.count(steady, Request::isRefused),
                TrafficStatistics.count(steady, Request::isFailed),
                summary.path("retries").asLong(0),
                summary.path("lag_ms").path("p99").asDouble(0),
                summary.path("process_cpu_share").asDouble(0)
                        * Runtime.getRuntime().availableProcessors(),
                bottleneck(summary));
    }

    private static @Nullable String bottleneck(JsonNode summary) {
        return summary.path("bottleneck").asBoolean(false)
                ? summary.path("reason").asString("")
                : null;
    }

    private Migration migrate() {
        long begun = System.currentTimeMillis();
        List<Stage> stages =
                regions.migrate(plan.after(), now -> progress.accept("To stage " + plan.after() + ": " + now.what()));
        List<Placement.Range> away =
                plan.after().movesRows() ? regions.awaitPlacement(PLACEMENT_LIMIT, progress) : List.of();
        checks.add(new Check(
                "placement",
                away.isEmpty() ? "ok" : "problem",
                away.isEmpty()
                        ? "every row is in its region"
                        : away.size() + " leaseholders are away from their region",
                away.isEmpty() ? "" : "wait longer before measuring"));
        Map<String, Long> locked = new LinkedHashMap<>();
        regions.schema().pauses().forEach((stage, pause) -> locked.put(stage.id(), pause.toMillis()));
        return new Migration(
                plan.before().id(),
                plan.after().id(),
                stages.stream().map(Stage::id).toList(),
                begun,
                (System.currentTimeMillis() - begun) / 1e3,
                locked,
                plan.during());
    }

    private Migration migrateUnderTraffic(List<Phase> phases) throws InterruptedException {
        Path folder = bundle.folder().resolve("raw").resolve("during-1");
        Migration migration;
        LoadGenerator.Output output;
        try (LoadGenerator.Started started = generator.start(folder, plan.arrivalsPerSecond(), LONGEST_MIGRATION, 0)) {
            progress.accept("Traffic during the migration begins");
            started.awaitSteady();
            // So that there is something to compare with on both sides.
            Thread.sleep(plan.duration().toMillis() / 2);
            migration = migrate();
            Thread.sleep(plan.duration().toMillis() / 2);
            output = started.end();
        }
        List<Request> steady = keep("during", folder, output);
        phases.add(new Phase(
                "during", plan.before().id(), List.of(run(1, output)), TrafficStatistics.operations(steady, names)));
        return migration;
    }

    private Ledger ledger() throws InterruptedException {
        List<String> faults = new ArrayList<>();
        long acknowledged = 0;
        long unknown = 0;
        for (Path folder : folders) {
            progress.accept("Looking for every write of " + folder.getFileName() + " in the database");
            faults.addAll(generator.ledgerFaults(folder, regions.cluster().gateway()));
            Map<String, Long> counts = LoadGenerator.ledger(folder);
            acknowledged += counts.getOrDefault("acknowledged", 0L);
            unknown += counts.getOrDefault("unknown", 0L);
        }
        return new Ledger(acknowledged, unknown, faults);
    }

    /** The tail of all regions together, as it was published. */
    private Figure tail(List<Phase> phases) {
        List<double[]> before = TrafficStatistics.seconds(all("before"));
        List<double[]> after = TrafficStatistics.seconds(all("after"));
        Interval improvement = BlockQuantiles.ratio(before, after, TAIL, SEED);
        double floor = phases.stream()
                .filter(phase -> !phase.id().equals("during"))
                .mapToDouble(phase -> spread(phase.id()))
                .max()
                .orElse(1);
        // One run at each stage does not tell by how much two differ.
        boolean different = plan.runs() > 1 && (improvement.low() > floor || improvement.high() < 1 / floor);
        PublishedFigures published = PublishedFigures.load();
        List<PublishedFigures.Figure> figures = published.of("multi-region-p99");
        return new Figure(
                "multi-region-p99",
                "The tail of three regions' traffic, before and after rows are placed",
                "p99 latency since a request was due",
                "ms",
                BlockQuantiles.of(before, new double[] {TAIL}, SEED).get(0).estimate(),
                BlockQuantiles.of(after, new double[] {TAIL}, SEED).get(0).estimate(),
                improvement,
                different,
                figures.stream()
                        .map(figure -> {
                            Verdict.Reasoned verdict = Verdict.of(improvement, different, floor, figure.improvement());
                            return new Published(
                                    figure.source(),
                                    figure.engine(),
                                    figure.conditions(),
                                    figure.metric(),
                                    figure.unit(),
                                    figure.before(),
                                    figure.after(),
                                    figure.improvement(),
                                    null,
                                    // It is read off a screen, once.
                                    true,
                                    verdict.verdict().id(),
                                    different ? verdict.reason() : noDifference(improvement, floor));
                        })
                        .collect(Collectors.toList()));
    }

    private List<Request> all(String phase) {
        return requests.getOrDefault(phase, List.of()).stream()
                .flatMap(List::stream)
                .toList();
    }

    private String noDifference(Interval improvement, double floor) {
        return String.format(
                Locale.ROOT,
                "Measured %.2f× [%.2f, %.2f], and %s.",
                improvement.estimate(),
                improvement.low(),
                improvement.high(),
                plan.runs() > 1
                        ? String.format(Locale.ROOT, "runs at the same stage differ by up to %.2f×", floor)
                        : "one run at each stage does not tell by how much two runs differ");
    }

    /** By how much the tails of runs at the same stage differ: what differs by no more is noise. */
    private double spread(String phase) {
        List<Double> tails = requests.getOrDefault(phase, List.of()).stream()
                .map(run -> BlockQuantiles.of(TrafficStatistics.seconds(run), new double[] {TAIL}, SEED)
                        .get(0)
                        .estimate())
                .toList();
        double most = tails.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        double least = tails.stream().mapToDouble(Double::doubleValue).min().orElse(1);
        return most / least;
    }
}
