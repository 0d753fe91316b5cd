package io.movr.report;

import io.movr.report.ComparisonResults.Measurement;
import io.movr.report.ComparisonResults.Row;
import io.movr.report.ComparisonResults.Variant;
import io.movr.report.model.Block;
import io.movr.report.model.Block.Figure;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Block.Tone;
import io.movr.report.model.Cell;
import io.movr.report.model.Chart.Colour;
import io.movr.report.model.Chart.Densities;
import io.movr.report.model.Chart.Density;
import io.movr.report.model.Chart.Samples;
import io.movr.report.model.Chart.Side;
import io.movr.report.model.Column;
import io.movr.stats.Digits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The details of a call in a comparison: its iterations and the distribution of single calls, for each variant. */
final class CallReport {

    private static final double LOGARITHMIC = 6;

    private final List<Variant> variants;

    CallReport(List<Variant> variants) {
        this.variants = variants;
    }

    /** Returns the charts and the quantiles of a call. */
    List<Block> blocks(Row row) {
        return List.of(values(row), densities(row), quantiles(row));
    }

    private static Colour colour(Measurement cell) {
        return switch (cell.verdict()) {
            case "better" -> Colour.BETTER;
            case "worse" -> Colour.WORSE;
            case "baseline" -> Colour.INK;
            default -> Colour.CONTROL;
        };
    }

    private Block values(Row row) {
        List<Side> sides = new ArrayList<>();
        for (int place = 0; place < variants.size(); place++) {
            Measurement cell = row.cells().get(place);
            if (cell != null && cell.values().stream().anyMatch(fork -> !fork.isEmpty())) {
                sides.add(new Side(
                        variants.get(place).name(),
                        ComparisonText.number(cell.median().estimate()) + " " + row.unit(),
                        colour(cell),
                        cell.median(),
                        List.of(),
                        cell.values()));
            }
        }
        if (sides.isEmpty()) {
            return new Text("No values were recorded.", Tone.MUTED);
        }
        double low = sides.stream()
                .flatMap(side -> side.groups().stream().flatMap(List::stream))
                .mapToDouble(Double::doubleValue)
                .min()
                .orElse(1);
        double high = sides.stream()
                .flatMap(side -> side.groups().stream().flatMap(List::stream))
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1);
        return new Figure(
                "Values of the iterations of " + row.name() + "; the table above holds the medians",
                "In " + row.unit()
                        + ". A dot is an iteration; each line of dots is a fork. The upright line is the median, the"
                        + " shade behind it its 95%"
                        + " interval.",
                new Samples(row.unit(), low > 0 && high / low > LOGARITHMIC, high, false, sides));
    }

    private Block densities(Row row) {
        List<Density> densities = new ArrayList<>();
        for (int place = 0; place < variants.size(); place++) {
            Measurement cell = row.cells().get(place);
            if (cell != null && cell.histogram() != null && !cell.histogram().isEmpty()) {
                Map<String, Double> quantiles = new LinkedHashMap<>();
                if (cell.quantiles() != null) {
                    Stream.of("0.5", "0.95", "0.99", "1.0", "1")
                            .filter(cell.quantiles()::containsKey)
                            .forEach(share -> quantiles.put(
                                    quantileName(share), cell.quantiles().get(share)));
                }
                densities.add(new Density(variants.get(place).name(), colour(cell), cell.histogram(), quantiles));
            }
        }
        return new Figure(
                "Distribution of single calls of " + row.name() + "; the table below holds its quantiles",
                "In " + row.unit()
                        + ", logarithmic. The area shows how the times of single calls are spread, to the same scale"
                        + " for all; the outline over"
                        + " it is the first one's. Marks are at the median, p95, p99 and the slowest call.",
                new Densities(row.unit(), densities));
    }

    private Table quantiles(Row row) {
        TreeSet<String> shares =
                new TreeSet<>((one, other) -> Double.compare(Double.parseDouble(one), Double.parseDouble(other)));
        row.cells().stream()
                .filter(cell -> cell != null && cell.quantiles() != null)
                .forEach(cell -> shares.addAll(cell.quantiles().keySet()));
        List<Column> columns = new ArrayList<>(List.of(Column.text("Single calls, " + row.unit())));
        shares.forEach(share -> columns.add(Column.number(quantileName(share))));
        List<List<Cell>> rows = new ArrayList<>();
        for (int place = 0; place < variants.size(); place++) {
            Measurement cell = row.cells().get(place);
            if (cell != null && cell.quantiles() != null && !cell.quantiles().isEmpty()) {
                List<Cell> cells =
                        new ArrayList<>(List.of(Cell.of(variants.get(place).name())));
                shares.forEach(
                        share -> cells.add(ReportParts.measured(cell.quantiles().get(share))));
                rows.add(cells);
            }
        }
        return new Table("Quantiles", TableLayout.PLAIN, columns, rows);
    }

    private static String quantileName(String share) {
        double value = Double.parseDouble(share);
        return value == 1
                ? "max"
                : value == 0 ? "min" : "p" + Digits.significant(100 * value, 4).replaceFirst("\\.?0+$", "");
    }
}
