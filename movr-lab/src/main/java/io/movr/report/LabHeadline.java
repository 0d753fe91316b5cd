package io.movr.report;

import io.movr.SlowdownBound;
import io.movr.report.LabResults.Experiment;
import io.movr.report.LabResults.Price;
import io.movr.report.LabResults.TableSize;
import io.movr.report.LabResults.Write;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.List;

/** The answer to the question of an experiment of one's own, in a sentence. */
final class LabHeadline {

    /** From here on a factor is easier to read than a percentage. */
    private static final double AS_A_FACTOR = 2;

    private LabHeadline() {}

    /** A sentence for each experiment that was measured and that nothing published is compared with. */
    static List<String> of(LabResults results) {
        List<Price> prices = results.prices() == null ? List.of() : results.prices();
        return results.experiments().stream()
                .filter(experiment -> experiment.improvement() != null
                        && experiment.published().isEmpty())
                .map(experiment -> sentence(
                        experiment,
                        prices.stream()
                                .filter(price -> price.experiment().equals(experiment.id()))
                                .toList()))
                .toList();
    }

    private static String sentence(Experiment experiment, List<Price> prices) {
        List<String> parts = new ArrayList<>(List.of(speed(experiment)));
        for (Price price : prices) {
            long bytes = price.tables().stream().mapToLong(LabHeadline::growth).sum();
            if (bytes != 0) {
                parts.add(
                        (bytes > 0 ? "+" : "−") + ByteSize.text(Math.abs(bytes)).replaceFirst("(?=[kMGT]B)", " "));
            }
            List<Write> measured = price.writes().stream()
                    .filter(write -> write.measured().improvement() != null)
                    .toList();
            measured.stream()
                    .filter(write -> write.measured().different())
                    .forEach(write -> parts.add(write.name() + " " + speed(write.measured())));
            if (!measured.isEmpty()
                    && measured.stream().noneMatch(write -> write.measured().different())) {
                parts.add("no difference of writes was shown");
            }
        }
        return experiment.id() + ": " + String.join(", ", parts) + ".";
    }

    private static long growth(TableSize size) {
        return size.beforeBytes() == null || size.afterBytes() == null ? 0 : size.afterBytes() - size.beforeBytes();
    }

    private static String speed(Experiment experiment) {
        Interval improvement = experiment.improvement();
        if (improvement == null || !experiment.different()) {
            return "no difference was shown";
        }
        double ratio = improvement.estimate();
        double factor = Math.max(ratio, 1 / ratio);
        String amount = factor >= AS_A_FACTOR
                ? Digits.text(factor, 0) + " ×"
                : Digits.rounded(Math.abs(SlowdownBound.slowerPercent(ratio)), 0) + "%";
        return amount + (ratio > 1 ? " faster" : " slower");
    }
}
