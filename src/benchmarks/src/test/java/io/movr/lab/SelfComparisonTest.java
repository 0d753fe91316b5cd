package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.dataset.Scale;
import io.movr.environment.Program;
import io.movr.lab.SelfComparison.Sides;
import io.movr.lab.SelfComparison.Summed;
import io.movr.lab.SelfComparison.Verdicts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SelfComparisonTest {

    @TempDir
    private Path folder;

    @Tag("full")
    @Test
    void bothSidesAreMeasuredAsTheLaboratoryDoes() throws IOException {
        Path raw = folder.resolve("samples.csv");
        SelfComparison.Outcome outcome;
        try (Cluster server = EmbeddedPostgres.temporary()) {
            outcome = new SelfComparison(server, request("returning-id"), 2, raw, step -> {}).run();
        }
        assertThat(outcome.samples()).isEqualTo(36);
        assertThat(outcome.blocks()).isEqualTo(Measurement.MIN_BLOCKS);
        assertThat(outcome.experiments()).hasSize(1).first().satisfies(experiment -> {
            assertThat(experiment.differences().of()).isEqualTo(2);
            assertThat(experiment.planted()).hasSize(3);
        });
        assertThat(Files.readAllLines(raw)).hasSize(1 + 2 * 3 * 36);
        assertThat(outcome.text()).contains("returning-id", "20% found", "of 2)");
    }

    @Test
    void whatIsTheSameIsHardlyEverCalledDifferentAndWhatIsNotIsFound() {
        Random random = new Random(1);
        List<List<Verdicts>> same = new ArrayList<>();
        List<List<Verdicts>> different = new ArrayList<>();
        for (int number = 1; number <= 100; number++) {
            same.add(SelfComparison.judged(List.of(sides(random, 1), sides(random, 1))));
            different.add(SelfComparison.judged(List.of(sides(random, 1), sides(random, 1.5))));
        }
        assertThat(SelfComparison.anyDifference(same).count()).isLessThanOrEqualTo(5);
        assertThat(SelfComparison.anyDifference(different).count()).isGreaterThan(90);
        List<Summed> summed = SelfComparison.summed(List.of("pk-lookup", "name-index"), different);
        assertThat(summed.get(0).differences().count()).isLessThanOrEqualTo(5);
        assertThat(summed.get(0).covering().count()).isBetween(88, 100);
        assertThat(summed.get(1).differences().count()).isGreaterThan(90);
        assertThat(summed.get(1).covering().count()).isLessThan(10);
        assertThat(summed.get(1).ratio().estimate()).isBetween(1.45, 1.55);
        // A block's median varies by about 2%, so 20% is far outside the noise and 5% is not.
        assertThat(summed.get(0).planted())
                .extracting(effect -> effect.found().count())
                .isSorted();
        assertThat(summed.get(0).planted().get(0).found().count()).isLessThan(50);
        assertThat(summed.get(0).planted().get(2).found().count()).isGreaterThan(90);
        assertThat(summed.get(0).planted())
                .allSatisfy(effect -> assertThat(effect.foundWithoutFloor().count())
                        .isGreaterThanOrEqualTo(effect.found().count()));
    }

    /** Six blocks; what is common to a block is common to its sides. */
    private static Sides sides(Random random, double ratio) {
        List<double[]> before = new ArrayList<>();
        List<double[]> after = new ArrayList<>();
        List<double[]> control = new ArrayList<>();
        for (int block = 0; block < 6; block++) {
            double level = Math.exp(0.3 * random.nextGaussian());
            before.add(samples(random, level));
            after.add(samples(random, level / ratio));
            control.add(samples(random, level));
        }
        return new Sides(before, after, control);
    }

    private static double[] samples(Random random, double level) {
        return random.doubles(6)
                .map(any -> level * Math.exp(0.04 * random.nextGaussian()))
                .toArray();
    }

    private LabRequest request(String id) {
        return new LabRequest(
                List.of(id),
                "tiny",
                Scale.TINY.spec(1),
                2,
                30,
                folder,
                true,
                true,
                null,
                new Program("test", "test"),
                List.of());
    }
}
