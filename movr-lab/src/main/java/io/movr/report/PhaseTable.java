package io.movr.report;

import io.movr.report.TrafficResults.Operation;
import io.movr.report.TrafficResults.Phase;
import io.movr.report.model.Block;
import io.movr.report.model.Block.Figure;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Cell;
import io.movr.report.model.Cell.Style;
import io.movr.report.model.Chart.Colour;
import io.movr.report.model.Chart.IntervalMark;
import io.movr.report.model.Chart.IntervalRow;
import io.movr.report.model.Chart.Intervals;
import io.movr.report.model.Chart.Series;
import io.movr.report.model.Chart.Symbol;
import io.movr.report.model.Column;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Latencies of traffic in each phase, with the ratio of before and after, as tables and as a chart. */
final class PhaseTable {

    /**
     * A row.
     *
     * @param detail what else tells it from the others, empty for nothing
     * @param phases what was measured in each phase, {@code null} for nothing
     */
    record Row(String name, String detail, List<@Nullable Operation> phases) {}

    private final List<Phase> phases;
    private final List<Row> rows;
    private final int before;
    private final int after;

    PhaseTable(List<Phase> phases, List<Row> rows) {
        this.phases = phases;
        this.rows = rows.stream()
                .filter(row -> row.phases().stream().anyMatch(Objects::nonNull))
                .toList();
        List<String> ids = phases.stream().map(Phase::id).toList();
        this.before = ids.indexOf("before");
        this.after = ids.indexOf("after");
    }

    /** Returns the quantiles, their chart, and the counts; empty if there are no rows. */
    List<Block> blocks(String caption, String heading, Predicate<Row> isPlotted) {
        if (rows.isEmpty()) {
            return List.of();
        }
        Builder quantiles = new Builder(heading);
        quantiles.addQuantile("p50, ms", Operation::p50Ms);
        quantiles.addQuantile("p95, ms", Operation::p95Ms);
        quantiles.addQuantile("p99, ms", Operation::p99Ms);
        Builder counts = new Builder(heading);
        counts.add("max, ms", one -> interval(one.maxMs()));
        counts.add("requests/s", one -> interval(one.requestsPerSecond()));
        counts.add("success", PhaseTable::success);
        counts.add("answered", one -> ReportParts.counted(one.answered()));
        counts.add("refused", one -> ReportParts.counted(one.refused()));
        counts.add(
                "failed",
                one -> one.failed() > 0 ? Cell.EMPTY.with(ReportParts.count(one.failed()), Style.BAD) : Cell.of("0"));
        return List.of(
                quantiles.table(caption),
                chart(caption, rows.stream().filter(isPlotted).toList()),
                counts.table(caption + ": slowest request, rate and counts"));
    }

    /** An interval that is its estimate alone was not estimated. */
    private static Cell interval(@Nullable Interval interval) {
        return interval == null || interval.high() > interval.low()
                ? ReportParts.interval(interval)
                : ReportParts.measured(interval.estimate());
    }

    private static Cell success(Operation one) {
        String share = String.format(Locale.ROOT, "%.2f%%", 100 * one.successShare());
        Cell cell = one.failed() > 0 ? Cell.EMPTY.with(share, Style.BAD) : Cell.of(share);
        return one.timedOut() > 0 ? cell.note(ReportParts.count(one.timedOut(), "timeout")) : cell;
    }

    private Figure chart(String caption, List<Row> plotted) {
        List<Series> series = new ArrayList<>();
        List<IntervalRow> chartRows = new ArrayList<>();
        for (Phase phase : phases) {
            series.add(new Series("p50 " + phase.id(), colour(phase), Symbol.CIRCLE, true));
            series.add(new Series("p99 " + phase.id(), colour(phase), Symbol.DIAMOND, true));
        }
        for (Row row : plotted) {
            List<IntervalMark> marks = new ArrayList<>();
            for (int place = 0; place < phases.size(); place++) {
                Operation one = row.phases().get(place);
                if (one != null) {
                    addMark(marks, row, "p50", phases.get(place), one.p50Ms());
                    addMark(marks, row, "p99", phases.get(place), one.p99Ms());
                }
            }
            chartRows.add(new IntervalRow(row.name(), null, marks));
        }
        return new Figure(
                caption + ": p50 and p99 in each phase; the tables hold the same numbers",
                "Milliseconds on a logarithmic axis, with 95% intervals: equal distances are equal factors. An"
                        + " interval narrower than its mark is"
                        + " not drawn.",
                new Intervals("ms", null, "", "", "", series, chartRows));
    }

    private static void addMark(
            List<IntervalMark> marks, Row row, String quantile, Phase phase, @Nullable Interval ms) {
        if (ms != null) {
            String name = quantile + " " + phase.id();
            marks.add(new IntervalMark(
                    name,
                    phase.id(),
                    ms,
                    ms.high() > ms.low(),
                    row.name() + "\n" + name + " " + interval(ms).text() + " ms"));
        }
    }

    private static Colour colour(Phase phase) {
        return switch (phase.id()) {
            case "before" -> Colour.BEFORE;
            case "after" -> Colour.AFTER;
            default -> Colour.CONTROL;
        };
    }

    /** A table with a column for each phase below each heading. */
    private final class Builder {

        private final List<Column> columns = new ArrayList<>();
        private final List<List<Cell>> cells = new ArrayList<>();

        Builder(String heading) {
            columns.add(Column.text(heading));
            rows.forEach(
                    row -> cells.add(new ArrayList<>(List.of(Cell.of(row.name()).note(row.detail())))));
        }

        void add(String group, Function<Operation, Cell> value) {
            for (int phase = 0; phase < phases.size(); phase++) {
                columns.add(Column.number(phases.get(phase).id()).in(group));
                for (int row = 0; row < rows.size(); row++) {
                    Operation one = rows.get(row).phases().get(phase);
                    cells.get(row).add(one == null ? Cell.of("–") : value.apply(one));
                }
            }
        }

        void addQuantile(String group, Function<Operation, @Nullable Interval> value) {
            add(group, one -> interval(value.apply(one)));
            if (before < 0 || after < 0) {
                return;
            }
            columns.add(Column.number("ratio").in(group));
            for (int row = 0; row < rows.size(); row++) {
                cells.get(row).add(ratio(rows.get(row), value));
            }
        }

        private Cell ratio(Row row, Function<Operation, @Nullable Interval> value) {
            Operation first = row.phases().get(before);
            Operation last = row.phases().get(after);
            Interval start = first == null ? null : value.apply(first);
            Interval end = last == null ? null : value.apply(last);
            return start == null || end == null
                    ? Cell.of("–")
                    : Cell.EMPTY.with(Digits.text(start.estimate() / end.estimate(), 2), Style.STRONG);
        }

        Table table(String caption) {
            return new Table(caption, TableLayout.PLAIN, columns, cells);
        }
    }
}
