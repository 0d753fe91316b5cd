package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.dataset.Answers;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.environment.EnvironmentProbe;
import io.movr.published.PublishedFigures;
import io.movr.report.CpuSteal;
import io.movr.report.Environment;
import io.movr.report.LabResults;
import io.movr.report.LabResults.Check;
import io.movr.report.RunBundle;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run of the laboratory: prepares the databases, measures the experiments, judges them, and writes a run bundle.
 */
public final class Lab {

    private static final long SEED = 1;

    private final Cluster cluster;
    private final LabRequest request;
    private final LabListener listener;
    private final @Nullable Regions regions;

    /**
     * Sets up a run.
     *
     * @param regions where experiments with regions run; {@code null} if there are none
     * @throws UserError if an experiment needs regions and there are none
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
    }

    /** Returns the ids of the built-in experiments that {@link #run} measures, in the order of the tutorial. */
    public static List<String> experiments() {
        return BuiltInExperiments.ids();
    }

    /** Returns the titles of the built-in experiments by id, in the order of the tutorial. */
    public static Map<String, String> titles() {
        Map<String, String> titles = new LinkedHashMap<>();
        BuiltInExperiments.of(BuiltInExperiments.ids(), new Answers(Scale.TINY.spec(SEED)))
                .forEach(experiment -> titles.put(experiment.id(), experiment.title()));
        return titles;
    }

    /** Returns the ids of the built-in experiments that need one region only. */
    public static List<String> ofOneRegion() {
        return BuiltInExperiments.ofOneRegion();
    }

    /** Returns the ids of the experiments that traffic from several regions measures, which {@link #run} leaves out. */
    public static List<String> ofTraffic() {
        return List.of(PublishedFigures.MULTI_REGION_QPS, PublishedFigures.MULTI_REGION_P99);
    }

    /** Returns the rules by which all experiments are measured. */
    public static LabResults.Rules rules() {
        return new LabResults.Rules(
                LabRequest.MIN_SAMPLES,
                Measurement.MIN_WARM_UPS,
                Measurement.MIN_BLOCKS,
                Measurement.ORDER,
                null,
                0.95);
    }

    /**
     * Measures the experiments of the request.
     *
     * @param progress receives the progress of loading rows
     * @throws UserError if the databases cannot be prepared, or the preflight finds a problem
     */
    public LabOutcome run(LoadProgress progress) {
        return run(progress, requested());
    }

    LabOutcome run(LoadProgress progress, List<Experiment> experiments) {
        return new Run(progress, experiments).outcome();
    }

    /**
     * Runs both sides of each experiment of one region without measuring them.
     *
     * @param progress receives the progress of loading rows
     * @return what is wrong with plans and answers, by experiment; empty if nothing is
     * @throws UserError if the databases cannot be prepared, or the preflight finds a problem
     */
    public Map<String, String> tryOut(LoadProgress progress) {
        List<Experiment> experiments = writersFirst(requested());
        Map<String, String> wrong = new LinkedHashMap<>();
        try (SideDatabases databases =
                new SideDatabases(cluster, request, experiments, progress, listener::preparing)) {
            LabPreflight preflight = new LabPreflight(cluster, request);
            preflight.check(databases.any());
            RunBundle bundle = RunBundle.create(
                    request.out(), Instant.now(), cluster.engine().folder(), "lab");
            ExperimentRun.Context context =
                    new ExperimentRun.Context(cluster, request, listener, bundle, preflight.sharedServer());
            for (Experiment experiment : experiments) {
                listener.measuring(experiments.indexOf(experiment) + 1, experiments.size(), experiment.id());
                Endpoints before = databases.at(experiment, experiment.before());
                Endpoints after = databases.at(experiment, experiment.after());
                Stream<Experiment> writes = experiment.pricedWrites().stream().map(MeasuredWrite::experiment);
                Stream.concat(Stream.of(experiment), writes)
                        .flatMap(one -> new ExperimentRun(context, one, before, after).tryOut().stream())
                        .findFirst()
                        .ifPresent(complaint -> wrong.put(experiment.id(), complaint));
            }
        }
        return wrong;
    }

    /** Returns first the experiments of folders, then the built-in ones. */
    private List<Experiment> requested() {
        List<Experiment> all = new ArrayList<>(request.folders().of(request.experiments()));
        all.addAll(BuiltInExperiments.of(request.experiments(), new Answers(request.dataset())));
        return all;
    }

    /** Keeping processors awake may exhaust the CPU credits of a machine, so what suffers from that comes first. */
    static List<Experiment> writersFirst(List<Experiment> experiments) {
        return experiments.stream()
                .sorted(Comparator.comparing(experiment -> !experiment.writes()))
                .toList();
    }

    /** One run, from the first database to its results. */
    private final class Run {

        private final LoadProgress progress;
        private final List<Experiment> experiments;
        private final Instant startedAt = Instant.now();
        private final long startedNanos = System.nanoTime();
        private final LabPreflight preflight = new LabPreflight(cluster, request);
        private final List<Check> checks = new ArrayList<>();
        private final List<LabResults.Experiment> results = new ArrayList<>();
        private final List<LabResults.Price> prices = new ArrayList<>();
        private double loadSeconds;

        /** Whether every price is measured that should be. */
        private boolean allPriced = true;

        Run(LoadProgress progress, List<Experiment> experiments) {
            this.progress = progress;
            this.experiments = experiments;
        }

        LabOutcome outcome() {
            List<Experiment> ofOneRegion = writersFirst(experiments.stream()
                    .filter(experiment -> experiment.city() == null)
                    .toList());
            try (SideDatabases databases = ofOneRegion.isEmpty()
                    ? null
                    : new SideDatabases(cluster, request, ofOneRegion, progress, listener::preparing)) {
                loadSeconds = seconds();
                Gateway any = databases == null ? cluster.gateway() : databases.any();
                listener.preparing("Preflight");
                checks.addAll(preflight.check(any));
                if (databases != null) {
                    databases.checks().forEach(check -> {
                        checks.add(check);
                        listener.noted(check.detail());
                    });
                }
                CpuSteal stolen = new CpuSteal();
                Environment environment = EnvironmentProbe.of(cluster, any, request.program());
                RunBundle bundle = RunBundle.create(
                        request.out(), startedAt, cluster.engine().folder(), "lab");
                ExperimentRun.Context context =
                        new ExperimentRun.Context(cluster, request, listener, bundle, preflight.sharedServer());
                LabResults written;
                try {
                    if (databases != null) {
                        measureAndPrice(ofOneRegion, databases, context);
                    }
                    measureRegional(context);
                } finally {
                    // Results are written also if something stops the run, so that what was measured is not lost.
                    written = results(environment.with(stolen));
                    bundle.write(written);
                }
                return new LabOutcome(written, bundle);
            }
        }

        /** Prices come when all is read, because they write the databases. */
        private void measureAndPrice(
                List<Experiment> ofOneRegion, SideDatabases databases, ExperimentRun.Context context) {
            Map<Experiment, Set<String>> priced = new LinkedHashMap<>();
            for (Experiment experiment : ofOneRegion) {
                ExperimentRun run = measure(experiment, databases, context);
                if (experiment.isPriced() && results.get(results.size() - 1).failure() == null) {
                    priced.put(experiment, run.tables());
                    allPriced = false;
                }
            }
            priced.forEach((experiment, tables) -> prices.add(price(experiment, tables, databases, context)));
            allPriced = true;
        }

        private void measureRegional(ExperimentRun.Context context) {
            List<Experiment> regional = writersFirst(experiments.stream()
                    .filter(experiment -> experiment.city() != null)
                    .toList());
            if (regional.isEmpty()) {
                return;
            }
            try (RegionalDatabases databases = new RegionalDatabases(
                    Objects.requireNonNull(regions), request, regional, progress, listener::preparing)) {
                checks.addAll(databases.checks());
                preflight.requireSound(checks);
                regional.forEach(experiment -> measure(experiment, databases, context));
            }
        }

        private ExperimentRun measure(
                Experiment experiment, ExperimentDatabases databases, ExperimentRun.Context context) {
            listener.measuring(results.size() + 1, experiments.size(), experiment.id());
            ExperimentRun run = new ExperimentRun(
                    context,
                    experiment,
                    databases.at(experiment, experiment.before()),
                    databases.at(experiment, experiment.after()));
            LabResults.Experiment result = run.measure(databases);
            results.add(result);
            listener.measured(result);
            return run;
        }

        private LabResults.Price price(
                Experiment experiment, Set<String> tables, SideDatabases databases, ExperimentRun.Context context) {
            Endpoints before = databases.at(experiment, experiment.before());
            Endpoints after = databases.at(experiment, experiment.after());
            return new Pricing(experiment, databases, write -> {
                        listener.pricing(experiment.id() + ", " + write.name());
                        return new ExperimentRun(context, write.experiment(), before, after).measureWrite();
                    })
                    .price(tables);
        }

        private LabResults results(Environment environment) {
            Judgement judgement = new Judgement(experiments);
            List<String> order = experiments.stream().map(Experiment::id).toList();
            List<LabResults.Experiment> judged = judgement.judged(results).stream()
                    .sorted(Comparator.comparing(result -> order.indexOf(result.id())))
                    .toList();
            List<LabResults.Growth> growth = judgement.growth(judged);
            // With traffic in the request, the results stay incomplete until its experiments are added.
            boolean complete = results.size() == request.experiments().size()
                    && allPriced
                    && LabResults.areMeasured(results, prices);
            return new LabResults(
                    LabResults.SCHEMA_VERSION,
                    "lab",
                    startedAt.truncatedTo(ChronoUnit.SECONDS).toString(),
                    Duration.ofNanos(System.nanoTime() - startedNanos).toMillis() / 1000.0,
                    request.command(),
                    complete,
                    environment,
                    request.loadsMovr()
                            ? EnvironmentProbe.dataset(request.scale(), request.dataset(), loadSeconds)
                            : new LabResults.Dataset(
                                    "custom", request.dataset().seed(), List.of(), Map.of(), loadSeconds),
                    rules(),
                    checks,
                    judged,
                    null,
                    request.unit(),
                    prices.isEmpty() ? null : judgement.judgedPrices(prices),
                    growth.isEmpty() ? null : growth);
        }

        private double seconds() {
            return (System.nanoTime() - startedNanos) / 1e9;
        }
    }
}
