package io.movr.report;

import io.movr.UserError;
import io.movr.report.LabResults.Experiment;
import io.movr.report.LabResults.Price;
import io.movr.report.LabResults.Write;
import io.movr.stats.Interval;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Judges a run by the bounds that its author set: an experiment by that of {@code --fail-on}, a write by its own.
 *
 * @param allowedPercent by how much <em>after</em> may be slower; {@code null} if there is no bound
 * @param ifUnsure what an interval means that is too wide for the bound
 */
public record LabGate(@Nullable Double allowedPercent, IfUnsure ifUnsure) {

    /** What the author makes of a bound of which nothing can be told. */
    public enum IfUnsure {
        PASS,
        FAIL,
        SKIP;

        /**
         * Finds one by its name.
         *
         * @throws UserError if there is none
         */
        public static IfUnsure named(String text) {
            return Arrays.stream(values())
                    .filter(one -> one.name().equalsIgnoreCase(text.strip()))
                    .findFirst()
                    .orElseThrow(() -> new UserError("--if-unsure " + text + " is unknown: choose pass, fail or skip"));
        }
    }

    /** Whether something passed, failed, or cannot be told to have done either. */
    public enum Outcome {
        PASSED,
        FAILED,
        UNSURE
    }

    /**
     * One thing that was judged.
     *
     * @param experiment its id
     * @param write the name of the write; {@code null} of the experiment itself
     * @param message why it did not pass, or by what it did; empty if nothing was asked but to be measured
     * @param seconds that its samples took
     */
    public record Judged(String experiment, @Nullable String write, Outcome outcome, String message, double seconds) {

        /** As a line names it. */
        public String name() {
            return write == null ? experiment : experiment + ": the write " + write;
        }
    }

    /**
     * Reads the bound of {@code --fail-on}: {@code slower>5%}, or {@code 5%} for short.
     *
     * @throws UserError if it is neither
     */
    public static double bound(String text) {
        return Percent.parse("--fail-on", text.strip().replaceFirst("^slower\\s*>\\s*", ""));
    }

    /** Every experiment, every write with a bound, and every write that failed, in the order of the results. */
    public List<Judged> judge(LabResults results) {
        List<Judged> judged = new ArrayList<>();
        for (Experiment experiment : results.experiments()) {
            judged.add(judge(experiment.id(), null, experiment, allowedPercent, "--fail-on"));
        }
        LabResults.Traffic traffic = results.traffic();
        if (traffic != null) {
            traffic.figures()
                    .forEach(figure -> judged.add(new Judged(
                            figure.id(),
                            null,
                            traffic.complete() ? Outcome.PASSED : Outcome.FAILED,
                            traffic.complete() ? "" : "the traffic was not measured whole: its own report says why",
                            0)));
        }
        for (Price price : results.prices() == null ? List.<Price>of() : results.prices()) {
            for (Write write : price.writes()) {
                if (write.maxSlowdownPercent() != null || write.measured().failure() != null) {
                    judged.add(judge(
                            price.experiment(),
                            write.name(),
                            write.measured(),
                            write.maxSlowdownPercent(),
                            "its max-slowdown"));
                }
            }
        }
        return judged;
    }

    private static Judged judge(
            String experiment, @Nullable String write, Experiment measured, @Nullable Double allowed, String bound) {
        double seconds = seconds(measured);
        Interval improvement = measured.improvement();
        if (measured.failure() != null || improvement == null) {
            return new Judged(experiment, write, Outcome.FAILED, String.valueOf(measured.failure()), seconds);
        }
        if (allowed == null) {
            return new Judged(experiment, write, Outcome.PASSED, "", seconds);
        }
        double slower = slowerPercent(improvement.estimate());
        double most = slowerPercent(improvement.low());
        String found = String.format(
                Locale.ROOT,
                "%.1f%% %s after than before, 95%% interval of the slowdown [%.1f%%, %.1f%%], and %s allows %s%%",
                Math.abs(slower),
                slower < 0 ? "faster" : "slower",
                slowerPercent(improvement.high()),
                most,
                bound,
                new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(allowed));
        if (measured.different() && slower > allowed) {
            return new Judged(experiment, write, Outcome.FAILED, "is " + found, seconds);
        }
        return most <= allowed
                ? new Judged(experiment, write, Outcome.PASSED, "is " + found, seconds)
                : new Judged(
                        experiment,
                        write,
                        Outcome.UNSURE,
                        "cannot tell: " + found + "; more --samples make the interval narrower",
                        seconds);
    }

    private static double slowerPercent(double improvement) {
        return 100 * (1 / improvement - 1);
    }

    private static double seconds(Experiment measured) {
        return Stream.of(measured.before(), measured.after(), measured.control())
                        .filter(side -> side != null)
                        .flatMap(side -> side.samplesMs().stream())
                        .mapToDouble(Double::doubleValue)
                        .sum()
                / 1e3;
    }

    /** What counts, once the author's choice is applied: {@code UNSURE} is left only if it is to be skipped. */
    public Outcome counted(Judged judged) {
        if (judged.outcome() != Outcome.UNSURE) {
            return judged.outcome();
        }
        return switch (ifUnsure) {
            case PASS -> Outcome.PASSED;
            case FAIL -> Outcome.FAILED;
            case SKIP -> Outcome.UNSURE;
        };
    }
}
