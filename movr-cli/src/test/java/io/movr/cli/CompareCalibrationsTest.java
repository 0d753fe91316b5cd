package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.report.CalibrationResults;
import io.movr.report.CalibrationResults.Expectation;
import io.movr.report.CalibrationResults.Layer;
import io.movr.report.CalibrationResults.Step;
import io.movr.report.Documented;
import io.movr.report.Environment;
import io.movr.report.RunBundle;
import io.movr.report.WorkloadResults;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calibrations of several systems side by side, as a user asks for them. */
class CompareCalibrationsTest {

    private static final String PUBLISHED = "published laptop of 2018";
    private static final List<Step> SWEEP = List.of(
            new Step(1, 5_000, 0.2, 0.18, 0.3, 0.5),
            new Step(2, 9_000, 0.25, 0.2, 0.4, 0.9),
            new Step(4, 9_500, 0.45, 0.4, 0.8, 2.5));

    @TempDir
    private Path folder;

    private record Ended(int code, String output, String error) {}

    @BeforeEach
    void bundles() {
        write("laptop", "PostgreSQL", "a laptop's processor", 1, SWEEP, null);
        write("cloud", "CockroachDB", "a cloud's processor", 4, SWEEP.subList(0, 2), "threads woke up late");
        write("without-sweep", "PostgreSQL", "a laptop's processor", 2, List.of(), null);
    }

    @Test
    void aColumnStandsForEachSystemAndForThePublishedMachine() {
        Ended ended = compare("laptop cloud without-sweep");
        assertThat(ended.code()).isZero();
        assertThat(ended.error()).isEmpty();
        assertThat(ended.output())
                .contains("read, operations/s", "read, avg, ms (healthy: 1 to 2 ms)", "update, p99, ms")
                .containsPattern("(?m)^read, operations/s +3200 +800\\.0 +1600 +3218$")
                .containsPattern("(?m)^read, avg, ms \\(healthy: 1 to 2 ms\\) +0\\.3000 +1\\.200 +0\\.6000 +0\\.3000$")
                .contains("laptop's processor", "0.07000 (", ", the knee")
                .contains("CockroachDB v19.2 single node; 10000 rows; 60 s; 13-inch laptop of 2018")
                .contains("Warning: cloud: this run measured the runner: threads woke up late")
                .containsPattern("(?m)^ *The published machine ran CockroachDB, so a comparison")
                .doesNotContain("workload was not the same");
    }

    @Test
    void theFormsHoldTheSameNumbers() throws IOException {
        JsonNode json = JsonMapper.shared()
                .readTree(compare("laptop cloud --format json").output());
        JsonNode cloud = json.path("systems").get(1);
        double p95 = cloud.path("operations").get(1).path("p95Ms").asDouble();
        assertThat(p95).isEqualTo(7.2);
        JsonNode published = json.path("systems").get(2);
        assertThat(published.path("published").asBoolean()).isTrue();
        assertThat(published.path("operations").get(1).path("meanMs").asDouble())
                .isEqualTo(0.8);
        assertThat(published.path("operations").get(1).path("p95Ms").isNull()).isTrue();

        Ended csv = compare("laptop cloud --format csv");
        assertThat(csv.error()).contains("Warning: cloud: this run measured the runner");
        List<CSVRecord> lines = CSVParser.parse(
                        new StringReader(csv.output()),
                        CSVFormat.DEFAULT
                                .builder()
                                .setHeader()
                                .setSkipHeaderRecord(true)
                                .get())
                .getRecords();
        assertThat(values(lines, "cloud", "operation", "update", "p95")).containsExactly(p95);
        assertThat(values(lines, PUBLISHED, "operation", "update", "p95")).isEmpty();
        assertThat(values(lines, PUBLISHED, "operation", "update", "throughput"))
                .containsExactly(168.3);
        assertThat(values(lines, "laptop", "workers", "4", "p99")).containsExactly(2.5);
        assertThat(values(lines, "laptop", "layer", "storage", "p50"))
                .as("was not measured")
                .isEmpty();
        assertThat(values(lines, "cloud", "knee", "", "concurrency")).containsExactly(2.0);

        String markdown = compare("laptop cloud --format markdown").output();
        assertThat(markdown)
                .contains("| YCSB B, one worker | laptop | cloud | " + PUBLISHED + " |")
                .contains("| update, p95, ms | 1.800 | 7.200 | – |")
                .contains("| 2 | 9000 (0.2500, 0.9000), the knee | 9000 (0.2500, 0.9000), the knee |")
                .contains("| 4 | 9500 (0.4500, 2.500) | – |")
                .containsPattern("\\| source \\| .*laptop \\| .*cloud \\| CockroachDB v19.2 single node; 10000 rows")
                .contains("| processor | **a laptop's processor** | **a cloud's processor** | – |");
        assertThat(markdown.lines().filter(line -> line.startsWith("| "))).allMatch(line -> line.endsWith(" |"));
    }

    @Test
    void theFolderHoldsWholeFilesAsDocumentedAndThePageItsData() throws IOException {
        Path out = folder.resolve("a/systems");
        Ended ended = compare("laptop cloud without-sweep --out " + out);
        assertThat(ended.code()).isZero();
        assertThat(ended.error().lines()).singleElement().isEqualTo("Report: " + out.resolve("comparison.html"));
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("comparison.json", "comparison.md", "comparison.csv", "comparison.html");
        }
        String written = Files.readString(out.resolve("comparison.json"));
        Documented.assertDescribes(Documented.RESULTS, written);
        Documented.assertRefuses(Documented.RESULTS, written.replace("\"sweep\"", "\"sweeps\""));

        String page = Files.readString(out.resolve("comparison.html"));
        assertThat(page)
                .contains("<title>MovR calibrations: laptop, cloud, without-sweep, " + PUBLISHED, "data-kind=\"lines\"")
                .doesNotContain("<!--BODY-->", "/*CSS*/", "/*SCRIPTS*/", "{{");
        assertThat(page.replaceAll("(?s)<script.*?</script>", ""))
                .as("nothing that a browser would fetch")
                .doesNotContain("http://", "https://", "src=");
    }

    @Test
    void whatDiffersBetweenSystemsIsTold() {
        JsonNode facts = JsonMapper.shared()
                .readTree(compare("laptop cloud --format json").output())
                .path("facts");
        assertThat(values(facts, "processor")).containsExactly("a laptop's processor", "a cloud's processor", "");
        assertThat(values(facts, "database"))
                .containsExactly(
                        "PostgreSQL 18.6 on x86_64", "CockroachDB 18.6 on x86_64", "CockroachDB v19.2 single node");
        assertThat(values(facts, "insert-count")).containsExactly("10000", "10000", "");
        assertThat(values(facts, "measured")).containsExactly("2026-11-22T00:02:04Z", "2026-11-22T00:02:04Z", "");
        assertThat(values(facts, "setting fsync")).isEmpty();
        assertThat(values(facts, "setting cache")).containsExactly("1", "4", "");
    }

    @Test
    void anotherWorkloadIsWarnedOf() throws IOException {
        Path results = folder.resolve("cloud/results.json");
        Files.writeString(results, Files.readString(results).replace("\"10000\"", "\"500\""));
        assertThat(compare("laptop cloud").output()).contains("Warning: The workload differs between the systems");
    }

    @Test
    void systemsAreNamedByWhatDistinguishesThem() {
        write("north/20261122-120000-postgresql-calibration", "PostgreSQL", "x", 1, SWEEP, null);
        write("south/20261122-120000-postgresql-calibration", "PostgreSQL", "x", 1, SWEEP, null);
        assertThat(compare("north/20261122-120000-postgresql-calibration south/20261122-120000-postgresql-calibration")
                        .output())
                .containsPattern("(?m)^YCSB B, one worker +north +south +");
        assertThat(compare("laptop laptop").output()).contains("  laptop (2) ");
        assertThat(compare("laptop").output()).containsPattern("(?m)^YCSB B, one worker +laptop +");
    }

    @Test
    void aPageCannotBeBrokenByWhatItsDataSay() throws IOException {
        write("<b>&", "PostgreSQL", "</script><script>alert(1)</script>", 1, SWEEP, null);
        Path out = folder.resolve("out");
        assertThat(compare("<b>& laptop --out " + out).code()).isZero();
        assertThat(Files.readString(out.resolve("comparison.html")))
                .doesNotContain("<script>alert", "<b>&")
                .contains("&lt;b&gt;&amp;", "&lt;script&gt;alert");
    }

    @Test
    void experimentsInUnitsOfACalibrationStayATable() throws IOException {
        Path lab = Files.createDirectories(folder.resolve("lab"));
        Files.writeString(
                lab.resolve("results.json"),
                "{\"kind\": \"lab\", \"experiments\": [{\"id\": \"pk-lookup\", \"before\": {\"medianMs\": {\"estimate\":"
                        + " 0.6}}, \"after\": {\"medianMs\": {\"estimate\": 0.3}}}]}");
        assertThat(compare("laptop lab").output()).containsPattern("pk-lookup +0\\.600 +0\\.300 +2\\.0 +1\\.0");
        for (String option : List.of("--format json", "--out " + folder.resolve("out"))) {
            Ended ended = compare("laptop lab " + option);
            assertThat(ended.code()).isEqualTo(1);
            assertThat(ended.error().lines()).singleElement().asString().contains("leave out --format and --out");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "laptop cloud --format xml | There is no format 'xml'",
                "laptop cloud --out /proc/nowhere | name another with --out",
                "laptop nowhere | The first bundle must be of movr calibrate",
                "nowhere laptop | The first bundle must be of movr calibrate",
            })
    void badInputIsAnsweredByOneClearLine(String arguments, String message) {
        Ended ended = compare(arguments);
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.output()).isEmpty();
        assertThat(ended.error().lines()).singleElement().asString().contains(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"schemaVersion\" : 1 -> \"schemaVersion\" : 99",
                "\"layers\" -> \"lairs\"",
                "\"operation\" : \"update\" -> \"operation\" : \"delete\"",
                "\"seconds\" : 60.0 -> \"seconds\" : \"many\""
            })
    void aCalibrationThatCannotBeReadLeavesNothingBehind(String change) throws IOException {
        String[] sides = change.split(" -> ", 2);
        Path results = folder.resolve("cloud/results.json");
        String broken = Files.readString(results).replace(sides[0], sides[1]);
        assertThat(broken).isNotEqualTo(Files.readString(results));
        Files.writeString(results, broken);
        Path out = folder.resolve("out");
        Ended ended = compare("laptop cloud --out " + out);
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.error().lines()).singleElement().asString().startsWith("movr: ");
        assertThat(out).isEmptyDirectory();
    }

    private void write(
            String name,
            String engine,
            String processor,
            double factor,
            List<Step> sweep,
            @Nullable String bottleneck) {
        Environment environment = new Environment(
                "1",
                "c",
                "17",
                "Linux",
                processor,
                2,
                8_000_000_000L,
                engine,
                engine + " 18.6 on x86_64",
                "jdbc:postgresql://127.0.0.1:1/movr",
                true,
                null,
                Map.of("fsync", "on", "cache", String.format("%.0f", factor)));
        CalibrationResults results = new CalibrationResults(
                CalibrationResults.SCHEMA_VERSION,
                "calibration",
                "2026-11-22T00:02:04.847192062Z",
                80,
                List.of("./movr", "calibrate"),
                true,
                environment,
                Map.of("workload", "B", "insert-count", "10000", "concurrency", "1"),
                60,
                List.of(operation("read", 0.3 * factor), operation("update", 0.9 * factor)),
                List.of(
                        expectation("read", 3200 / factor, 0.3 * factor, 1),
                        expectation("update", 160 / factor, 0.9 * factor, 2)),
                List.of(
                        new Layer("network", "round trip", 2_000, 0.07, 0.2, 1, "fine", ""),
                        new Layer("CPU", "read", 2_000, 0.01, 0.3, 1, "fine", ""),
                        new Layer("storage", "fdatasync", 0, 0, 0, 2, "not measured", "elsewhere")),
                sweep,
                sweep.isEmpty() ? 0 : 2,
                new WorkloadResults.Cost(0.1, 0.01, 1, 0, bottleneck),
                List.of(),
                List.of());
        RunBundle.in(folder.resolve(name)).write(results);
    }

    private static WorkloadResults.Operation operation(String name, double meanMs) {
        WorkloadResults.Latency latency =
                new WorkloadResults.Latency(meanMs, 0.9 * meanMs, 2 * meanMs, 4 * meanMs, 6 * meanMs, 20 * meanMs);
        return new WorkloadResults.Operation(name, 1_000, 3_000, Map.of(), Map.of(), latency, latency, latency);
    }

    private static Expectation expectation(String name, double perSecond, double meanMs, double lowMs) {
        return new Expectation(name, perSecond, meanMs, 4 * meanMs, lowMs, 2 * lowMs, 1, 1, 1, "better than expected");
    }

    private static List<Double> values(List<CSVRecord> lines, String system, String part, String name, String metric) {
        return lines.stream()
                .filter(line -> line.get("system").equals(system)
                        && line.get("part").equals(part)
                        && line.get("name").equals(name)
                        && line.get("metric").equals(metric))
                .map(line -> Double.valueOf(line.get("value")))
                .toList();
    }

    private static List<String> values(JsonNode facts, String what) {
        return facts.valueStream()
                .filter(fact -> fact.path("what").asString().equals(what))
                .flatMap(fact -> fact.path("values").valueStream())
                .map(JsonNode::asString)
                .toList();
    }

    private Ended compare(String arguments) {
        List<String> words = Stream.concat(
                        Stream.of("calibrate", "compare"),
                        Stream.of(arguments.split(" "))
                                .map(word -> Files.isDirectory(folder.resolve(word))
                                        ? folder.resolve(word).toString()
                                        : word))
                .toList();
        StringWriter output = new StringWriter();
        StringWriter error = new StringWriter();
        CommandLine line = Movr.commandLine().setOut(new PrintWriter(output)).setErr(new PrintWriter(error));
        int code = line.execute(words.toArray(String[]::new));
        return new Ended(code, output.toString(), error.toString());
    }
}
