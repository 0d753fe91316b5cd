package io.movr.report;

import io.movr.SlowdownBound;
import io.movr.SlowdownBound.IfUnsure;
import io.movr.SlowdownBound.Outcome;
import io.movr.UserError;
import io.movr.report.LabResults.Experiment;
import io.movr.report.LabResults.Price;
import io.movr.report.LabResults.Write;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
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
            traffic.figures().forEach(figure -> judged.add(judge(figure, traffic.complete())));
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
        return judged(experiment, write, improvement, measured.different(), allowed, bound, "--samples", seconds);
    }

    private Judged judge(TrafficResults.Figure figure, boolean complete) {
        if (!complete) {
            return new Judged(
                    figure.id(),
                    null,
                    Outcome.FAILED,
                    "the traffic was not measured whole: its own report says why",
                    0);
        }
        if (allowedPercent == null) {
            return new Judged(figure.id(), null, Outcome.PASSED, "", 0);
        }
        if (figure.pAdjusted() == null) {
            return new Judged(
                    figure.id(), null, Outcome.UNSURE, "cannot tell: too few runs of traffic for an interval", 0);
        }
        return judged(
                figure.id(), null, figure.improvement(), figure.different(), allowedPercent, "--fail-on", "--runs", 0);
    }

    private static Judged judged(
            String experiment,
            @Nullable String write,
            Interval improvement,
            boolean different,
            double allowed,
            String bound,
            String more,
            double seconds) {
        Outcome outcome = new SlowdownBound(allowed).judgeImprovement(improvement.low(), improvement.high(), different);
        double slower = SlowdownBound.slowerPercent(improvement.estimate());
        String found = String.format(
                Locale.ROOT,
                "%s%% %s after than before, 95%% interval of the slowdown [%s%%, %s%%], and %s allows %s%%",
                Digits.rounded(Math.abs(slower), 1),
                slower < 0 ? "faster" : "slower",
                Digits.rounded(SlowdownBound.slowerPercent(improvement.high()), 1),
                Digits.rounded(SlowdownBound.slowerPercent(improvement.low()), 1),
                bound,
                number(allowed));
        return new Judged(
                experiment,
                write,
                outcome,
                outcome == Outcome.UNSURE
                        ? "cannot tell: " + found + "; more " + more + " make the interval narrower"
                        : "is " + found,
                seconds);
    }

    /** A bound as its author wrote it. */
    static String number(double percent) {
        return new DecimalFormat("0.##", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(percent);
    }

    private static double seconds(Experiment measured) {
        return Stream.of(measured.before(), measured.after(), measured.control())
                        .filter(side -> side != null)
                        .flatMap(side -> side.samplesMs().stream())
                        .mapToDouble(Double::doubleValue)
                        .sum()
                / 1e3;
    }

    /** What counts, once the author's choice is applied. */
    public Outcome counted(Judged judged) {
        return ifUnsure.counted(judged.outcome());
    }
}
