package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.dataset.Answers;
import io.movr.dataset.LoadProgress;
import io.movr.environment.CpuIdlePrevention;
import io.movr.environment.StatementTimeout;
import io.movr.lab.Samples.Sample;
import io.movr.report.render.TextTable;
import io.movr.stats.Comparison;
import io.movr.stats.Holm;
import io.movr.stats.Interval;
import io.movr.stats.Share;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.descriptive.Quantile;
import org.jspecify.annotations.Nullable;

/**
 * A repeated comparison of experiments with themselves: it counts how often the laboratory reports a difference where there
 * is none. Effects of known size are then added to the same samples, to count how often they are found.
 *
 * <p>It is in the package of the laboratory, as a test would be, because it uses package-private classes.
 */
public final class SelfComparison {

    /** Factors by which one side's samples are divided. */
    private static final double[] PLANTED = {1.05, 1.1, 1.2};

    private static final int MOST_RUNS = 10_000;
    private static final double[] RATIO_QUANTILES = {0.5, Comparison.ALPHA / 2, 1 - Comparison.ALPHA / 2};

    private final Cluster cluster;
    private final LabRequest request;
    private final int runs;
    private final @Nullable Path raw;
    private final Steps listener;

    /**
     * Creates the comparison.
     *
     * @param runs from 1 to 10,000; each measures every experiment once
     * @param raw the file for every sample; {@code null} for none
     * @param step receives the progress
     * @throws UserError if the runs are out of range, or an experiment needs several regions
     */
    public SelfComparison(Cluster cluster, LabRequest request, int runs, @Nullable Path raw, Consumer<String> step) {
        if (runs < 1 || runs > MOST_RUNS) {
            throw new UserError("--runs " + runs + " is out of range: 1 to " + MOST_RUNS);
        }
        if (!Lab.ofOneRegion().containsAll(request.experiments())) {
            throw new UserError("Only experiments of one region are compared with themselves: choose from "
                    + String.join(", ", Lab.ofOneRegion()));
        }
        this.cluster = cluster;
        this.request = request;
        this.runs = runs;
        this.raw = raw;
        this.listener = new Steps(step);
    }

    /** The verdicts of all runs on one experiment. */
    record Summed(
            String id,
            Share differences,
            Share covering,
            Interval ratio,
            double medianNoiseFloor,
            List<Planted> planted) {}

    /**
     * A known effect: the measured samples of one side were divided by a factor, and judged again among the unchanged
     * other experiments of their run.
     *
     * @param factor above 1
     * @param found runs in which a difference was reported
     * @param foundWithoutFloor runs in which it would have been reported without the noise floor
     */
    record Planted(double factor, Share found, Share foundWithoutFloor) {}

    /**
     * The verdict of one run on one experiment.
     *
     * @param ratio median of before divided by median of after, the same statement
     * @param noise median of before divided by median of the control
     */
    record Run(Interval ratio, Interval noise, boolean different) {}

    /**
     * The result of all runs.
     *
     * @param samples of each side of an experiment
     * @param blocks of samples of an experiment
     * @param anyDifference runs in which a difference was reported in at least one experiment; Holm's method keeps this, the
     *     family-wise error rate, at or below 5%
     * @param experiments in the order of measuring
     */
    public record Outcome(int samples, int blocks, Share anyDifference, List<Summed> experiments) {

        /** Returns a line for each experiment, then a line for all. */
        public String text() {
            TextTable table = new TextTable("lrrrrr" + "r".repeat(PLANTED.length));
            List<String> head = new ArrayList<>(List.of(
                    "experiment",
                    "runs",
                    "differences called",
                    "95% intervals with 1",
                    "ratio [95% of runs]",
                    "noise"));
            Arrays.stream(PLANTED).forEach(factor -> head.add(percent(factor - 1) + " found"));
            table.row(head).rule();
            for (Summed experiment : experiments) {
                List<String> cells = new ArrayList<>(List.of(
                        experiment.id(),
                        Integer.toString(experiment.differences().of()),
                        text(experiment.differences()),
                        text(experiment.covering()),
                        experiment.ratio().text(2),
                        String.format(Locale.ROOT, "±%.1f%%", 100 * (experiment.medianNoiseFloor() - 1))));
                experiment
                        .planted()
                        .forEach(effect -> cells.add(percent(
                                        effect.found().share().estimate()) + " ("
                                + percent(effect.foundWithoutFloor().share().estimate()) + ")"));
                table.row(cells);
            }
            return String.format(
                    Locale.ROOT,
                    "%s%nEach side has %d samples in %d blocks. In brackets: found if there were no noise floor. A difference"
                            + " was called in at least one experiment in %s of the runs (%d of %d); at most 5%% is promised.%n",
                    table,
                    samples,
                    blocks,
                    text(anyDifference),
                    anyDifference.count(),
                    anyDifference.of());
        }

        private static String text(Share share) {
            Interval of = share.share();
            return String.format(
                    Locale.ROOT, "%.1f%% [%.1f, %.1f]", 100 * of.estimate(), 100 * of.low(), 100 * of.high());
        }

        private static String percent(double share) {
            return String.format(Locale.ROOT, "%.0f%%", 100 * share);
        }
    }

    /** The latencies of one experiment in one run, in milliseconds, by block. */
    record Sides(List<double[]> before, List<double[]> after, List<double[]> control) {

        static Sides of(Samples taken) {
            ParameterKinds kinds = ParameterKinds.of(taken);
            return new Sides(
                    kinds.blocks(Measurement.BEFORE),
                    kinds.blocks(Measurement.AFTER),
                    kinds.blocks(Measurement.CONTROL));
        }

        /** Returns the samples with the side after faster by a factor. */
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

    /** The verdict of one run on one experiment, and those on planted effects in the order of their factors. */
    record Verdicts(Run run, List<PlantedVerdict> planted) {}

    record PlantedVerdict(boolean found, boolean foundWithoutFloor) {}

    /**
     * Runs the comparison.
     *
     * @throws UserError if the database cannot be prepared, an answer is wrong, or the database fails
     */
    public Outcome run() {
        List<Experiment> experiments =
                Lab.writersFirst(BuiltInExperiments.of(request.experiments(), new Answers(request.dataset())).stream()
                        .map(SelfComparison::againstItself)
                        .toList());
        try (SideDatabases databases =
                new SideDatabases(cluster, request, experiments, new LoadProgress(), listener::preparing)) {
            LabPreflight preflight = new LabPreflight(cluster, request);
            preflight.check(databases.any());
            List<Measurement> measurements = experiments.stream()
                    .map(experiment -> {
                        Endpoints endpoints = databases.at(experiment, experiment.before());
                        return new Measurement(experiment, endpoints, endpoints, preflight.sharedServer());
                    })
                    .toList();
            List<List<Verdicts>> verdicts = new ArrayList<>();
            List<Sides> sides = List.of();
            StringBuilder lines = new StringBuilder("run,experiment,block,side,latency_ms\n");
            for (int number = 1; number <= runs; number++) {
                sides = new ArrayList<>();
                for (int index = 0; index < experiments.size(); index++) {
                    Experiment experiment = experiments.get(index);
                    listener.step.accept("Run " + number + " of " + runs + ": " + experiment.id());
                    Samples taken = take(experiment, measurements.get(index), number);
                    for (Sample sample : taken.samples()) {
                        lines.append(line(number, experiment.id(), sample));
                    }
                    sides.add(Sides.of(taken));
                }
                write(lines);
                verdicts.add(judged(sides));
            }
            return new Outcome(
                    samplesOf(sides.get(0)),
                    sides.get(0).before().size(),
                    anyDifference(verdicts),
                    summed(experiments.stream().map(Experiment::id).toList(), verdicts));
        }
    }

    /** Writes the samples of all runs so far; they remain if the comparison is stopped. */
    private void write(StringBuilder lines) {
        if (raw == null) {
            return;
        }
        try {
            Files.writeString(raw, lines);
        } catch (IOException failed) {
            throw new UserError(
                    "Cannot write " + raw + " (" + UserError.firstLine(failed) + "): name another --raw", failed);
        }
    }

    /** Forwards the progress of preparation. */
    private record Steps(Consumer<String> step) implements LabListener {

        @Override
        public void preparing(String what) {
            step.accept(what);
        }

        @Override
        public void noted(String what) {
            step.accept(what);
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
            String why = failed instanceof StatementTimeout.TimeoutException late
                    ? late.describe(cluster.engine())
                    : String.valueOf(failed.getMessage());
            throw new UserError("Run " + number + " of " + experiment.id() + " failed: " + why, failed);
        } finally {
            processors.close();
        }
    }

    private static String line(int number, String id, Sample sample) {
        return String.format(
                Locale.ROOT, "%d,%s,%d,%s,%.6f\n", number, id, sample.block(), sample.side(), sample.latencyMs());
    }

    /** Judges the experiments of one run together, and each once more with every planted effect among the others. */
    static List<Verdicts> judged(List<Sides> sides) {
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
                            unchanged.measured().interval(),
                            unchanged.noise(),
                            unchanged.isDifference(adjusted[index])),
                    planted));
        }
        return verdicts;
    }

    static Share anyDifference(List<List<Verdicts>> verdicts) {
        return share(verdicts, run -> run.stream().anyMatch(one -> one.run().different()));
    }

    /** Sums up the runs of each experiment. */
    static List<Summed> summed(List<String> experiments, List<List<Verdicts>> verdicts) {
        List<Summed> summed = new ArrayList<>();
        for (int index = 0; index < experiments.size(); index++) {
            int place = index;
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
            summed.add(new Summed(
                    experiments.get(index),
                    share(own, one -> one.run().different()),
                    share(own, one -> one.run().ratio().contains(1)),
                    new Interval(ratios[0], ratios[1], ratios[2]),
                    quantiles(own, one -> one.run().noise().noiseFloor())[0],
                    planted));
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
