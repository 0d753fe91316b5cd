package io.movr.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The schemas in {@code docs} and what is written agree, without measuring anything. */
class SchemasTest {

    private static final Map<String, Class<?>> KINDS = Map.of(
            "lab", LabResults.class,
            "bench", BenchResults.class,
            "traffic", TrafficResults.class,
            "workload", WorkloadResults.class,
            "calibration", CalibrationResults.class,
            "edge", EdgeResults.class,
            "check", CheckResults.class);

    static Stream<String> kinds() {
        return KINDS.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyFieldOfEveryKindOfResultsIsDescribedAndNoOther(String kind) throws ReflectiveOperationException {
        JsonNode schema = json(Documented.DOCS.resolve(Documented.RESULTS));
        assertAgrees(schema, schema.path("$defs").path(kind), KINDS.get(kind), kind);
        assertThat(schema.path("$defs")
                        .path(kind)
                        .path("properties")
                        .path("schemaVersion")
                        .path("const")
                        .asInt())
                .isEqualTo(version(KINDS.get(kind)));
    }

    @Test
    void theSchemaOfResultsKnowsEveryKind() {
        JsonNode kinds = json(Documented.DOCS.resolve(Documented.RESULTS))
                .path("properties")
                .path("kind")
                .path("enum");
        assertThat(kinds.valueStream().map(JsonNode::asString)).containsExactlyInAnyOrderElementsOf(KINDS.keySet());
    }

    @Test
    void everyFieldOfComparedCalibrationsIsDescribedAndNoOther() {
        JsonNode schema = json(Documented.DOCS.resolve(Documented.CALIBRATIONS));
        assertAgrees(schema, schema, SideBySideResults.class, "calibrations");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-21-lab-tutorial.results.json",
                "2026-11-22-traffic.results.json",
                "2026-11-22-edge.results.json",
                "2026-11-22-calibration.results.json",
                "2026-11-21-bench-stages/results.json"
            })
    void theResultsThatAreKeptAreAsDescribed(String file) throws IOException {
        String results = Files.readString(Documented.DOCS.resolve("results").resolve(file));
        Documented.assertDescribes(Documented.RESULTS, results);
        Documented.assertRefuses(Documented.RESULTS, results.replaceFirst("\"command\"", "\"comand\""));
        Documented.assertRefuses(Documented.RESULTS, results.replaceFirst("(\"kind\" : \")\\w+", "$1" + "something"));
    }

    private static void assertAgrees(JsonNode schema, JsonNode described, Type type, String where) {
        JsonNode node = resolved(schema, described);
        if (type instanceof ParameterizedType generic) {
            boolean list = generic.getRawType() == List.class;
            Type[] arguments = generic.getActualTypeArguments();
            JsonNode values = node.path(list ? "items" : "additionalProperties");
            assertThat(values.isObject()).as(where + " describes its values").isTrue();
            assertAgrees(schema, values, arguments[arguments.length - 1], where + "[]");
        } else if (type instanceof Class<?> one && one.isRecord()) {
            List<RecordComponent> components = List.of(one.getRecordComponents());
            List<String> names =
                    components.stream().map(RecordComponent::getName).toList();
            assertThat(node.path("properties").propertyNames()).as(where).containsExactlyInAnyOrderElementsOf(names);
            assertThat(names)
                    .as(where)
                    .containsAll(node.path("required")
                            .valueStream()
                            .map(JsonNode::asString)
                            .toList());
            assertThat(node.path("additionalProperties").asBoolean(true))
                    .as(where)
                    .isFalse();
            for (RecordComponent component : components) {
                assertAgrees(
                        schema,
                        node.path("properties").path(component.getName()),
                        component.getGenericType(),
                        where + "." + component.getName());
            }
        }
    }

    /** What a reference leads to; of a thing that may be null, the thing. */
    private static JsonNode resolved(JsonNode schema, JsonNode node) {
        if (node.has("$ref")) {
            return schema.at(node.path("$ref").asString().substring(1));
        }
        return node.path("oneOf")
                .valueStream()
                .filter(choice -> choice.has("$ref"))
                .findFirst()
                .map(choice -> resolved(schema, choice))
                .orElse(node);
    }

    private static int version(Class<?> results) throws ReflectiveOperationException {
        return results.getField("SCHEMA_VERSION").getInt(null);
    }

    private static JsonNode json(Path file) {
        return JsonMapper.shared().readTree(file);
    }
}
