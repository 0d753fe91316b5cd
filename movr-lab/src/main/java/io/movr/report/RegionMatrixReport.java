package io.movr.report;

import static io.movr.report.ReportParts.count;
import static io.movr.report.ReportParts.counted;
import static io.movr.report.ReportParts.measured;
import static io.movr.report.ReportParts.number;

import io.movr.report.TrafficResults.Placed;
import io.movr.report.model.Block;
import io.movr.report.model.Block.Group;
import io.movr.report.model.Block.GroupLayout;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Block.Tone;
import io.movr.report.model.Cell;
import io.movr.report.model.Cell.Style;
import io.movr.report.model.Column;
import io.movr.report.model.Section;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The latency from each region to each region, and the placement of rows, as tables with coloured cells. */
final class RegionMatrixReport {

    private RegionMatrixReport() {}

    /** Returns the latency of single statements by gateway and by home region of their rows. */
    static Section section(List<TrafficResults.Cell> cells, List<String> regions) {
        Section section = new Section("matrix", "From each region to each region");
        if (cells.isEmpty()) {
            return section;
        }
        List<TrafficResults.Cell> predicted =
                cells.stream().filter(cell -> cell.agrees() != null).toList();
        List<TrafficResults.Cell> wrong = predicted.stream()
                .filter(cell -> !Boolean.TRUE.equals(cell.agrees()))
                .toList();
        section.addToPage(new Text(
                "One statement at a time, asked in the region of the row about rows whose home region is that of the"
                        + " column: the"
                        + " median in milliseconds and the number of round trips between regions that is predicted"
                        + " from where the leaseholders were. A write"
                        + " also waits until a majority of its replicas has it."));
        section.add(new Text(
                predicted.isEmpty()
                        ? "Region matrix: " + cells.size()
                                + " cells, without a prediction: the distances between the regions are not known"
                        : "Region matrix: " + (predicted.size() - wrong.size()) + " of " + predicted.size()
                                + " cells take the round trips that are predicted from where the rows are"
                                + (predicted.size() == cells.size()
                                        ? ""
                                        : "; of " + (cells.size() - predicted.size())
                                                + " others the leaseholders are in several regions")));
        for (TrafficResults.Cell cell : wrong) {
            if (cell.expectedMs() != null) {
                section.addToText(new Text(
                        String.format(
                                Locale.ROOT,
                                "%s, %s from %s about %s: %.1f ms, predicted %.1f ms",
                                cell.stage(),
                                cell.operation(),
                                cell.gateway(),
                                cell.home(),
                                cell.medianMs().estimate(),
                                cell.expectedMs()),
                        Tone.WARNING));
            }
        }
        maps(cells, regions).forEach(section::addToPage);
        return section.addToPage(
                new Group("All cells as a table, with intervals", GroupLayout.COLLAPSED, List.of(all(cells))));
    }

    /** Returns a group for each operation, with a map for each stage. */
    private static List<Group> maps(List<TrafficResults.Cell> cells, List<String> regions) {
        List<Group> groups = new ArrayList<>();
        List<String> stages =
                cells.stream().map(TrafficResults.Cell::stage).distinct().toList();
        double low = cells.stream()
                .mapToDouble(cell -> cell.medianMs().estimate())
                .min()
                .orElseThrow();
        double high = cells.stream()
                .mapToDouble(cell -> cell.medianMs().estimate())
                .max()
                .orElseThrow();
        for (String operation :
                cells.stream().map(TrafficResults.Cell::operation).distinct().toList()) {
            List<Block> maps = new ArrayList<>();
            for (String stage : stages) {
                List<TrafficResults.Cell> own = cells.stream()
                        .filter(cell ->
                                cell.stage().equals(stage) && cell.operation().equals(operation))
                        .toList();
                if (!own.isEmpty()) {
                    maps.add(new Group(
                            stage,
                            GroupLayout.PLAIN,
                            List.of(map(operation + " at " + stage, own, regions, low, high))));
                }
            }
            groups.add(new Group(operation, GroupLayout.COLUMNS, maps));
        }
        return groups;
    }

    private static Table map(
            String caption, List<TrafficResults.Cell> cells, List<String> regions, double low, double high) {
        List<String> homes = inOrder(cells.stream().map(TrafficResults.Cell::home), regions);
        List<Column> columns = new ArrayList<>(List.of(Column.text("asked in ↓ home in →")));
        homes.forEach(home -> columns.add(Column.text(home)));
        List<List<Cell>> rows = new ArrayList<>();
        for (String gateway : inOrder(cells.stream().map(TrafficResults.Cell::gateway), regions)) {
            List<Cell> row = new ArrayList<>(List.of(Cell.of(gateway)));
            for (String home : homes) {
                row.add(cells.stream()
                        .filter(cell ->
                                cell.gateway().equals(gateway) && cell.home().equals(home))
                        .findFirst()
                        .map(cell -> heat(cell, low, high))
                        .orElse(Cell.of("–")));
            }
            rows.add(row);
        }
        return new Table("Median of " + caption + ", milliseconds", TableLayout.MATRIX, columns, rows);
    }

    private static Cell heat(TrafficResults.Cell cell, double low, double high) {
        double median = cell.medianMs().estimate();
        double strength = high > low ? 6 + 94 * Math.log(median / low) / Math.log(high / low) : 40;
        String prediction = cell.predictedRoundTrips() == null
                ? "leaseholders in several regions"
                : count(cell.predictedRoundTrips(), "round trip") + " predicted"
                        + (cell.expectedMs() == null
                                ? ""
                                : " (" + number(cell.expectedMs().doubleValue()) + " ms)");
        Cell shown = Cell.of(number(median) + " ms").note(prediction);
        return (Boolean.FALSE.equals(cell.agrees()) ? shown.with("✗ disagrees", Style.BAD) : shown)
                .heated("scale", strength);
    }

    private static List<String> inOrder(Stream<String> names, List<String> regions) {
        return names.distinct()
                .sorted(Comparator.comparingInt(regions::indexOf))
                .toList();
    }

    private static Table all(List<TrafficResults.Cell> cells) {
        return new Table(
                "All cells",
                TableLayout.PLAIN,
                Column.list("Operation | Stage | Asked in | Home in | #Median, ms | #n | #Round trips | "
                        + "#Predicted, ms | Agrees"),
                cells.stream()
                        .map(cell -> List.of(
                                Cell.of(cell.operation()),
                                Cell.of(cell.stage()),
                                Cell.of(cell.gateway()),
                                Cell.of(cell.home()),
                                ReportParts.interval(cell.medianMs()),
                                counted(cell.samples()),
                                cell.predictedRoundTrips() == null
                                        ? Cell.of("–")
                                        : Cell.of(cell.predictedRoundTrips().toString()),
                                measured(cell.expectedMs()),
                                agreement(cell.agrees())))
                        .toList());
    }

    private static Cell agreement(@Nullable Boolean agrees) {
        return agrees == null ? Cell.of("–") : agrees ? Cell.of("yes") : Cell.EMPTY.with("no", Style.BAD);
    }

    /** Returns how much of each table lies in each region. */
    static Section placement(List<Placed> placed, List<String> regions) {
        Section section = new Section("placement", "Where the rows are");
        if (placed.isEmpty()) {
            return section;
        }
        section.addToPage(new Text(
                "How much of each table lies in each region: the size of what its leaseholders there answer for, and"
                        + " how many of its"
                        + " ranges (on PostgreSQL: partitions) have their leaseholder, and a replica, there."));
        List<String> places = Stream.concat(regions.stream(), placed.stream().map(Placed::region))
                .distinct()
                .toList();
        List<Block> maps = new ArrayList<>();
        for (String phase : placed.stream().map(Placed::phase).distinct().toList()) {
            List<Placed> there =
                    placed.stream().filter(one -> one.phase().equals(phase)).toList();
            maps.add(new Group(
                    phase + ", at " + there.get(0).stage(), GroupLayout.PLAIN, List.of(map(phase, there, places))));
        }
        return section.addToPage(new Group(GroupLayout.COLUMNS, maps));
    }

    private static Table map(String phase, List<Placed> placed, List<String> places) {
        List<Column> columns = new ArrayList<>(List.of(Column.text("table")));
        places.forEach(place -> columns.add(Column.text(place)));
        List<List<Cell>> rows = new ArrayList<>();
        for (String table : placed.stream().map(Placed::table).distinct().toList()) {
            List<Placed> own =
                    placed.stream().filter(one -> one.table().equals(table)).toList();
            double all = own.stream().mapToLong(Placed::bytes).sum();
            List<Cell> row = new ArrayList<>(List.of(Cell.of(table)));
            for (String place : places) {
                Placed one = own.stream()
                        .filter(share -> share.region().equals(place))
                        .findFirst()
                        .orElse(null);
                row.add(
                        one == null
                                ? Cell.of("–")
                                : Cell.of(ByteSize.text(one.bytes()))
                                        .note(count(one.leaseholders(), "leaseholder") + ", "
                                                + count(one.replicas(), "replica"))
                                        .heated("scale", all == 0 ? 0 : 100 * one.bytes() / all));
            }
            rows.add(row);
        }
        return new Table("Where the rows of each table are " + phase, TableLayout.MATRIX, columns, rows);
    }
}
