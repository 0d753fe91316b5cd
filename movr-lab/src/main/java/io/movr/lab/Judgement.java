package io.movr.lab;

import io.movr.published.PublishedFigures;
import io.movr.published.PublishedFigures.Figure;
import io.movr.published.Verdict;
import io.movr.report.LabResults;
import io.movr.stats.Comparison;
import io.movr.stats.Holm;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Judges the results of a run together: the more experiments there are, the less the p-value of a single one says.
 * Compares each with its published figures.
 */
final class Judgement {

    private final PublishedFigures published = PublishedFigures.load();
    private final Map<String, Experiment> experiments;

    Judgement(List<Experiment> experiments) {
        this.experiments = experiments.stream().collect(Collectors.toMap(Experiment::id, one -> one));
    }

    /** Judges results among each other. */
    List<LabResults.Experiment> judged(List<LabResults.Experiment> results) {
        List<LabResults.Experiment> measured =
                results.stream().filter(result -> result.improvement() != null).toList();
        double[] adjusted = Holm.adjust(
                measured.stream().mapToDouble(LabResults.Experiment::pValue).toArray());
        return results.stream()
                .map(result -> {
                    int index = measured.indexOf(result);
                    return index < 0 ? result : judged(result, adjusted[index]);
                })
                .toList();
    }

    /** Judges the writes of all prices among each other, so that they make no experiment harder to judge. */
    List<LabResults.Price> judgedPrices(List<LabResults.Price> prices) {
        Iterator<LabResults.Experiment> judged = judged(prices.stream()
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

    /** Returns the growth of each folder that was measured at several scales. */
    List<LabResults.Growth> growth(List<LabResults.Experiment> results) {
        Map<String, List<LabResults.Point>> points = new LinkedHashMap<>();
        for (LabResults.Experiment result : results) {
            DataScale scale =
                    Objects.requireNonNull(experiments.get(result.id())).scale();
            if (scale != null) {
                points.computeIfAbsent(scale.folder(), folder -> new ArrayList<>())
                        .add(LabResults.Point.of(scale.factor(), result));
            }
        }
        return points.entrySet().stream()
                .filter(folder -> folder.getValue().size() > 1)
                .map(folder -> new LabResults.Growth(folder.getKey(), folder.getValue()))
                .toList();
    }

    private LabResults.Experiment judged(LabResults.Experiment result, double pAdjusted) {
        Interval improvement = Objects.requireNonNull(result.improvement());
        boolean different = Comparison.isDifference(improvement, pAdjusted, result.noiseFloor());
        Experiment experiment = experiments.get(result.id());
        // A write that is measured in addition has no published figure.
        List<Figure> figures = experiment == null ? List.of() : experiment.published();
        return result.judged(
                pAdjusted,
                different,
                figures.stream()
                        .map(figure -> compared(figure, improvement, different, result.noiseFloor()))
                        .toList());
    }

    private LabResults.Published compared(Figure figure, Interval improvement, boolean different, double noiseFloor) {
        Interval medians = published.ratioOfMedians(figure).orElse(null);
        double target = medians == null ? figure.improvement() : medians.estimate();
        Verdict.Reasoned verdict = Verdict.of(improvement, different, noiseFloor, target);
        return figure.judged(
                medians, published.isSingleRun(figure), verdict.verdict().id(), verdict.reason());
    }
}
