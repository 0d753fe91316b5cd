package io.movr.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.movr.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The files in the test's resources were written by JMH 1.37 on a small benchmark that sorts numbers. */
class JmhFileTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"before.json", "after.json", "thrpt-ss.json", "profiled.json"})
    void whatJmhWroteIsReadAsJmhSummedItUp(String name) throws IOException {
        Path file = resource(name);
        List<Measured> measured = JmhFile.read(file).measured();
        JsonNode written = JsonMapper.builder().build().readTree(file);
        assertThat(measured).hasSize(8).hasSameSizeAs(written);
        for (int index = 0; index < measured.size(); index++) {
            Measured read = measured.get(index);
            JsonNode entry = written.get(index);
            double score = entry.path("primaryMetric").path("score").asDouble();
            assertThat(read.benchmark()).isEqualTo(entry.path("benchmark").asString());
            assertThat(read.mode()).isEqualTo(entry.path("mode").asString());
            assertThat(read.params()).containsKeys("stage", "size");
            assertThat(read.forks())
                    .hasSize(entry.path("forks").asInt())
                    .allSatisfy(fork -> assertThat(fork).hasSize(4));
            assertThat(read.mean()).isCloseTo(score, within(score * 1e-9));
            if (read.mode().equals("sample")) {
                JsonNode percentiles = entry.path("secondaryMetrics");
                assertThat(read.histogram().quantiles().get("1"))
                        .isEqualTo(percentiles.path("p1.00").path("score").asDouble());
                double median = percentiles.path("p0.50").path("score").asDouble();
                // JMH takes the mean of the two in the middle, and here it is the lower one.
                assertThat(read.histogram().quantiles().get("0.5")).isCloseTo(median, within(median * 0.02));
            } else {
                assertThat(read.histogram()).isNull();
            }
        }
    }

    @Test
    void aPackedFileIsReadAndACutOffOneRefused() throws IOException {
        Path plain = resource("before.json");
        byte[] written = Files.readAllBytes(plain);
        Path packed = folder.resolve("before.json.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write(written);
        }
        assertThat(JmhFile.read(packed).measured())
                .usingRecursiveComparison()
                .isEqualTo(JmhFile.read(plain).measured());
        byte[] whole = Files.readAllBytes(packed);
        Files.write(packed, Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> JmhFile.read(packed))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(packed + " is packed by gzip and cannot be unpacked")
                .hasMessageContaining("copy it again whole");
        Files.write(packed, written);
        assertThat(JmhFile.read(packed).measured())
                .as("packed by its name only")
                .usingRecursiveComparison()
                .isEqualTo(JmhFile.read(plain).measured());
    }

    @Test
    void inSampleModeAnIterationIsItsMedian() {
        String histograms = "\"rawDataHistogram\":[[[[1.0,1],[2.0,3],[9.0,1]],[[4.0,2],[6.0,2]]],[[[7.5,1]]]]";
        Measured read = only(new JmhText().withEntry("a.B.c", "sample", "us/op", Map.of(), histograms, 2));
        assertThat(read.forks()).hasSize(2);
        assertThat(read.forks().get(0)).containsExactly(2, 5);
        assertThat(read.forks().get(1)).containsExactly(7.5);
        assertThat(read.mean()).isCloseTo((1 + 6 + 9 + 8 + 12 + 7.5) / 10, within(1e-12));
        assertThat(read.histogram().quantiles()).containsEntry("0.9", 7.5).containsEntry("1", 9.0);
    }

    @Test
    void binsAreEquallyWideOnALogarithmicAxisAndHoldEverySample() {
        Histogram histogram = new Histogram();
        new Random(3).doubles(500, 0, 5).forEach(value -> histogram.add(Math.exp(value), 2));
        List<List<Double>> bins = histogram.bins(histogram.least(), histogram.greatest());
        assertThat(bins).hasSize(80);
        assertThat(bins.stream().mapToDouble(bin -> bin.get(2)).sum()).isEqualTo(1000);
        double width = bins.get(0).get(1) / bins.get(0).get(0);
        assertThat(bins).allSatisfy(bin -> assertThat(bin.get(1) / bin.get(0)).isCloseTo(width, within(1e-9)));
        assertThat(bins.get(0).get(0)).isEqualTo(histogram.least());
        assertThat(bins.get(79).get(1)).isEqualTo(histogram.greatest());
    }

    @Test
    void oneSampleIsOneBin() {
        Histogram histogram = new Histogram();
        histogram.add(3, 4);
        assertThat(histogram.bins(3, 3)).containsExactly(List.of(3.0, 3.0, 4.0));
    }

    @Test
    void iterationsWithoutAValueAreLeftOutAndSaidToBe() {
        String rawData = "\"rawData\":[[1.5,\"NaN\",2.5],[NaN,0.0],[3.5]]";
        FileContent content = read(new JmhText()
                .withEntry("a.B.c", "avgt", "us/op", Map.of(), rawData, 3)
                .text());
        assertThat(content.measured().get(0).forks()).hasSize(2);
        assertThat(content.measured().get(0).iterations()).isEqualTo(3);
        assertThat(content.warnings()).singleElement().asString().contains("3 iterations of a.B.c");
    }

    @Test
    void anOlderJmhWithoutParametersAndVersionIsReadToo() {
        FileContent content = read(
                "[{\"benchmark\":\"a.B.c\",\"mode\":\"thrpt\",\"threads\":1,"
                        + "\"primaryMetric\":{\"score\":2,\"scoreError\":\"NaN\",\"scoreUnit\":\"ops/ms\",\"rawData\":[[1,2,3]]}}]");
        assertThat(content.measured().get(0).params()).isEmpty();
        assertThat(content.measured().get(0).forks().get(0)).containsExactly(1, 2, 3);
    }

    @Test
    void aBenchmarkThatStandsThereTwiceIsOneWithMoreForks() {
        JmhText text = new JmhText()
                .with("a.B.c", "avgt", "us/op", Map.of(), List.of(new double[] {1, 2}))
                .with("a.B.c", "avgt", "ms/op", Map.of(), List.of(new double[] {0.003, 0.004}));
        FileContent content = read(text.text());
        Measured read = content.measured().get(0);
        assertThat(content.measured()).hasSize(1);
        assertThat(read.forks()).hasSize(2);
        assertThat(read.forks().get(1)).containsExactly(new double[] {3, 4}, within(1e-12));
        assertThat(content.warnings()).singleElement().asString().contains("more than once");
    }

    @Test
    void aBenchmarkThatStandsThereTwiceInOtherCircumstancesIsRefused() {
        String text = new JmhText()
                .with("a.B.c", "avgt", "us/op", Map.of(), List.of(new double[] {1, 2}))
                .with("a.B.c", "avgt", "us/op", Map.of(), List.of(new double[] {3, 4}))
                .text();
        int second = text.lastIndexOf("\"threads\":1");
        String other = text.substring(0, second) + "\"threads\":8" + text.substring(second + "\"threads\":1".length());
        refused(other, "a.B.c (avgt) twice, with threads 1 and 8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | is empty",
                "hello there | is not JSON (line 1)",
                "\"Benchmark\",\"Mode\",\"Score\" | is not JSON (line 1)",
                "Benchmark  Mode  Cnt  Score | is not JSON",
                "{\"a\": 1} | is JSON but no result of JMH",
                "\"text\" | is JSON but no result of JMH",
                "17 | is JSON but no result of JMH",
                "[] | a list without a benchmark",
                "[{}] | its entry 1 has no 'benchmark'",
                "[1, 2] | its entry 1 has no 'benchmark'",
                "[{\"benchmark\":\"a.B.c\",\"mode\":\"avgt\"}] | its entry 1 has no 'primaryMetric'",
                "[{\"benchmark\":\"a.B.c\",\"mode\":\"fast\",\"primaryMetric\":{}}] | has the mode 'fast'",
                "[{\"benchmark\":\"a.B.c\",\"mode\":\"avgt\",\"primaryMetric\":{\"scoreUnit\":\"s/op\"}}] | no 'rawData'",
                "[{\"benchmark\":\"a.B.c\",\"mode\":\"avgt\",\"primaryMetric\":{\"rawData\":[[1]]}}] | no 'scoreUnit'",
                "[{\"benchmark\":\"a.B.c\",\"mode\":\"avgt\",\"primaryMetric\":{\"scoreUnit\":\"s/op\",\"rawData\":[1]}}]"
                        + " | no list of forks",
                "[{\"benchmark\":\"a.B.c\",\"mode\":\"avgt\",\"primaryMetric\":{\"scoreUnit\":\"s/op\","
                        + "\"rawData\":[[\"x\"]]}}] | no numbers",
                "[{\"benchmark\":\"a.B.c\",\"mode\":\"sample\",\"primaryMetric\":{\"scoreUnit\":\"s/op\","
                        + "\"rawDataHistogram\":[[[7]]]}}] | no list of values and counts",
                "[{\"benchmark\":\"a.B.c\",\"mode\":\"avgt\",\"primaryMetric\":{\"scoreUnit\":\"s/op\","
                        + "\"rawData\":[[\"NaN\", 0]]}}] | has no value above zero",
            })
    void whatIsNoResultIsRefusedInOneLine(String text, String message) {
        refused(text, message);
    }

    @Test
    void aResultThatWasCutOffAnywhereIsRefused() throws IOException {
        String whole = Files.readString(resource("thrpt-ss.json")).strip();
        for (int length = 1; length < whole.length(); length += 97) {
            refused(whole.substring(0, length), "ends in the middle");
        }
        refused(whole.substring(0, whole.length() - 1), "ends in the middle");
        refused(whole + "[]", "continues after the end");
    }

    @Test
    void linesAroundTheListAreCountedAndASecondListIsRefused() {
        String list = new JmhText()
                .with("a.B.c", "avgt", "us/op", Map.of(), List.<double[]>of(new double[] {1, 2}))
                .text()
                .replace("[{", "[\n  {");
        assertThat(read("# begins\n# runs\n" + list + "\n\n# saved\n").warnings())
                .extracting(warning -> warning.substring(warning.indexOf(": ") + 2))
                .containsExactly(
                        "lines 1 to 2 before the list of benchmarks left out.",
                        "lines 5 to 6 after the list of benchmarks left out.");
        refused("# begins\n" + list + "\n# again\n" + list, "has a second list of benchmarks after line 3");
        refused("# begins\n# runs\n" + list.substring(0, list.length() - 9), "ends in the middle, in line 4");
        refused("# begins\n# runs\n" + list.replace("\"mode\":", "\"mode\""), "is not JSON (line 4)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"us/op", "\u00b5s/op", "\u03bcs/op"})
    void aMicrosecondIsOneInEachSpelling(String unit) {
        JmhText text = new JmhText()
                .with("a.B.c", "avgt", "ms/op", Map.of(), List.<double[]>of(new double[] {1, 2}))
                .with("a.B.c", "avgt", unit, Map.of(), List.<double[]>of(new double[] {1000, 2000}));
        assertThat(only(text).forks())
                .satisfiesExactly(
                        fork -> assertThat(fork).containsExactly(1, 2),
                        fork -> assertThat(fork).containsExactly(new double[] {1, 2}, within(1e-9)));
    }

    private void refused(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(message)
                .hasMessageContaining("result.json")
                .message()
                .satisfies(line -> assertThat(line.lines()).hasSize(1));
    }

    private Measured only(JmhText text) {
        List<Measured> measured = read(text.text()).measured();
        assertThat(measured).hasSize(1);
        return measured.get(0);
    }

    private FileContent read(String text) {
        try {
            return JmhFile.read(Files.writeString(folder.resolve("result.json"), text));
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private Path resource(String name) throws IOException {
        Path file = folder.resolve(name);
        try (InputStream stream = JmhFileTest.class.getResourceAsStream(name)) {
            Files.write(file, stream.readAllBytes());
        }
        return file;
    }
}
