package io.movr.report;

import static io.movr.report.ReportParts.count;
import static io.movr.report.ReportParts.measured;
import static io.movr.report.ReportParts.number;
import static io.movr.report.ReportParts.ratio;

import io.movr.report.LabResults.Experiment;
import io.movr.report.LabResults.Price;
import io.movr.report.LabResults.Side;
import io.movr.report.LabResults.TableSize;
import io.movr.report.LabResults.Write;
import io.movr.report.LabResults.WriteCost;
import io.movr.report.model.Block;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Cell;
import io.movr.report.model.Cell.Style;
import io.movr.report.model.Column;
import io.movr.stats.Digits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the change of an experiment costs: sizes, time to build and writes, which are measured as experiments are. */
final class PriceReport {

    private PriceReport() {}

    /** Sizes, time to build and writes, then what was not measured. */
    static List<Block> of(Price price) {
        List<List<Cell>> rows = new ArrayList<>();
        for (TableSize size : price.tables()) {
            rows.add(plain("size of " + size.table(), bytes(size.beforeBytes()), bytes(size.afterBytes())));
            rows.add(plain("its indexes", bytes(size.beforeIndexBytes()), bytes(size.afterIndexBytes())));
        }
        rows.add(plain("time to build", seconds(price.beforeBuildSeconds()), seconds(price.afterBuildSeconds())));
        List<Block> blocks = new ArrayList<>();
        for (Write write : price.writes()) {
            rows.add(row(write));
            WriteCost before = write.beforeCost();
            WriteCost after = write.afterCost();
            if (before != null && after != null) {
                rows.add(plain("its WAL", count(before.walBytes()) + " bytes", count(after.walBytes()) + " bytes"));
                if (before.hotPercent() != null && after.hotPercent() != null) {
                    rows.add(plain("its HOT updates", hot(before.hotPercent()), hot(after.hotPercent())));
                }
            }
            String failure = write.measured().failure();
            if (failure != null) {
                blocks.add(new Text(write.name() + ": " + failure.stripTrailing()));
            }
        }
        price.notMeasured().forEach(line -> blocks.add(new Text("not measured: " + line)));
        blocks.add(
                0,
                new Table(
                        "Price of " + price.experiment(),
                        TableLayout.CARDS,
                        List.of(
                                Column.text("price of " + price.experiment()),
                                Column.number("before"),
                                Column.number("after"),
                                Column.number("ratio [95%]"),
                                Column.number("noise"),
                                Column.text("result")),
                        rows));
        return blocks;
    }

    private static List<Cell> plain(String name, String before, String after) {
        return List.of(Cell.of(name), Cell.of(before), Cell.of(after), Cell.EMPTY, Cell.EMPTY, Cell.EMPTY);
    }

    private static List<Cell> row(Write write) {
        Experiment measured = write.measured();
        Side before = measured.before();
        Side after = measured.after();
        if (before == null || after == null || measured.improvement() == null) {
            return List.of(
                    Cell.of(write.name()),
                    Cell.EMPTY,
                    Cell.EMPTY,
                    Cell.EMPTY,
                    Cell.EMPTY,
                    Cell.EMPTY.with("FAILED", Style.BAD));
        }
        Cell result = measured.published().isEmpty()
                ? ExperimentReport.outcome(measured)
                : ReportParts.verdicts(measured.published());
        return List.of(
                Cell.of(write.name()).note(String.join(";\n", before.statements())),
                Cell.of(before.latencyMs().median(), number(before.latencyMs().median()) + " ms"),
                Cell.of(after.latencyMs().median(), number(after.latencyMs().median()) + " ms"),
                ratio(measured.improvement()),
                ReportParts.noise(measured.noiseFloor()),
                write.maxSlowdownPercent() == null
                        ? result
                        : result.note("may become " + LabGate.number(write.maxSlowdownPercent()) + "% slower"));
    }

    private static String hot(double percent) {
        return Digits.rounded(percent, 0) + "%";
    }

    private static String bytes(@Nullable Long bytes) {
        return bytes == null ? "" : ByteSize.text(bytes);
    }

    private static String seconds(@Nullable Double seconds) {
        return seconds == null ? "" : number(seconds.doubleValue()) + " s";
    }
}
