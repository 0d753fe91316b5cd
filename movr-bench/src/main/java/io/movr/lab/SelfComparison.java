package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.dataset.Answers;
import io.movr.dataset.LoadProgress;
import io.movr.environment.CpuIdlePrevention;
import io.movr.environment.EnvironmentProbe;
import io.movr.environment.Unanswered;
import io.movr.lab.Measurement.Sample;
import io.movr.lab.Measurement.Samples;
import io.movr.lab.Measurement.WrongResult;
import io.movr.report.CpuSteal;
import io.movr.report.Environment;
import io.movr.report.LabResults.Check;
import io.movr.report.RunBundle;
import io.movr.report.SelfComparisonResults;
import io.movr.report.SelfComparisonResults.Planted;
import io.movr.report.SelfComparisonResults.Run;
import io.movr.stats.Comparison;
import io.movr.stats.Holm;
import io.movr.stats.Interval;
import io.movr.stats.Share;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.descriptive.Quantile;

/**
 * Experiments of which both sides are the same, measured and judged as the laboratory does, again and again: how often it
 * calls a difference where there is none. Effects of a known size are then planted into the same samples, which tells how
 * often they are found among the same noise.
 */
public final class SelfComparison {

    /** The experiments that are measured unless others are named; the last one writes. */
    public static final List<String> DEFAULT_EXPERIMENTS =
            List.of("pk-lookup", "name-index", "join-index", "returning-id");

    /** Factors by which one side's samples are divided. */
    private static final double[] PLANTED = {1.05, 1.1, 1.2};

    private static final int MOST_RUNS = 10_000;
    private static final double[] RATIO_QUANTILES = {0.5, Comparison.ALPHA / 2, 1 - Comparison.ALPHA / 2};

    private final Cluster cluster;
    private final LabRequest request;
    private final int runs;
    private final LabListener listener;
    private final Lab lab;

    /**
     * Sets it up.
     *
     * @param runs from 1 to 10,000; each measures every experiment once
     * @param listener told of every experiment of every run; nothing is told when one has been measured
     * @throws UserError if the runs are out of range, or an experiment needs several regions
     */
    public SelfComparison(Cluster cluster, LabRequest request, int runs, LabListener listener) {
        if (runs < 1 || runs > MOST_RUNS) {
            throw new UserError("--against-itself " + runs + " is out of range: 1 to " + MOST_RUNS + " runs");
        }
        if (!Lab.ofOneRegion().containsAll(request.experiments())) {
            throw new UserError("--against-itself compares the experiments of one region: choose from "
                    + String.join(", ", Lab.ofOneRegion()));
        }
        this.cluster = cluster;
        this.request = request;
        this.runs = runs;
        this.listener = listener;
        this.lab = new Lab(cluster, request, null, listener);
    }

    /**
     * A finished one.
     *
     * @param bundle where everything about it is
     */
    public record Outcome(SelfComparisonResults results, RunBundle bundle) {}

    /** The latencies of one experiment in one run, in milliseconds, by block. */
    record Sides(List<double[]> before, List<double[]> after, List<double[]> control) {

        static Sides of(Samples taken) {
            ParameterKinds kinds = ParameterKinds.of(taken);
            return new Sides(
                    kinds.blocks(Measurement.BEFORE),
                    kinds.blocks(Measurement.AFTER),
                    kinds.blocks(Measurement.CONTROL));
        }

        /** What they say if the side after had been faster by a factor. */
        Evidence evidence(double factor) {
            return Evidence.of(
                    before,
                    after.stream()
                            .map(block -> Arrays.stream(block)
                                    .map(latency -> latency / factor)
                                    .toArray())
                            .toList(),
                    control);
        }
    }

    /** What one run says of one experiment, and what it would say of planted effects, in the order of their factors. */
    record Verdicts(Run run, List<PlantedVerdict> planted) {}

    record PlantedVerdict(boolean found, boolean foundWithoutFloor) {}

    /**
     * Measures. The results are written after each run, so that those of a run that is stopped are there.
     *
     * @param progress of loading the rows
     * @throws UserError if the database cannot be prepared, an answer is wrong, or the database fails
     */
    public Outcome run(LoadProgress progress) {
        Instant startedAt = Instant.now();
        long begun = System.nanoTime();
        List<Experiment> experiments =
                Lab.writersFirst(Experiments.of(request.experiments(), new Answers(request.dataset())).stream()
                        .map(SelfComparison::againstItself)
                        .toList());
        try (SideDatabases databases =
                new SideDatabases(cluster, request, experiments, progress, listener::preparing)) {
            double loadSeconds = (System.nanoTime() - begun) / 1e9;
            Gateway any = databases.any();
            List<Check> preflight = lab.preflight(any);
            CpuSteal stolen = new CpuSteal();
            Environment environment = EnvironmentProbe.of(cluster, any, request.program());
            RunBundle bundle =
                    RunBundle.create(request.out(), startedAt, cluster.engine().folder(), "lab-against-itself");
            List<Measurement> measurements = experiments.stream()
                    .map(experiment -> {
                        Place place = databases.at(experiment, experiment.before());
                        return lab.measurement(experiment, place, place);
                    })
                    .toList();
            List<List<Verdicts>> verdicts = new ArrayList<>();
            SelfComparisonResults results = null;
            for (int number = 1; number <= runs; number++) {
                List<Sides> sides = new ArrayList<>();
                StringBuilder raw = new StringBuilder("experiment,block,round,side,started_ms,latency_ms\n");
                for (int index = 0; index < experiments.size(); index++) {
                    Experiment experiment = experiments.get(index);
                    listener.measuring(
                            (number - 1) * experiments.size() + index + 1, runs * experiments.size(), experiment.id());
                    Samples taken = take(experiment, measurements.get(index), number);
                    taken.samples().forEach(sample -> raw.append(line(experiment.id(), sample)));
                    sides.add(Sides.of(taken));
                }
                bundle.write(String.format(Locale.ROOT, "raw/run-%04d.csv", number), raw.toString());
                verdicts.add(judged(number, sides));
                results = new SelfComparisonResults(
                        SelfComparisonResults.SCHEMA_VERSION,
                        "self-comparison",
                        startedAt.truncatedTo(ChronoUnit.SECONDS).toString(),
                        (System.nanoTime() - begun) / 1e9,
                        request.command(),
                        number == runs,
                        environment.with(stolen),
                        EnvironmentProbe.dataset(request.scale(), request.dataset(), loadSeconds),
                        Lab.rules(),
                        preflight,
                        runs,
                        samplesOf(sides.get(0)),
                        sides.get(0).before().size(),
                        anyDifference(verdicts),
                        summed(experiments, verdicts));
                bundle.write(results);
            }
            if (results == null) {
                throw new IllegalStateException("No run of " + runs);
            }
            return new Outcome(results, bundle);
        }
    }

    private static Experiment againstItself(Experiment experiment) {
        return new Experiment(
                experiment.id(),
                experiment.title(),
                experiment.lesson(),
                experiment.notes(),
                experiment.before(),
                experiment.before());
    }

    private Samples take(Experiment experiment, Measurement measurement, int number) {
        CpuIdlePrevention processors = new CpuIdlePrevention(request.keepAwake() && !experiment.writes());
        try {
            return measurement.take(request.samples(), listener);
        } catch (WrongResult | SQLException failed) {
            String why = failed instanceof Unanswered.Late late
                    ? late.told(cluster.engine())
                    : String.valueOf(failed.getMessage());
            throw new UserError("Run " + number + " of " + experiment.id() + " failed: " + why, failed);
        } finally {
            processors.close();
        }
    }

    private static String line(String id, Sample sample) {
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%s,%.3f,%.6f\n",
                id,
                sample.block(),
                sample.round(),
                sample.side(),
                sample.startedMs(),
                sample.latencyMs());
    }

    /** Judges the experiments of one run together, and each once more with every planted effect among the others. */
    static List<Verdicts> judged(int number, List<Sides> sides) {
        List<Evidence> evidence = sides.stream().map(one -> one.evidence(1)).toList();
        double[] pValues =
                evidence.stream().mapToDouble(one -> one.measured().pValue()).toArray();
        double[] adjusted = Holm.adjust(pValues);
        List<Verdicts> verdicts = new ArrayList<>();
        for (int index = 0; index < sides.size(); index++) {
            List<PlantedVerdict> planted = new ArrayList<>();
            for (double factor : PLANTED) {
                Evidence changed = sides.get(index).evidence(factor);
                double[] among = pValues.clone();
                among[index] = changed.measured().pValue();
                double pAdjusted = Holm.adjust(among)[index];
                planted.add(new PlantedVerdict(
                        changed.isDifference(pAdjusted),
                        Comparison.isDifference(changed.measured().interval(), pAdjusted, 1)));
            }
            Evidence unchanged = evidence.get(index);
            verdicts.add(new Verdicts(
                    new Run(
                            number,
                            unchanged.measured().interval(),
                            unchanged.noise(),
                            pValues[index],
                            adjusted[index],
                            unchanged.isDifference(adjusted[index])),
                    planted));
        }
        return verdicts;
    }

    static Share anyDifference(List<List<Verdicts>> verdicts) {
        return share(verdicts, run -> run.stream().anyMatch(one -> one.run().different()));
    }

    /** Sums the runs up, experiment by experiment. */
    static List<SelfComparisonResults.Experiment> summed(List<Experiment> experiments, List<List<Verdicts>> verdicts) {
        List<SelfComparisonResults.Experiment> summed = new ArrayList<>();
        for (int index = 0; index < experiments.size(); index++) {
            int place = index;
            Experiment experiment = experiments.get(index);
            List<Verdicts> own = verdicts.stream().map(run -> run.get(place)).toList();
            List<Planted> planted = new ArrayList<>();
            for (int effect = 0; effect < PLANTED.length; effect++) {
                int which = effect;
                planted.add(new Planted(
                        PLANTED[effect],
                        share(own, one -> one.planted().get(which).found()),
                        share(own, one -> one.planted().get(which).foundWithoutFloor())));
            }
            double[] ratios = quantiles(own, one -> one.run().ratio().estimate());
            summed.add(new SelfComparisonResults.Experiment(
                    experiment.id(),
                    experiment.before().label(),
                    experiment.before().contents().describe(),
                    experiment.writes(),
                    experiment.before().operation().steps().stream()
                            .map(Step::sql)
                            .toList(),
                    share(own, one -> one.run().different()),
                    share(own, one -> one.run().ratio().contains(1)),
                    new Interval(ratios[0], ratios[1], ratios[2]),
                    quantiles(own, one -> one.run().noise().noiseFloor())[0],
                    planted,
                    own.stream().map(Verdicts::run).toList()));
        }
        return summed;
    }

    private static <T> Share share(List<T> cases, Predicate<T> of) {
        return Share.of((int) cases.stream().filter(of).count(), cases.size());
    }

    private static double[] quantiles(List<Verdicts> runs, ToDoubleFunction<Verdicts> of) {
        return Quantile.withDefaults().evaluate(runs.stream().mapToDouble(of).toArray(), RATIO_QUANTILES);
    }

    private static int samplesOf(Sides sides) {
        return sides.before().stream().mapToInt(block -> block.length).sum();
    }
}
