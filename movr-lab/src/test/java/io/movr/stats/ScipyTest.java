package io.movr.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The statistics against an implementation that shares no code with them. Needs a Python with SciPy: the one that the
 * environment variable or system property {@code MOVR_PYTHON} names, which must have it, otherwise python3 if that has it.
 */
class ScipyTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private record Case(List<Double> first, List<Double> second) {

        static Case of(double[] first, double[] second) {
            return new Case(
                    Arrays.stream(first).boxed().toList(),
                    Arrays.stream(second).boxed().toList());
        }
    }

    private record ForkedCase(List<double[]> first, List<double[]> second) {}

    private static final List<Case> RANKS = new ArrayList<>();
    private static final List<ForkedCase> WELCH = new ArrayList<>();
    private static final List<Case> INTERVALS = new ArrayList<>();

    private static JsonNode answers;

    @BeforeAll
    static void askScipy() throws IOException, InterruptedException {
        Random random = new Random(42);
        for (int number = 0; number < 240; number++) {
            boolean ties = number % 2 == 0;
            int most = number % 3 == 0 ? 8 : number % 3 == 1 ? 40 : 120;
            RANKS.add(Case.of(draw(random, most, ties, 0), draw(random, most, ties, random.nextDouble())));
        }
        for (int number = 0; number < 40; number++) {
            WELCH.add(new ForkedCase(forks(random, 1), forks(random, 1 + number / 100.0)));
        }
        for (int number = 0; number < 6; number++) {
            INTERVALS.add(Case.of(
                    ComparisonTest.lognormal(random, 15 + 5 * number, 2), ComparisonTest.lognormal(random, 25, 1)));
        }
        String named = System.getProperty("MOVR_PYTHON", System.getenv("MOVR_PYTHON"));
        String python = named == null ? "python3" : named;
        if (named != null || hasScipy(python)) {
            answers = ask(python);
        }
    }

    @BeforeEach
    void answersAreThere() {
        assumeTrue(answers != null, "python3 has no SciPy here: pip install scipy, or name another by MOVR_PYTHON");
    }

    @Test
    void uAndItsPValueAreThoseOfScipyWithTiesAndWithout() {
        int exact = 0;
        for (int index = 0; index < RANKS.size(); index++) {
            Case one = RANKS.get(index);
            JsonNode answer = answers.get("ranks").get(index);
            Comparison found = Comparison.of(array(one.first()), array(one.second()), 1);
            String what = answer.get("method").asString() + " of " + one.first().size() + " and "
                    + one.second().size();
            assertThat(found.u()).as("U, " + what).isEqualTo(answer.get("u").asDouble());
            assertThat(found.pValue())
                    .as("p, " + what)
                    .isCloseTo(answer.get("p").asDouble(), within(1e-9));
            exact += answer.get("method").asString().equals("exact") ? 1 : 0;
        }
        assertThat(exact).as("cases of each kind").isBetween(40, RANKS.size() - 40);
    }

    @Test
    void theTestBetweenForksIsWelchsOfScipy() {
        for (int index = 0; index < WELCH.size(); index++) {
            ForkedCase one = WELCH.get(index);
            assertThat(Comparison.forksPValue(one.first(), one.second()).orElseThrow())
                    .isCloseTo(answers.get("welch").get(index).asDouble(), within(1e-9));
        }
    }

    @Test
    void theIntervalOfOneForkIsTheBootstrapsOfScipyUpToChance() {
        for (int index = 0; index < INTERVALS.size(); index++) {
            Case one = INTERVALS.get(index);
            JsonNode ends = answers.get("intervals").get(index);
            double low = ends.get(0).asDouble();
            double high = ends.get(1).asDouble();
            // Medians of few samples take few values, so ends of two resamplings may be a step apart.
            Interval found = Comparison.ofForks(List.of(array(one.first())), List.of(array(one.second())), 3)
                    .ratio();
            assertThat(found.low()).isCloseTo(low, within((high - low) / 10));
            assertThat(found.high()).isCloseTo(high, within((high - low) / 10));
        }
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double[] draw(Random random, int most, boolean ties, double shift) {
        double[] samples = new double[3 + random.nextInt(most - 2)];
        Arrays.setAll(
                samples,
                index -> ties ? 10 + Math.rint(3 * (random.nextGaussian() + shift)) : random.nextGaussian() + shift);
        return samples;
    }

    private static List<double[]> forks(Random random, double median) {
        List<double[]> forks = new ArrayList<>();
        int number = 2 + random.nextInt(5);
        for (int fork = 0; fork < number; fork++) {
            forks.add(ComparisonTest.lognormal(random, 4 + random.nextInt(3), median));
        }
        return forks;
    }

    private static boolean hasScipy(String python) throws InterruptedException {
        try {
            return new ProcessBuilder(python, "-c", "import scipy")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException none) {
            return false;
        }
    }

    private static JsonNode ask(String python) throws IOException, InterruptedException {
        String script;
        try (InputStream stream = ScipyTest.class.getResourceAsStream("scipy_answers.py")) {
            script = new String(stream.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        }
        Process process = new ProcessBuilder(python, "-c", script)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream questions = process.getOutputStream()) {
            questions.write(JSON.writeValueAsBytes(Map.of("ranks", RANKS, "welch", WELCH, "intervals", INTERVALS)));
        }
        byte[] answer = process.getInputStream().readAllBytes();
        assertThat(process.waitFor())
                .as(python + " failed, see its error above")
                .isZero();
        return JSON.readTree(answer);
    }
}
