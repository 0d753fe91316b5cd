package io.movr.report;

import static io.movr.report.ReportParts.count;
import static io.movr.report.ReportParts.pairs;

import io.movr.report.CheckResults.Fault;
import io.movr.report.CheckResults.Interleaving;
import io.movr.report.CheckResults.Run;
import io.movr.report.model.Block.Bullets;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Block.Tone;
import io.movr.report.model.Cell;
import io.movr.report.model.Cell.Style;
import io.movr.report.model.Column;
import io.movr.report.model.Report;
import io.movr.report.model.Section;
import io.movr.stats.Digits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The report of checked histories. */
public final class CheckReport {

    private static final int SHOWN_EXPLANATIONS = 3;

    private CheckReport() {}

    /** Returns the report of all runs. */
    static Report of(CheckResults results) {
        List<Section> sections = new ArrayList<>();
        for (int number = 0; number < results.runs().size(); number++) {
            sections.add(section("run-" + (number + 1), results.runs().get(number)));
        }
        sections.add(section(results.interleavings()));
        sections.add(ReportParts.environment(results.environment(), results.command(), null)
                .addToPage(ReportParts.titled(
                        "Settings",
                        results.settings().entrySet().stream()
                                .flatMap(setting -> pairs(setting.getKey(), setting.getValue()).stream())
                                .toList())));
        long wrong = results.runs().stream().filter(run -> !run.passed()).count();
        return report(
                results.title(),
                results.runs().isEmpty()
                        ? ""
                        : wrong == 0
                                ? "No run had an anomaly that its isolation level forbids."
                                : count(wrong, "run") + " of " + results.runs().size() + " did not pass.",
                Section.opening()
                        .addToPage(ReportParts.facts(
                                "Started", ReportParts.moment(results.startedAt()),
                                "Server", ReportParts.server(results.environment()),
                                "Complete", results.complete() ? "yes" : "no")),
                sections);
    }

    /** Returns the report of one run with its verdict. */
    public static Report of(Run run) {
        return report("", "", Section.opening(), List.of(section("run", run)));
    }

    /** Returns the report of interleavings: a row for each, a column for each isolation level. */
    public static Report of(List<Interleaving> interleavings) {
        return report("", "", Section.opening(), List.of(section(interleavings)));
    }

    private static Report report(String title, String lead, Section opening, List<Section> sections) {
        return new Report(
                title, "MovR: checked histories", lead, opening, sections, List.of("results.json", "environment.json"));
    }

    private static Section section(String id, Run run) {
        Section section = new Section(id, run.isolation() + ", " + count(run.clients(), "client"));
        section.add(new Text(String.format(
                Locale.ROOT,
                "%s%s, %s: %,d committed in %.0f s (%.0f/s, p50 %s ms, p99 %s ms), %,d failed, %,d unknown",
                run.isolation(),
                run.level().equals(run.isolation()) ? "" : " (runs as " + run.level() + ")",
                count(run.clients(), "client"),
                run.committed(),
                run.seconds(),
                run.perSecond(),
                Digits.rounded(run.p50Ms(), 1),
                Digits.rounded(run.p99Ms(), 1),
                run.failed(),
                run.unknown())));
        section.add(Bullets.of(run.failures().entrySet().stream()
                .map(cause -> count(cause.getValue()) + " × " + cause.getKey())
                .toList()));
        if (!run.faults().isEmpty()) {
            section.add(Bullets.of(List.of(count(run.faults().size(), "fault") + ": "
                    + run.faults().stream()
                            .collect(Collectors.groupingBy(Fault::kind, LinkedHashMap::new, Collectors.counting()))
                            .entrySet()
                            .stream()
                            .map(kind -> kind.getValue() + " " + kind.getKey())
                            .collect(Collectors.joining(", ")))));
        }
        section.add(new Table(
                "Anomalies",
                TableLayout.PLAIN,
                Column.list("anomaly | #seen | at this level"),
                run.anomalies().stream()
                        .filter(anomaly -> anomaly.count() > 0)
                        .map(anomaly -> List.of(
                                Cell.of(anomaly.type() + ", " + anomaly.title()),
                                ReportParts.counted(anomaly.count()),
                                anomaly.forbidden() ? Cell.EMPTY.with("FORBIDDEN", Style.BAD) : Cell.of("permitted")))
                        .toList()));
        if (run.hasForbidden()) {
            section.add(Bullets.of(
                    run.explanations().stream().limit(SHOWN_EXPLANATIONS).toList()));
            section.add(new Text("It had what " + run.level() + " forbids", Tone.FAILURE));
        } else {
            section.add(new Text("no anomaly that " + run.level() + " forbids; each of " + count(run.appends())
                    + " acknowledged appends is there once"));
        }
        run.violations().forEach(violation -> section.add(new Text("Broken: " + violation, Tone.FAILURE)));
        if (!run.incomplete().isEmpty()) {
            section.add(new Text("Not everything was checked: " + run.incomplete(), Tone.WARNING));
        }
        return section;
    }

    private static Section section(List<Interleaving> interleavings) {
        List<String> levels = interleavings.stream()
                .flatMap(one -> one.outcome().keySet().stream())
                .distinct()
                .toList();
        List<Column> columns = new ArrayList<>(List.of(Column.text("anomaly")));
        levels.forEach(level -> columns.add(Column.text(level)));
        List<List<Cell>> rows = new ArrayList<>();
        for (Interleaving one : interleavings) {
            List<Cell> row = new ArrayList<>(List.of(Cell.of(one.anomaly() + ", " + one.title())));
            levels.forEach(level -> row.add(Cell.of(one.outcome().getOrDefault(level, ""))));
            rows.add(row);
        }
        return new Section("interleavings", "Interleavings")
                .add(new Table("Interleavings", TableLayout.PLAIN, columns, rows));
    }
}
