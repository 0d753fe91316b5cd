package io.movr.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.environment.Program;
import io.movr.report.CalibrationComparisonReport;
import io.movr.report.CalibrationComparisonResults;
import io.movr.report.CalibrationResults;
import io.movr.report.CalibrationResults.Step;
import io.movr.report.Documented;
import io.movr.report.RunBundle;
import io.movr.report.render.TextRenderer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CalibrationTest {

    @TempDir
    private Path folder;

    @Test
    void theKneeIsTheFewestWorkersNearTheHighestThroughput() {
        assertThat(Calibration.knee(List.of(step(1, 100), step(2, 190), step(4, 300), step(8, 320), step(16, 310))))
                .isEqualTo(4);
        assertThat(Calibration.knee(List.of())).isZero();
    }

    private static Step step(int workers, double perSecond) {
        return new Step(workers, perSecond, 1, 1, 1, 1);
    }

    @Test
    void aLatencyIsJudgedByThePublishedRange() {
        assertThat(Calibration.judgement(0.5, 1, 2)).isEqualTo("better than expected");
        assertThat(Calibration.judgement(1.5, 1, 2)).isEqualTo("as expected");
        assertThat(Calibration.judgement(2.1, 1, 2)).isEqualTo("falls short");
    }

    @Test
    void aCalibrationMeasuresOperationsAndLayersAndIsComparedWithThePublishedMachine() throws Exception {
        CalibrationResults results;
        try (Cluster cluster = EmbeddedPostgres.temporary()) {
            results = new Calibration(
                            cluster,
                            new Calibration.Request(2, 0, 500, null, new Program("test", "test"), List.of("./movr")),
                            text -> {})
                    .run();
        }
        assertThat(results.complete()).isTrue();
        assertThat(results.operations()).extracting("name").containsExactly("read", "update");
        assertThat(results.layers()).extracting("name").containsExactly("network", "CPU", "storage");
        assertThat(results.layers()).allSatisfy(layer -> {
            assertThat(layer.samples()).isPositive();
            assertThat(layer.p99Ms()).isGreaterThanOrEqualTo(layer.medianMs());
        });
        assertThat(results.expectations().get(0).publishedPerSecond()).isEqualTo(3217.5);
        assertThat(results.expectations().get(1).highMs()).isEqualTo(4);
        assertThat(TextRenderer.of(results.report()))
                .containsPattern("(?m)^  published +3217\\.5 +0\\.300 ")
                .contains("SELECT 1");

        RunBundle bundle = RunBundle.create(folder, Instant.EPOCH, "postgresql", "calibration");
        bundle.write(results);
        assertThat(CalibrationComparison.isCalibration(bundle.folder())).isTrue();
        assertThat(CalibrationComparison.isCalibration(folder)).isFalse();
        assertThat(CalibrationComparison.read(bundle.folder())).isEqualTo(results);
        Documented.assertDescribes(
                Documented.RESULTS, Files.readString(bundle.folder().resolve("results.json")));
        CalibrationComparisonResults comparison =
                CalibrationComparison.of(List.of(bundle.folder(), bundle.folder()), List.of("./movr"));
        assertThat(comparison.systems()).hasSize(3);
        assertThat(comparison.systems().get(0).operations().get(1).p95Ms())
                .isEqualTo(results.operations().get(1).response().p95Ms());
        assertThat(TextRenderer.of(CalibrationComparisonReport.of(comparison)))
                .contains("published laptop of 2018", "3218", "update, avg, ms");
        Path lab = Files.createDirectories(folder.resolve("a-lab"));
        Files.writeString(
                lab.resolve("results.json"),
                "{\"kind\": \"lab\", \"experiments\": [{\"id\": \"pk-lookup\", \"before\": {\"medianMs\": {\"estimate\": "
                        + 3 * results.expectations().get(0).meanMs() + "}}}]}");
        assertThat(CalibrationComparison.isLaboratory(lab)).isTrue();
        assertThat(CalibrationComparison.inCalibrationUnits(bundle.folder(), List.of(lab)))
                .containsPattern("pk-lookup +[0-9.]+ +– +3\\.0 +–\\R")
                .doesNotContain("NaN");
    }
}
