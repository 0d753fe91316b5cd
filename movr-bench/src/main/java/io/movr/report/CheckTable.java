package io.movr.report;

import io.movr.stats.Digits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What checking histories found, as text for a terminal. */
public final class CheckTable {

    private static final int SHOWN_EXPLANATIONS = 3;

    private CheckTable() {}

    /** A run with its verdict, lines ended. */
    public static String of(CheckResults.Run run) {
        StringBuilder text = new StringBuilder();
        line(text, "");
        line(
                text,
                "%s%s, %d %s: %,d committed in %.0f s (%.0f/s, p50 %s ms, p99 %s ms), %,d failed, %,d unknown",
                run.isolation(),
                run.level().equals(run.isolation()) ? "" : " (runs as " + run.level() + ")",
                run.clients(),
                run.clients() == 1 ? "client" : "clients",
                run.committed(),
                run.seconds(),
                run.perSecond(),
                Digits.rounded(run.p50Ms(), 1),
                Digits.rounded(run.p99Ms(), 1),
                run.failed(),
                run.unknown());
        run.failures().forEach((cause, count) -> line(text, "  %,d × %s", count, cause));
        if (!run.faults().isEmpty()) {
            line(
                    text,
                    "  %d faults: %s",
                    run.faults().size(),
                    run.faults().stream()
                            .collect(Collectors.groupingBy(
                                    CheckResults.Fault::kind, LinkedHashMap::new, Collectors.counting()))
                            .entrySet()
                            .stream()
                            .map(kind -> kind.getValue() + " " + kind.getKey())
                            .collect(Collectors.joining(", ")));
        }
        TextTable table = new TextTable("lrl");
        run.anomalies().stream()
                .filter(anomaly -> anomaly.count() > 0)
                .forEach(anomaly -> table.row(
                        "  " + anomaly.type() + ", " + anomaly.title(),
                        String.format(Locale.ROOT, "%,d", anomaly.count()),
                        anomaly.forbidden() ? "FORBIDDEN" : "permitted"));
        text.append(table);
        if (run.hasForbidden()) {
            run.explanations().stream()
                    .limit(SHOWN_EXPLANATIONS)
                    .forEach(explanation -> line(text, "  %s", explanation));
            line(text, "  ! It had what %s forbids", run.level());
        } else {
            line(
                    text,
                    "  no anomaly that %s forbids; each of %,d acknowledged appends is there once",
                    run.level(),
                    run.appends());
        }
        run.violations().forEach(violation -> line(text, "  ! Broken: %s", violation));
        if (!run.incomplete().isEmpty()) {
            line(text, "  ! Not everything was checked: %s", run.incomplete());
        }
        return text.toString();
    }

    /** A row for each interleaving, a column for each isolation level, lines ended. */
    public static String of(List<CheckResults.Interleaving> interleavings) {
        List<String> levels = interleavings.stream()
                .flatMap(one -> one.outcome().keySet().stream())
                .distinct()
                .toList();
        TextTable table = new TextTable("l" + "l".repeat(levels.size()));
        List<String> head = new ArrayList<>(List.of(""));
        head.addAll(levels);
        table.row(head);
        for (CheckResults.Interleaving one : interleavings) {
            List<String> row = new ArrayList<>(List.of(one.anomaly() + ", " + one.title()));
            levels.forEach(level -> row.add(one.outcome().getOrDefault(level, "")));
            table.row(row);
        }
        return table.toString();
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
    }
}
