package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.database.plan.Plan;
import io.movr.database.plan.PlanReader;
import io.movr.dataset.Answers;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.environment.CpuIdlePrevention;
import io.movr.environment.EnvironmentProbe;
import io.movr.environment.Preflight;
import io.movr.environment.SharedCore;
import io.movr.environment.Unanswered;
import io.movr.lab.Experiment.Multiple;
import io.movr.lab.Experiment.Own;
import io.movr.lab.Experiment.Side;
import io.movr.lab.Experiment.Write;
import io.movr.lab.Measurement.Sample;
import io.movr.lab.Measurement.WrongResult;
import io.movr.published.PublishedFigures;
import io.movr.published.PublishedFigures.Figure;
import io.movr.published.Verdict;
import io.movr.report.CpuSteal;
import io.movr.report.Environment;
import io.movr.report.LabResults;
import io.movr.report.LabResults.Check;
import io.movr.report.RunBundle;
import io.movr.schema.Stage;
import io.movr.stats.Comparison;
import io.movr.stats.Holm;
import io.movr.stats.Interval;
import io.movr.stats.Summary;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run of the laboratory: prepares a database for each stage, measures the experiments, judges them, and leaves a run
 * bundle.
 */
public final class Lab {

    private static final long SEED = 1;

    private final Cluster cluster;
    private final LabRequest request;
    private final LabListener listener;
    private final @Nullable Regions regions;
    private final PublishedFigures published = PublishedFigures.load();
    private final PlanReader plans;
    private @Nullable ProcessHandle server;

    /**
     * Sets up a run.
     *
     * @param regions where the experiments run that need some; {@code null} if there are none
     * @throws UserError when an experiment needs regions and there are none
     */
    public Lab(Cluster cluster, LabRequest request, @Nullable Regions regions, LabListener listener) {
        this.cluster = cluster;
        this.request = request;
        this.regions = regions;
        this.listener = listener;
        if (regions == null && !request.ofRegions().isEmpty()) {
            throw new UserError(
                    "Experiments geo-* need a database in each of several regions: name one --url and one --home"
                            + " a region, or no database");
        }
        this.plans = PlanReader.of(cluster.engine());
    }

    /** The ids of all experiments that it measures itself, in the order of the tutorial. */
    public static List<String> experiments() {
        return BuiltInExperiments.ids();
    }

    /** Their titles by id, in the order of the tutorial, at the scale that is the default. */
    public static Map<String, String> titles() {
        Map<String, String> titles = new LinkedHashMap<>();
        BuiltInExperiments.of(BuiltInExperiments.ids(), new Answers(Scale.QUICK.spec(SEED)))
                .forEach(experiment -> titles.put(experiment.id(), experiment.title()));
        return titles;
    }

    /** The ids of those that need one region only. */
    public static List<String> ofOneRegion() {
        return BuiltInExperiments.ofOneRegion();
    }

    /** The ids of those that traffic from several regions measures, which {@link #run} leaves out. */
    public static List<String> ofTraffic() {
        return List.of(PublishedFigures.MULTI_REGION_QPS, PublishedFigures.MULTI_REGION_P99);
    }

    /** The rules that all experiments are measured by. */
    public static LabResults.Rules rules() {
        return new LabResults.Rules(
                LabRequest.LEAST_SAMPLES,
                Measurement.LEAST_WARM_UPS,
                Measurement.LEAST_BLOCKS,
                Measurement.ORDER,
                null,
                0.95);
    }

    /**
     * A finished run.
     *
     * @param bundle where everything about it is
     */
    public record Outcome(LabResults results, RunBundle bundle) {}

    /**
     * Runs.
     *
     * @param progress of loading the rows
     * @throws UserError when the database cannot be prepared, or the preflight finds a problem
     */
    public Outcome run(LoadProgress progress) {
        return run(progress, requested());
    }

    /** First those of folders, then the built-in ones. */
    private List<Experiment> requested() {
        List<Experiment> all = new ArrayList<>(request.folders().of(request.experiments()));
        all.addAll(BuiltInExperiments.of(request.experiments(), new Answers(request.dataset())));
        return all;
    }

    Outcome run(LoadProgress progress, List<Experiment> experiments) {
        Instant startedAt = Instant.now();
        long begun = System.nanoTime();
        List<Experiment> ofOneRegion = writersFirst(
                experiments.stream().filter(one -> one.city() == null).toList());
        List<Experiment> regional = writersFirst(
                experiments.stream().filter(one -> one.city() != null).toList());
        try (SideDatabases databases = ofOneRegion.isEmpty()
                ? null
                : new SideDatabases(cluster, request, ofOneRegion, progress, listener::preparing)) {
            double loadSeconds = (System.nanoTime() - begun) / 1e9;
            Gateway any = databases == null ? cluster.gateway() : databases.any();
            List<Check> preflight = preflight(any);
            if (databases != null) {
                databases.copy().ifPresent(copy -> {
                    preflight.add(copy);
                    listener.noted(copy.detail());
                });
                databases.warnings().forEach(warning -> {
                    preflight.add(warning);
                    listener.noted(warning.detail());
                });
            }
            CpuSteal stolen = new CpuSteal();
            Environment environment = EnvironmentProbe.of(cluster, any, request.program());
            RunBundle bundle =
                    RunBundle.create(request.out(), startedAt, cluster.engine().folder(), "lab");
            List<LabResults.Experiment> results = new ArrayList<>();
            Map<Experiment, Set<String>> priced = new LinkedHashMap<>();
            List<LabResults.Price> prices = new ArrayList<>();
            LabResults written;
            try {
                for (Experiment experiment : ofOneRegion) {
                    SideDatabases sides = Objects.requireNonNull(databases);
                    Set<String> tables = measure(
                            experiment,
                            sides.at(experiment, experiment.before()),
                            sides.at(experiment, experiment.after()),
                            bundle,
                            experiments.size(),
                            results);
                    if (experiment.isPriced() && results.get(results.size() - 1).failure() == null) {
                        priced.put(experiment, tables);
                    }
                }
                // When nothing is read any more, because the databases are written now.
                for (Map.Entry<Experiment, Set<String>> one : priced.entrySet()) {
                    prices.add(price(one.getKey(), one.getValue(), Objects.requireNonNull(databases), bundle));
                }
                if (!regional.isEmpty()) {
                    measureRegional(regional, progress, bundle, experiments.size(), preflight, results);
                }
            } finally {
                // Written also when something stops the run: what was measured is not lost.
                written = results(
                        startedAt,
                        begun,
                        loadSeconds,
                        environment.with(stolen),
                        preflight,
                        results,
                        prices,
                        prices.size() == priced.size());
                bundle.write(written);
            }
            return new Outcome(written, bundle);
        }
    }

    /**
     * Runs both sides of each experiment of one region without measuring them.
     *
     * @param progress of loading the rows
     * @return what is wrong with plans and answers, by experiment; empty if nothing is
     * @throws UserError when the database cannot be prepared, or the preflight finds a problem
     */
    public Map<String, String> tryOut(LoadProgress progress) {
        List<Experiment> experiments = writersFirst(requested());
        Map<String, String> wrong = new LinkedHashMap<>();
        try (SideDatabases databases =
                new SideDatabases(cluster, request, experiments, progress, listener::preparing)) {
            preflight(databases.any());
            RunBundle bundle = RunBundle.create(
                    request.out(), Instant.now(), cluster.engine().folder(), "lab");
            for (int index = 0; index < experiments.size(); index++) {
                Experiment experiment = experiments.get(index);
                listener.measuring(index + 1, experiments.size(), experiment.id());
                Place before = databases.at(experiment, experiment.before());
                Place after = databases.at(experiment, experiment.after());
                Stream<Experiment> writes = experiment.own() == null
                        ? Stream.of()
                        : experiment.own().writes().stream().map(Write::experiment);
                Stream.concat(Stream.of(experiment), writes)
                        .flatMap(one -> new Run(one, before, after, bundle).complaint().stream())
                        .findFirst()
                        .ifPresent(complaint -> wrong.put(experiment.id(), complaint));
            }
        }
        return wrong;
    }

    private void measureRegional(
            List<Experiment> experiments,
            LoadProgress progress,
            RunBundle bundle,
            int of,
            List<Check> preflight,
            List<LabResults.Experiment> results) {
        Set<Stage> stages = EnumSet.noneOf(Stage.class);
        for (Experiment experiment : experiments) {
            stages.add(experiment.before().stage());
            stages.add(experiment.after().stage());
        }
        try (RegionalDatabases databases = new RegionalDatabases(
                Objects.requireNonNull(regions),
                request.dataset(),
                request.connections(),
                stages,
                progress,
                listener::preparing)) {
            preflight.addAll(databases.preflight());
            requireSound(preflight);
            for (Experiment experiment : experiments) {
                String city = Objects.requireNonNull(experiment.city());
                measure(
                        experiment,
                        databases.at(experiment.before().stage(), city),
                        databases.at(experiment.after().stage(), city),
                        bundle,
                        of,
                        results);
            }
        } catch (SQLException failed) {
            throw new UserError("The regions do not answer: " + UserError.firstLine(failed), failed);
        }
    }

    private LabResults.Price price(
            Experiment experiment, Set<String> tables, SideDatabases databases, RunBundle bundle) {
        Place before = databases.at(experiment, experiment.before());
        Place after = databases.at(experiment, experiment.after());
        return new Pricing(experiment, databases, write -> {
                    listener.pricing(experiment.id() + ", " + write.name());
                    return new Run(write.experiment(), before, after, bundle).result();
                })
                .price(tables);
    }

    /** Measures an experiment, and says which tables its plans name. */
    private Set<String> measure(
            Experiment experiment,
            Place before,
            Place after,
            RunBundle bundle,
            int of,
            List<LabResults.Experiment> results) {
        listener.measuring(results.size() + 1, of, experiment.id());
        // Busy processors slow a disk down that shares them, so they stay busy for reading only.
        CpuIdlePrevention processors = new CpuIdlePrevention(request.keepAwake() && !experiment.writes());
        Run run = new Run(experiment, before, after, bundle);
        LabResults.Experiment result;
        try {
            result = run.result();
        } finally {
            processors.close();
        }
        results.add(result);
        listener.measured(result);
        return run.tables;
    }

    List<Check> preflight(Gateway any) {
        listener.preparing("Preflight");
        List<Check> checks = new ArrayList<>(Preflight.ofThisMachine());
        checks.addAll(Preflight.of(any));
        checks.add(wakefulness());
        cluster.process().ifPresent(process -> {
            server = SharedCore.isPossible(process) ? process : null;
            checks.add(cores(server != null));
        });
        if (!cluster.engine().isMultiRegion()) {
            checks.add(new Check("replicas and leases", "ok", "one server: there are none to place", ""));
        }
        if (!cluster.engine().copiesDatabases() && request.folders().inPlace().isEmpty()) {
            checks.add(new Check(
                    "databases",
                    "ok",
                    "restored from one backup or loaded one by one, with the same rows, because "
                            + cluster.engine().title() + " does not copy databases",
                    ""));
        }
        requireSound(checks);
        return checks;
    }

    private void requireSound(List<Check> checks) {
        if (!request.force()) {
            Preflight.requireSound(checks);
        }
    }

    /** What keeps processors awake may wear a machine out: whatever suffers from that comes before it. */
    static List<Experiment> writersFirst(List<Experiment> experiments) {
        return experiments.stream()
                .sorted(Comparator.comparing(experiment -> !experiment.writes()))
                .toList();
    }

    private Check wakefulness() {
        return request.keepAwake() && CpuIdlePrevention.isPossible()
                ? new Check(
                        "processors",
                        "ok",
                        "kept awake by a process of idle priority on each core while reading is measured",
                        "")
                : new Check(
                        "processors",
                        "warning",
                        "may fall asleep between statements, and waking up is in every sample",
                        "measure on Linux with the program chrt (util-linux), or expect short statements to vary");
    }

    private static Check cores(boolean shared) {
        return shared
                ? new Check(
                        "cores",
                        "ok",
                        "the server and the thread that calls it share one while reads below a millisecond are measured",
                        "")
                : new Check(
                        "cores",
                        "warning",
                        "the system chooses those of the server and of the thread that calls it, and a short statement takes"
                                + " longer on two",
                        "measure on Linux with the program taskset (util-linux), or expect short statements to vary");
    }

    /** What takes an experiment's samples, the server's core included. */
    Measurement measurement(Experiment experiment, Place before, Place after) {
        boolean sharesCore = !experiment.writes() && experiment.city() == null;
        return new Measurement(experiment, before, after, sharesCore ? server : null);
    }

    /** The more experiments there are, the less a single one's p-value says. */
    private List<LabResults.Experiment> judgedTogether(List<LabResults.Experiment> experiments) {
        List<LabResults.Experiment> measured = experiments.stream()
                .filter(result -> result.improvement() != null)
                .toList();
        double[] adjusted = Holm.adjust(
                measured.stream().mapToDouble(LabResults.Experiment::pValue).toArray());
        return experiments.stream()
                .map(result -> {
                    int index = measured.indexOf(result);
                    return index < 0 ? result : judged(result, adjusted[index]);
                })
                .toList();
    }

    /** Writes are judged among each other: those that are measured unasked make no experiment harder to judge. */
    private List<LabResults.Price> judgedPrices(List<LabResults.Price> prices) {
        Iterator<LabResults.Experiment> judged = judgedTogether(prices.stream()
                        .flatMap(price -> price.writes().stream())
                        .map(LabResults.Write::measured)
                        .toList())
                .iterator();
        return prices.stream()
                .map(price -> price.with(price.writes().stream()
                        .map(write -> write.with(judged.next()))
                        .toList()))
                .toList();
    }

    private LabResults.Experiment judged(LabResults.Experiment result, double pAdjusted) {
        Interval improvement = Objects.requireNonNull(result.improvement());
        boolean different = Comparison.isDifference(improvement, pAdjusted, result.noiseFloor());
        return result.judged(pAdjusted, different, verdicts(result.id(), improvement, different, result.noiseFloor()));
    }

    private List<LabResults.Published> verdicts(String id, Interval improvement, boolean different, double noiseFloor) {
        List<Figure> figures = request.folders().of(List.of(id)).stream()
                .map(Experiment::own)
                .filter(Objects::nonNull)
                .findFirst()
                .map(Own::published)
                .orElseGet(() -> published.of(id));
        return figures.stream()
                .map(figure -> {
                    Interval medians = published.ratioOfMedians(figure).orElse(null);
                    double target = medians == null ? figure.improvement() : medians.estimate();
                    Verdict.Reasoned verdict = Verdict.of(improvement, different, noiseFloor, target);
                    return figure.judged(
                            medians,
                            published.isSingleRun(figure),
                            verdict.verdict().id(),
                            verdict.reason());
                })
                .toList();
    }

    private LabResults results(
            Instant startedAt,
            long begun,
            double loadSeconds,
            Environment environment,
            List<Check> preflight,
            List<LabResults.Experiment> experiments,
            List<LabResults.Price> prices,
            boolean allPriced) {
        List<String> order = Stream.concat(request.folders().ids().stream(), experiments().stream())
                .toList();
        // Of a request for traffic too it stays incomplete until that is added.
        List<LabResults.Experiment> judged = judgedTogether(experiments).stream()
                .sorted(Comparator.comparing(result -> order.indexOf(result.id())))
                .toList();
        List<LabResults.Growth> growth = growth(judged);
        boolean complete = experiments.size() == request.experiments().size()
                && allPriced
                && LabResults.areMeasured(experiments, prices);
        return new LabResults(
                LabResults.SCHEMA_VERSION,
                "lab",
                startedAt.truncatedTo(ChronoUnit.SECONDS).toString(),
                Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1000.0,
                request.command(),
                complete,
                environment,
                request.loadsMovr()
                        ? EnvironmentProbe.dataset(request.scale(), request.dataset(), loadSeconds)
                        : new LabResults.Dataset("custom", request.dataset().seed(), List.of(), Map.of(), loadSeconds),
                rules(),
                preflight,
                judged,
                null,
                request.unit(),
                prices.isEmpty() ? null : judgedPrices(prices),
                growth.isEmpty() ? null : growth);
    }

    /** Of each folder that was measured at several scales. */
    private List<LabResults.Growth> growth(List<LabResults.Experiment> results) {
        Map<String, List<LabResults.Point>> points = new LinkedHashMap<>();
        for (LabResults.Experiment result : results) {
            Multiple multiple = request.folders().of(List.of(result.id())).stream()
                    .flatMap(experiment -> Stream.ofNullable(experiment.own()))
                    .map(Own::multiple)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            if (multiple != null) {
                points.computeIfAbsent(multiple.of(), folder -> new ArrayList<>())
                        .add(LabResults.Point.of(multiple.scale(), result));
            }
        }
        return points.entrySet().stream()
                .filter(folder -> folder.getValue().size() > 1)
                .map(folder -> new LabResults.Growth(folder.getKey(), folder.getValue()))
                .toList();
    }

    /** One experiment, from its plans to its verdicts. */
    private final class Run {

        private final Experiment experiment;
        private final Place before;
        private final Place after;
        private final RunBundle bundle;
        private final Set<String> tables = new HashSet<>();
        private @Nullable Map<String, Long> rows;

        Run(Experiment experiment, Place before, Place after, RunBundle bundle) {
            this.experiment = experiment;
            this.before = before;
            this.after = after;
            this.bundle = bundle;
        }

        LabResults.Experiment result() {
            try {
                plans(Measurement.BEFORE, experiment.before(), before);
                plans(Measurement.AFTER, experiment.after(), after);
                Own own = experiment.own();
                rows = own == null ? null : SideDatabases.rows(before.nearby(), own.tables());
                Measurement.Samples taken =
                        measurement(experiment, before, after).take(request.samples(), listener);
                // The planner may have changed its mind while rows came and went.
                List<LabResults.Plan> plansBefore = plans(Measurement.BEFORE, experiment.before(), before);
                List<LabResults.Plan> plansAfter = plans(Measurement.AFTER, experiment.after(), after);
                return judge(taken, plansBefore, plansAfter);
            } catch (WrongResult wrong) {
                return failed(String.valueOf(wrong.getMessage()));
            } catch (SQLException refused) {
                return failed(reason(refused));
            }
        }

        /** What is wrong when each side runs without being measured; empty if nothing is. */
        Optional<String> complaint() {
            try {
                plans(Measurement.BEFORE, experiment.before(), before);
                plans(Measurement.AFTER, experiment.after(), after);
                measurement(experiment, before, after).tryOut();
                return Optional.empty();
            } catch (WrongResult wrong) {
                return Optional.of(String.valueOf(wrong.getMessage()));
            } catch (SQLException refused) {
                return Optional.of(reason(refused));
            }
        }

        private String reason(SQLException failed) {
            if (failed instanceof Unanswered.Late late) {
                return late.told(cluster.engine()) + ", this experiment alone with --only " + experiment.id();
            }
            if (isLost(failed)) {
                throw new UserError(
                        "The database went away during " + experiment.id() + " (" + UserError.firstLine(failed)
                                + "): see its log; what was measured before is in " + bundle.folder(),
                        failed);
            }
            Own own = experiment.own();
            return "The database refused" + (own == null ? "" : " what " + own.folder() + " asks") + ": "
                    + UserError.firstLine(failed);
        }

        /** Whether the connection is gone, and the other experiments have nothing to run on either. */
        private static boolean isLost(SQLException failed) {
            String state = String.valueOf(failed.getSQLState());
            return state.startsWith("08") || state.startsWith("57P");
        }

        private List<LabResults.Plan> plans(String name, Side side, Place place) throws SQLException {
            List<LabResults.Plan> read = new ArrayList<>();
            String statement = side.label() + ", before its plan is asked for";
            try (Connection connection =
                    Unanswered.bounded(place.measured(), Unanswered.LIMIT).connect("movr-lab-plans")) {
                side.operation().prepare(connection);
                for (Step step : side.operation().steps()) {
                    statement = plans.prefix() + step.sql();
                    Plan plan;
                    try {
                        plan = plans.explain(connection, step.sql(), step.parameters());
                    } catch (SQLException failed) {
                        throw side.operation().explained(read.size(), failed);
                    }
                    plan.root()
                            .all()
                            .flatMap(node -> Stream.ofNullable(node.table()))
                            .forEach(tables::add);
                    String file = "plans/" + experiment.id() + "." + name + "." + (read.size() + 1) + plans.extension();
                    bundle.write(file, plan.source());
                    read.add(new LabResults.Plan(
                            step.sql(), step.expected(), plan.describe(), plan.text(), file, plan.recommendations()));
                    Optional<String> complaint = step.complaint(plan);
                    if (complaint.isPresent()) {
                        throw new WrongResult("Wrong plan " + name + " (" + side.label() + "): " + complaint.get()
                                + advice() + "\n" + plan.text());
                    }
                }
                statement = side.label() + ", after its plan was asked for";
                side.operation().reset(connection);
            } catch (SQLException failed) {
                throw Unanswered.of(failed, statement, Unanswered.LIMIT, place.measured());
            }
            return read;
        }

        private String advice() {
            if (experiment.own() == null) {
                return "";
            }
            return "; if that plan is right, expect it in " + ExperimentFolder.YAML;
        }

        private LabResults.Experiment judge(
                Measurement.Samples taken, List<LabResults.Plan> plansBefore, List<LabResults.Plan> plansAfter) {
            List<Sample> samples = taken.samples();
            StringBuilder raw = new StringBuilder("block,round,side,started_ms,latency_ms,parameter_row\n");
            for (Sample sample : samples) {
                raw.append(String.format(
                        Locale.ROOT,
                        "%d,%d,%s,%.3f,%.6f,%d\n",
                        sample.block(),
                        sample.round(),
                        sample.side(),
                        sample.startedMs(),
                        sample.latencyMs(),
                        sample.parameterRow() + 1));
            }
            bundle.write(rawFile(), raw.toString());
            Evidence evidence = Evidence.of(taken);
            List<LabResults.ParameterRow> byParameters =
                    ParameterKinds.of(taken).results(experiment.before().operation()::describeParameters);
            return new LabResults.Experiment(
                    experiment.id(),
                    experiment.title(),
                    experiment.lesson(),
                    "measured",
                    null,
                    experiment.notes(),
                    side(Measurement.BEFORE, experiment.before(), taken, plansBefore),
                    side(Measurement.AFTER, experiment.after(), taken, plansAfter),
                    side(Measurement.CONTROL, experiment.before(), taken, plansBefore),
                    evidence.measured().interval(),
                    evidence.noise(),
                    evidence.noiseFloor(),
                    evidence.measured().pValue(),
                    null,
                    // Judged among the others when all have been measured.
                    false,
                    List.of(),
                    rows,
                    byParameters.isEmpty() ? null : byParameters);
        }

        private LabResults.Side side(
                String name, Side side, Measurement.Samples taken, List<LabResults.Plan> sidePlans) {
            List<double[]> blocks = taken.blocks(name);
            double[] latencies = blocks.stream().flatMapToDouble(Arrays::stream).toArray();
            List<Double> boxed = new ArrayList<>(latencies.length);
            for (double latency : latencies) {
                boxed.add(Math.round(latency * 1e6) / 1e6);
            }
            Interval median = Comparison.median(blocks);
            LabResults.Unit unit = request.unit();
            return new LabResults.Side(
                    side.label(),
                    request.folders().inPlace().isPresent()
                            ? "in place"
                            : side.contents().describe(),
                    side.operation().steps().stream().map(Step::sql).toList(),
                    name.equals(Measurement.AFTER) ? taken.answerAfter() : taken.answerBefore(),
                    Summary.of(latencies),
                    median,
                    unit == null ? null : median.estimate() / unit.ms(),
                    boxed,
                    rawFile(),
                    sidePlans);
        }

        private LabResults.Experiment failed(String failure) {
            return new LabResults.Experiment(
                    experiment.id(),
                    experiment.title(),
                    experiment.lesson(),
                    "failed",
                    failure,
                    experiment.notes(),
                    null,
                    null,
                    null,
                    null,
                    null,
                    1,
                    1,
                    null,
                    false,
                    List.of(),
                    rows,
                    null);
        }

        private String rawFile() {
            return "raw/" + experiment.id() + ".csv";
        }
    }
}
