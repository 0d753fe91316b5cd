package io.movr.report;

import static io.movr.report.ReportParts.counted;
import static io.movr.report.ReportParts.measured;
import static io.movr.report.ReportParts.number;
import static io.movr.report.ReportParts.percent;

import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Probe;
import io.movr.report.model.Block.Group;
import io.movr.report.model.Block.GroupLayout;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Cell;
import io.movr.report.model.Column;
import io.movr.report.model.Section;
import io.movr.stats.Digits;
import java.util.List;

/** The highest rates of arrivals at which an objective is kept. */
final class CapacityReport {

    private CapacityReport() {}

    static Section section(List<Capacity> capacities) {
        Section section = new Section("capacity", "Highest rate under an objective");
        if (!capacities.isEmpty()) {
            section.addToPage(
                    new Text("Arrivals per second of all regions together, each rate tried in one run. A request that"
                            + " failed was not"
                            + " answered in time. The load generator and the service share this machine's"
                            + " processors."));
        }
        for (Capacity capacity : capacities) {
            String highest = capacity.highestKept() == null
                    ? "none"
                    : Digits.significant(capacity.highestKept(), 3) + " arrivals/s";
            section.addToText(
                    new Text("Highest rate at " + capacity.stage() + ": " + highest + " (" + capacity.reason() + ")"));
            String quantile =
                    "p" + Digits.significant(100 * capacity.quantile(), 3).replaceFirst("\\.0+$", "");
            section.addToPage(new Group(
                    capacity.stage() + ": " + highest,
                    GroupLayout.PLAIN,
                    List.of(
                            new Text("Objective: " + quantile + " of at most " + number(capacity.limitMs())
                                    + " ms. How it is known: " + capacity.reason() + "."),
                            new Table(
                                    "Rates tried at " + capacity.stage(),
                                    TableLayout.CARDS,
                                    List.of(
                                            Column.text("Arrivals/s"),
                                            Column.number("Answered/s"),
                                            Column.number(quantile + ", ms"),
                                            Column.number("In time"),
                                            Column.number("Failed"),
                                            Column.text("Objective")),
                                    capacity.probes().stream()
                                            .map(CapacityReport::row)
                                            .toList()))));
        }
        return section;
    }

    private static List<Cell> row(Probe probe) {
        return List.of(
                measured(probe.rate()),
                measured(probe.requestsPerSecond()),
                measured(probe.ms()),
                Cell.of(percent(probe.inTime())),
                counted(probe.failed()),
                Cell.of(
                        probe.kept()
                                ? "kept"
                                : probe.generatorLimit() != null ? probe.generatorLimit() : "broken: " + probe.why()));
    }
}
