package io.movr.report;

import io.movr.report.CalibrationResults.Layer;
import io.movr.report.CalibrationResults.Step;
import io.movr.report.SideBySideResults.Calibrated;
import io.movr.report.SideBySideResults.Fact;
import io.movr.report.SideBySideResults.Healthy;
import io.movr.report.SideBySideResults.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A comparison of calibrations in Markdown: one column a system. */
public final class SideBySideMarkdown {

    private final SideBySideResults results;
    private final MarkdownText text = new MarkdownText();

    private SideBySideMarkdown(SideBySideResults results) {
        this.results = results;
    }

    /** The whole comparison. */
    public static String of(SideBySideResults results) {
        return new SideBySideMarkdown(results).text();
    }

    private String text() {
        results.warnings().forEach(warning -> text.line("- **Warning:** " + MarkdownText.escaped(warning)));
        if (!results.warnings().isEmpty()) {
            text.line("");
        }
        head("YCSB B, one worker", results.systems());
        for (Healthy healthy : results.healthy()) {
            String name = healthy.operation();
            operation(name, "operations/s", Operation::perSecond);
            operation(name, "avg, ms (healthy: " + healthy.range() + ")", Operation::meanMs);
            operation(name, "p50, ms", Operation::p50Ms);
            operation(name, "p95, ms", Operation::p95Ms);
            operation(name, "p99, ms", Operation::p99Ms);
            operation(name, "max, ms", Operation::maxMs);
            row(
                    name + ", judgement",
                    results.systems(),
                    system -> system.operation(name).judgement());
        }
        text.line("");
        addLayers();
        addSweep();
        head("where and how", results.systems());
        row("source", results.systems(), Calibrated::source);
        for (Fact fact : results.facts()) {
            row(
                    fact.what(),
                    results.systems(),
                    system -> fact.values().get(results.systems().indexOf(system)));
        }
        text.line("");
        text.line(results.notes().stream().map(MarkdownText::escaped).collect(Collectors.joining(" ")));
        return text.toString();
    }

    private void operation(String name, String metric, Function<Operation, @Nullable Double> value) {
        row(name + ", " + metric, results.systems(), system -> number(value.apply(system.operation(name))));
    }

    private void addLayers() {
        List<Calibrated> measured = with(system -> !system.layers().isEmpty());
        if (measured.isEmpty()) {
            return;
        }
        head("layer", measured);
        for (Layer layer : measured.get(0).layers()) {
            row(
                    layer.name() + ": " + layer.measure() + ", p50 (p99), ms",
                    measured,
                    system -> system.layers().stream()
                            .filter(one -> one.name().equals(layer.name()) && one.samples() > 0)
                            .map(one -> number(one.medianMs()) + " (" + number(one.p99Ms()) + ")")
                            .findFirst()
                            .orElse(""));
        }
        text.line("");
    }

    private void addSweep() {
        List<Calibrated> swept = with(system -> !system.sweep().isEmpty());
        if (swept.isEmpty()) {
            return;
        }
        head("workers, operations/s (avg, p99, ms)", swept);
        TreeSet<Integer> workers = new TreeSet<>();
        swept.forEach(system -> system.sweep().forEach(step -> workers.add(step.concurrency())));
        for (int number : workers) {
            row(
                    Integer.toString(number),
                    swept,
                    system -> system.sweep().stream()
                            .filter(step -> step.concurrency() == number)
                            .map(step -> text(step) + (number == system.kneeConcurrency() ? ", the knee" : ""))
                            .findFirst()
                            .orElse(""));
        }
        text.line("");
    }

    private static String text(Step step) {
        return number(step.perSecond()) + " (" + number(step.meanMs()) + ", " + number(step.p99Ms()) + ")";
    }

    private List<Calibrated> with(Predicate<Calibrated> condition) {
        return results.systems().stream().filter(condition).toList();
    }

    private void head(String title, List<Calibrated> systems) {
        List<String> cells = new ArrayList<>(List.of(title));
        systems.forEach(system -> cells.add(system.name()));
        text.head(cells, 1);
    }

    private void row(String title, List<Calibrated> systems, Function<Calibrated, String> value) {
        List<String> cells = new ArrayList<>(List.of(title));
        systems.stream().map(value).forEach(one -> cells.add(one.isEmpty() ? "–" : one));
        text.row(cells);
    }

    private static String number(@Nullable Double value) {
        return value == null ? "" : ComparisonText.number(value);
    }
}
