package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.lab.Samples.Sample;
import io.movr.report.LabResults.ParameterRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class ParameterKindsTest {

    private static final List<String> SIDES = List.of(Measurement.BEFORE, Measurement.CONTROL, Measurement.AFTER);

    /** Twelve blocks, in each of which each side draws the same rows, some of them more often than others. */
    private static Samples samples(int rows, IntToDoubleFunction beforeMs, IntToDoubleFunction afterMs) {
        Random random = new Random(1);
        List<Sample> samples = new ArrayList<>();
        for (int block = 0; block < 12; block++) {
            for (int run = 0; run < 2 * rows; run++) {
                int row = run < rows ? run : random.nextInt(rows);
                for (String side : SIDES) {
                    double latency = (side.equals(Measurement.AFTER) ? afterMs : beforeMs).applyAsDouble(row);
                    samples.add(new Sample(block, run, side, row, 0, latency * (1 + 0.02 * random.nextGaussian())));
                }
            }
        }
        return new Samples(samples, "", "");
    }

    @Test
    void rowsThatDifferInKindAreComparedEachWithItself() {
        Samples pages = samples(6, row -> 0.1 * Math.pow(4, row), row -> 0.1);
        List<ParameterRow> byRow = ParameterKinds.of(pages).results(row -> "depth " + row);
        assertThat(byRow).hasSize(6);
        for (int row = 0; row < byRow.size(); row++) {
            ParameterRow measured = byRow.get(row);
            assertThat(measured.parameters()).isEqualTo("depth " + row);
            assertThat(measured.afterMs().estimate()).isBetween(0.095, 0.105);
            assertThat(measured.improvement().estimate() / Math.pow(4, row)).isBetween(0.95, 1.05);
        }
        Evidence evidence = Evidence.of(pages);
        // The geometric mean of 1, 4, 16 … 1024.
        assertThat(evidence.measured().interval().estimate()).isBetween(31.0, 33.0);
        assertThat(evidence.measured().interval().low()).isGreaterThan(30);
        assertThat(evidence.noiseFloor()).isLessThan(1.05);
        assertThat(evidence.isDifference(evidence.measured().pValue())).isTrue();

        Evidence ofMedians = Evidence.of(
                pages.blocks(Measurement.BEFORE), pages.blocks(Measurement.AFTER), pages.blocks(Measurement.CONTROL));
        assertThat(ofMedians.measured().interval().high()
                        / ofMedians.measured().interval().low())
                .as("what the order of the draws decides")
                .isGreaterThan(1.5);
    }

    @Test
    void rowsOfOneKindAreMeasuredTogether() {
        Samples alike = samples(4, row -> 1 + 0.1 * row, row -> 0.5);
        assertThat(ParameterKinds.of(alike).results(row -> "")).isEmpty();
        assertThat(ParameterKinds.of(alike).blocks(Measurement.BEFORE))
                .usingRecursiveComparison()
                .isEqualTo(alike.blocks(Measurement.BEFORE));
    }

    @Test
    void manyRowsAreASampleOfOneKind() {
        int rows = ParameterKinds.MAX_ROWS + 1;
        assertThat(ParameterKinds.of(samples(rows, row -> 1 + row, row -> 1)).results(row -> ""))
                .isEmpty();
    }
}
