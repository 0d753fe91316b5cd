package io.movr.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.SlowdownBound;
import io.movr.stats.RunStatistics.Pairing;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * How often 95% intervals of each kind cover the truth, where samples vary as measured ones do: blocks are drawn from those of
 * real bundles, whole, so that their samples keep their order, their autocorrelation and their tails. Both sides of a block are
 * the same thing, and which of them is the first is drawn as well, so the true ratio is 1. Prints what it counts.
 */
@Tag("full")
class IntervalCoverageTest {

    private static final Path RESULTS = Path.of("..", "docs", "results");
    private static final int SAMPLES_OF_A_BLOCK = 30;

    /** Latencies of one connection each: the sides of an experiment that are the same thing. */
    private record Block(List<double[]> sides) {

        double[] any(Random random) {
            return sides.get(random.nextInt(sides.size()));
        }
    }

    /**
     * Blocks of one experiment.
     *
     * @param busy whether other programs ran on the same processors, which makes tails so heavy that intervals of few blocks are
     *     too wide
     */
    private record Population(String name, boolean busy, List<Block> blocks) {

        Block any(Random random) {
            return blocks.get(random.nextInt(blocks.size()));
        }

        double[] samples() {
            return blocks.stream()
                    .flatMap(block -> block.sides().stream())
                    .flatMapToDouble(Arrays::stream)
                    .toArray();
        }
    }

    private static final List<Population> POPULATIONS = new ArrayList<>();

    @BeforeAll
    static void readRealSamples() throws IOException {
        ofRunsAgainstThemselves(RESULTS.resolve("2026-11-23-statistics.samples.csv.gz"));
        for (String id : List.of("pk-lookup", "name-index", "covering-index")) {
            ofLab("CockroachDB", RESULTS.resolve("2026-11-22-cockroachdb-lab.results.json.gz"), id);
        }
        ofLab("tutorial", RESULTS.resolve("2026-11-21-lab-tutorial.results.json"), "covering-index");
        POPULATIONS.forEach(population -> System.out.println(described(population)));
    }

    /** Run, experiment, block, side and latency of each sample of the laboratory compared with itself ({@code src/benchmarks/run lab}). */
    private static void ofRunsAgainstThemselves(Path file) throws IOException {
        Map<String, Map<String, Map<String, List<Double>>>> experiments = new LinkedHashMap<>();
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            lines.lines()
                    .skip(1)
                    .map(line -> line.split(","))
                    .forEach(cells -> experiments
                            .computeIfAbsent(cells[1], id -> new LinkedHashMap<>())
                            .computeIfAbsent(cells[0] + "/" + cells[2], block -> new LinkedHashMap<>())
                            .computeIfAbsent(cells[3], side -> new ArrayList<>())
                            .add(Double.valueOf(cells[4])));
        }
        experiments.forEach((id, blocks) -> POPULATIONS.add(new Population(
                id,
                true,
                blocks.values().stream()
                        .map(sides -> new Block(sides.values().stream()
                                .map(IntervalCoverageTest::array)
                                .toList()))
                        .toList())));
    }

    /** An experiment of a laboratory of 80 blocks: before and its control. */
    private static void ofLab(String run, Path file, String id) throws IOException {
        try (var stream = file.toString().endsWith(".gz")
                ? new GZIPInputStream(Files.newInputStream(file))
                : Files.newInputStream(file)) {
            JsonNode experiment = JsonMapper.shared()
                    .readTree(stream)
                    .path("experiments")
                    .valueStream()
                    .filter(one -> one.path("id").asString().equals(id))
                    .findFirst()
                    .orElseThrow();
            List<double[]> before = blocks(experiment.path("before"));
            List<double[]> control = blocks(experiment.path("control"));
            assertThat(before).as("blocks of " + id).hasSize(80);
            POPULATIONS.add(new Population(
                    id + ", " + run,
                    false,
                    IntStream.range(0, before.size())
                            .mapToObj(block -> new Block(List.of(before.get(block), control.get(block))))
                            .toList()));
        }
    }

    private static List<double[]> blocks(JsonNode side) {
        double[] samples = side.path("samplesMs")
                .valueStream()
                .mapToDouble(JsonNode::asDouble)
                .toArray();
        return IntStream.range(0, samples.length / SAMPLES_OF_A_BLOCK)
                .mapToObj(block ->
                        Arrays.copyOfRange(samples, block * SAMPLES_OF_A_BLOCK, (block + 1) * SAMPLES_OF_A_BLOCK))
                .toList();
    }

    private static double[] array(Collection<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** How its samples vary, over logarithms: between blocks, within them, from one to the next, and in the tail. */
    private static String described(Population population) {
        List<double[]> logarithms = population.blocks().stream()
                .map(block -> RunStatistics.logarithms(block.sides().get(0)))
                .toList();
        double within = 0;
        double next = 0;
        int count = 0;
        for (double[] block : logarithms) {
            double mean = Arrays.stream(block).average().orElseThrow();
            for (int index = 0; index < block.length; index++) {
                within += (block[index] - mean) * (block[index] - mean);
                next += index == 0 ? 0 : (block[index] - mean) * (block[index - 1] - mean);
            }
            count += block.length - 1;
        }
        double[] ratios = population.blocks().stream()
                .mapToDouble(block -> Math.log(
                        median(block.sides().get(0)) / median(block.sides().get(1))))
                .toArray();
        Summary summary = Summary.of(population.samples());
        return String.format(
                Locale.ROOT,
                "%-28s %5d blocks: sd of log median %.3f, of log ratio of medians %.3f, within %.3f; lag 1 %.2f; p99/p50 %.1f,"
                        + " max/p50 %.0f",
                population.name(),
                population.blocks().size(),
                deviation(logarithms.stream()
                        .mapToDouble(IntervalCoverageTest::median)
                        .toArray()),
                deviation(ratios),
                Math.sqrt(within / count),
                next / within,
                summary.p99() / summary.median(),
                summary.max() / summary.median());
    }

    private static double median(double[] samples) {
        return Summary.of(samples).median();
    }

    private static double deviation(double[] values) {
        double mean = Arrays.stream(values).average().orElseThrow();
        return Math.sqrt(Arrays.stream(values)
                        .map(value -> (value - mean) * (value - mean))
                        .sum()
                / (values.length - 1));
    }

    /**
     * Counts in every population, prints, and requires at least 93% of each, and at most 97% of those together that were not
     * busy, as far as so many cases can tell.
     */
    private static void assertCovers(String kind, int cases, BiPredicate<Population, Random> covers) {
        int covered = 0;
        int counted = 0;
        StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%-28s", kind));
        for (Population population : POPULATIONS) {
            Random random = new Random(kind.hashCode());
            int found = (int) IntStream.range(0, cases)
                    .filter(number -> covers.test(population, random))
                    .count();
            if (!population.busy()) {
                covered += found;
                counted += cases;
            }
            line.append(String.format(Locale.ROOT, " %5.1f%%", 100.0 * found / cases));
            assertThat(Share.of(found, cases).share().high())
                    .as("%s, %s: %d of %d", kind, population.name(), found, cases)
                    .isGreaterThan(0.93);
        }
        assertCovers(kind, line.toString(), Share.of(covered, counted));
    }

    private static void assertCovers(String kind, String line, Share share) {
        System.out.printf(
                Locale.ROOT,
                "%s  together %.1f%% [%.1f, %.1f]%n",
                line,
                100 * share.share().estimate(),
                100 * share.share().low(),
                100 * share.share().high());
        assertThat(share.share().high()).as(kind).isGreaterThan(0.93);
        assertThat(share.share().low()).as(kind).isLessThan(0.97);
    }

    @ParameterizedTest
    @CsvSource({"4", "6", "12", "40", "80"})
    void ratiosOfPairedBlocks(int blocks) {
        assertCovers(
                "paired blocks, " + blocks,
                500,
                (population, random) ->
                        ratio(population, blocks, 1, random).interval().contains(1));
    }

    /**
     * What decision 4 finds of effects that are planted into blocks of real runs, without the other experiments of a run:
     * Student's p below 5%, and the interval outside the noise floor of a control.
     */
    @ParameterizedTest
    @CsvSource({"6", "40"})
    void largerEffectsAreFoundMoreOftenAndNoneIsFoundHardlyEver(int blocks) {
        int cases = 100;
        double[] factors = {1, 1.05, 1.1, 1.2};
        for (Population population : POPULATIONS) {
            StringBuilder line = new StringBuilder();
            int[] found = new int[factors.length];
            for (int index = 0; index < factors.length; index++) {
                Random random = new Random(blocks);
                int withoutFloor = 0;
                for (int number = 0; number < cases; number++) {
                    RunStatistics.Ratio ratio = ratio(population, blocks, factors[index], random);
                    double floor =
                            ratio(population, blocks, 1, random).interval().noiseFloor();
                    found[index] += Comparison.isDifference(ratio.interval(), ratio.pValue(), floor) ? 1 : 0;
                    withoutFloor += Comparison.isDifference(ratio.interval(), ratio.pValue(), 1) ? 1 : 0;
                }
                line.append(String.format(
                        Locale.ROOT,
                        "  %.0f%%: %5.1f%% (%5.1f%%)",
                        100 * (factors[index] - 1),
                        100.0 * found[index] / cases,
                        100.0 * withoutFloor / cases));
            }
            System.out.printf(
                    Locale.ROOT, "%-28s %2d blocks, found (without noise floor):%s%n", population.name(), blocks, line);
            assertThat(Share.of(found[0], cases).share().low())
                    .as(population.name())
                    .isLessThan(0.05);
            assertThat(found[3]).as(population.name()).isGreaterThanOrEqualTo(found[0]);
        }
    }

    /** Of blocks of which one side is divided by a factor. */
    private static RunStatistics.Ratio ratio(Population population, int blocks, double factor, Random random) {
        List<double[]> first = new ArrayList<>();
        List<double[]> second = new ArrayList<>();
        for (int number = 0; number < blocks; number++) {
            List<double[]> sides = population.any(random).sides();
            int one = random.nextInt(sides.size());
            int step = 1 + random.nextInt(sides.size() - 1);
            first.add(sides.get(one));
            second.add(Arrays.stream(sides.get((one + step) % sides.size()))
                    .map(sample -> sample / factor)
                    .toArray());
        }
        return RunStatistics.ratioOfPairedMedians(first, second, 1);
    }

    /** What a gate of 5% answers to slowdowns that are planted into blocks of real runs. */
    @ParameterizedTest
    @CsvSource({"6, true", "12, true", "40, true", "5, false", "10, false"})
    void aGateOfFivePercentIsSeldomWrong(int number, boolean paired) {
        int cases = 400;
        double[] slowdowns = {0, 5, 10, 20};
        int[] failed = new int[slowdowns.length];
        int[] passed = new int[slowdowns.length];
        SlowdownBound bound = new SlowdownBound(5);
        Random random = new Random(number);
        for (int index = 0; index < slowdowns.length; index++) {
            double factor = 1 + slowdowns[index] / 100;
            for (Population population : POPULATIONS) {
                for (int run = 0; run < cases; run++) {
                    Interval improvement;
                    boolean different;
                    if (paired) {
                        RunStatistics.Ratio ratio = ratio(population, number, 1 / factor, random);
                        improvement = ratio.interval();
                        different = Comparison.isDifference(improvement, ratio.pValue(), 1);
                    } else {
                        List<double[]> before = drawn(population, number, random);
                        List<double[]> after = drawn(population, number, random).stream()
                                .map(block -> Arrays.stream(block)
                                        .map(sample -> sample * factor)
                                        .toArray())
                                .toList();
                        improvement = Comparison.ofForks(before, after, 1).ratio();
                        double pValue = Comparison.forksPValue(before, after).orElseThrow();
                        different = Comparison.isDifference(improvement, pValue, 1);
                    }
                    SlowdownBound.Outcome outcome =
                            bound.judgeImprovement(improvement.low(), improvement.high(), different);
                    failed[index] += outcome == SlowdownBound.Outcome.FAILED ? 1 : 0;
                    passed[index] += outcome == SlowdownBound.Outcome.PASSED ? 1 : 0;
                }
            }
        }
        int all = cases * POPULATIONS.size();
        for (int index = 0; index < slowdowns.length; index++) {
            System.out.printf(
                    Locale.ROOT,
                    "gate of 5%%, %d %s, slowdown %.0f%%: failed %.1f%%, passed %.1f%%, cannot tell %.1f%%%n",
                    number,
                    paired ? "blocks" : "forks",
                    slowdowns[index],
                    100.0 * failed[index] / all,
                    100.0 * passed[index] / all,
                    100.0 * (all - failed[index] - passed[index]) / all);
        }
        assertThat(Share.of(failed[0], all).share().low())
                .as("failed without a slowdown")
                .isLessThan(0.025);
        assertThat(Share.of(failed[1], all).share().low())
                .as("failed at the bound")
                .isLessThan(0.03);
        assertThat(Share.of(passed[1], all).share().low())
                .as("passed at the bound")
                .isLessThan(0.03);
        assertThat(Share.of(passed[2], all).share().low())
                .as("passed beyond the bound")
                .isLessThan(0.025);
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "5, 5", "10, 10"})
    void ratiosOfForks(int first, int second) {
        assertCovers(
                first + " forks and " + second,
                1_000,
                (population, random) -> Comparison.ofForks(
                                drawn(population, first, random), drawn(population, second, random), 1)
                        .ratio()
                        .contains(1));
    }

    @ParameterizedTest
    @CsvSource({"6", "12"})
    void medians(int blocks) {
        double[] truths = POPULATIONS.stream()
                .mapToDouble(population -> median(population.samples()))
                .toArray();
        assertCovers(
                "median of blocks, " + blocks,
                40,
                (population, random) -> Comparison.median(drawn(population, blocks, random))
                        .contains(truths[POPULATIONS.indexOf(population)]));
    }

    @Test
    void ratiosOfIndependentSamples() {
        List<double[]> samples = POPULATIONS.stream().map(Population::samples).toList();
        assertCovers("samples, 20 and 30", 100, (population, random) -> {
            double[] all = samples.get(POPULATIONS.indexOf(population));
            return Comparison.of(drawn(all, 20, random), drawn(all, 30, random), random.nextLong())
                    .ratio()
                    .contains(1);
        });
    }

    private static List<double[]> drawn(Population population, int blocks, Random random) {
        return Stream.generate(() -> population.any(random).any(random))
                .limit(blocks)
                .toList();
    }

    private static double[] drawn(double[] from, int count, Random random) {
        return random.ints(count, 0, from.length)
                .mapToDouble(index -> from[index])
                .toArray();
    }

    /**
     * Traffic, as in the kept results of three regions: log medians of runs vary by 0.12, those of the seconds of a run by 0.6
     * with a lag-1 autocorrelation of 0.43, and one request of twenty takes twenty times as long.
     */
    @ParameterizedTest
    @CsvSource({"PAIRS, 6, 0.99", "PAIRS, 3, 0.99", "NONE, 5, 0.99", "PAIRS, 6, 0", "NONE, 3, 0"})
    void ratiosOfRuns(Pairing pairing, int runs, double quantile) {
        String kind =
                (pairing == Pairing.PAIRS ? "pairs of runs, " : "runs, ") + runs + (quantile == 0 ? ", mean" : ", p99");
        Random random = new Random(kind.hashCode());
        assertCovers(kind, 1_000, () -> {
            List<List<double[]>> first = runs(runs, random);
            List<List<double[]>> second = runs(runs, random);
            RunStatistics.Ratio ratio = quantile == 0
                    ? RunStatistics.ratioOfMeans(pairing, first, second, 1)
                    : RunStatistics.ratioOfQuantiles(pairing, first, second, quantile, 1);
            return ratio.interval().contains(1);
        });
    }

    private static void assertCovers(String kind, int cases, BooleanSupplier covers) {
        int covered = (int) IntStream.range(0, cases)
                .filter(number -> covers.getAsBoolean())
                .count();
        assertCovers(kind, String.format(Locale.ROOT, "%-28s", kind), Share.of(covered, cases));
    }

    private static List<List<double[]>> runs(int count, Random random) {
        return IntStream.range(0, count).mapToObj(run -> run(random)).toList();
    }

    private static List<double[]> run(Random random) {
        double level = 0.12 * random.nextGaussian();
        double second = 0.6 * random.nextGaussian();
        List<double[]> seconds = new ArrayList<>();
        for (int number = 0; number < 20; number++) {
            double median = Math.exp(level + second);
            seconds.add(Stream.generate(
                            () -> median * Math.exp(0.8 * random.nextGaussian()) * (random.nextInt(20) == 0 ? 20 : 1))
                    .limit(30)
                    .mapToDouble(Double::doubleValue)
                    .toArray());
            second = 0.43 * second + Math.sqrt(1 - 0.43 * 0.43) * 0.6 * random.nextGaussian();
        }
        return seconds;
    }
}
