package io.movr.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * The records, their schema in {@code docs} and the results in {@code docs/results} agree. {@code -Dmovr.golden.write=true}
 * writes the schema anew.
 */
class SchemasTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Map<String, Class<?>> KINDS = new TreeMap<>(Map.of(
            "lab", LabResults.class,
            "bench", BenchResults.class,
            "traffic", TrafficResults.class,
            "workload", WorkloadResults.class,
            "calibration", CalibrationResults.class,
            "edge", EdgeResults.class,
            "check", CheckResults.class,
            "comparison", ComparisonResults.class,
            "calibrations", CalibrationComparisonResults.class));

    @Test
    void theSchemaIsGeneratedFromTheRecords() throws IOException {
        String generated = new RecordSchema()
                        .of(
                                "urn:movr:results:1",
                                "Results of MovR",
                                "The results.json of a bundle, or the comparison.json of movr compare.",
                                KINDS)
                        .toPrettyString()
                        .replace("\r\n", "\n")
                + "\n";
        Path committed = Documented.DOCS.resolve(Documented.RESULTS);
        if (Boolean.getBoolean("movr.golden.write")) {
            Files.writeString(committed, generated);
        }
        assertThat(committed).hasContent(generated);
    }

    static List<Path> publishedResults() throws IOException {
        try (Stream<Path> files = Files.walk(Documented.DOCS.resolve("results"))) {
            return files.filter(file -> file.getFileName().toString().matches("(.*\\.)?results\\.json(\\.gz)?"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("publishedResults")
    void publishedResultsAreValid(Path file) throws IOException {
        String results = read(file);
        Documented.assertDescribes(Documented.RESULTS, results);
        Documented.assertRefuses(Documented.RESULTS, results.replaceFirst("\"command\"", "\"comand\""));
        Documented.assertRefuses(Documented.RESULTS, results.replaceFirst("(\"kind\" : \")\\w+", "$1" + "something"));
    }

    @ParameterizedTest
    @MethodSource("publishedResults")
    void publishedResultsCanBeReadAndWrittenAgain(Path file) throws IOException {
        String results = read(file);
        String kind = JSON.readTree(results).path("kind").asString();
        Documented.assertDescribes(
                Documented.RESULTS, JSON.writeValueAsString(JSON.readValue(results, KINDS.get(kind))));
    }

    private static String read(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file);
                InputStream text = file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
