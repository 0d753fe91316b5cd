package io.movr.report;

import io.movr.database.Cluster;
import io.movr.report.SideBySideResults.Calibrated;
import io.movr.report.SideBySideResults.Fact;
import io.movr.report.SideBySideResults.Healthy;
import io.movr.report.SideBySideResults.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A comparison of calibrations as a terminal shows them: a bar for each system. */
public final class SideBySideTable {

    private static final int BAR = 30;

    private final SideBySideResults results;
    private final int width;
    private final StringBuilder text = new StringBuilder();

    private SideBySideTable(SideBySideResults results) {
        this.results = results;
        this.width = results.systems().stream()
                .mapToInt(system -> system.name().length())
                .max()
                .orElse(1);
    }

    /** The bars, then what is known of each system, lines ended. */
    public static String of(SideBySideResults results) {
        return new SideBySideTable(results).text();
    }

    private String text() {
        for (Healthy healthy : results.healthy()) {
            String name = healthy.operation();
            add(name + ", operations/s", name, "%,.1f", Operation::perSecond);
            add(name + ", avg, ms (healthy: " + healthy.range() + ")", name, "%.3f", Operation::meanMs);
            add(name + ", p99, ms", name, "%.3f", Operation::p99Ms);
        }
        for (Calibrated system : results.systems()) {
            line(system.name() + ": " + String.join(", ", words(system)));
        }
        results.warnings().forEach(warning -> line("Warning: " + warning));
        results.notes().forEach(this::line);
        return text.toString();
    }

    private void add(String title, String operation, String format, ToDoubleFunction<Operation> value) {
        line(title);
        double most = results.systems().stream()
                .mapToDouble(system -> value.applyAsDouble(system.operation(operation)))
                .max()
                .orElse(1);
        for (Calibrated system : results.systems()) {
            double one = value.applyAsDouble(system.operation(operation));
            line(String.format(
                    Locale.ROOT,
                    "  %-" + width + "s %10s %s",
                    system.name(),
                    String.format(Locale.ROOT, format, one),
                    "█".repeat((int) Math.max(1, Math.round(BAR * one / most)))));
        }
        line("");
    }

    private List<String> words(Calibrated system) {
        if (system.published()) {
            return List.of(system.source());
        }
        List<String> words = new ArrayList<>();
        int place = results.systems().indexOf(system);
        for (Fact fact : results.facts()) {
            String value = fact.values().get(place);
            switch (fact.what()) {
                case "database" -> words.add(Cluster.product(value));
                case "processor" -> words.add(value);
                case "cores" -> words.add(value + (value.equals("1") ? " core" : " cores"));
                default -> {
                    // The rest stands in the wider forms.
                }
            }
        }
        system.layers().stream()
                .filter(layer -> layer.samples() > 0)
                .forEach(layer -> words.add(String.format(Locale.ROOT, "%s %.3f ms", layer.name(), layer.medianMs())));
        if (system.kneeConcurrency() > 0) {
            words.add("knee at " + system.kneeConcurrency() + " workers");
        }
        return words;
    }

    private void line(String line) {
        text.append(line).append(System.lineSeparator());
    }
}
