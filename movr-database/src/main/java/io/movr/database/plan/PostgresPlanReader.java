package io.movr.database.plan;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads what PostgreSQL answers to {@code EXPLAIN (FORMAT JSON)}. */
final class PostgresPlanReader implements PlanReader {

    private static final JsonMapper JSON = new JsonMapper();
    private static final List<String> CONDITIONS =
            List.of("Index Cond", "Recheck Cond", "Hash Cond", "Merge Cond", "Join Filter", "Filter");

    @Override
    public String extension() {
        return ".json";
    }

    @Override
    public String prefix() {
        return "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ";
    }

    @Override
    public Plan read(String answer) {
        JsonNode plan;
        try {
            plan = JSON.readTree(answer).path(0).path("Plan");
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException(
                    "This is no plan of PostgreSQL in JSON: " + beginning(answer), malformed);
        }
        if (!plan.has("Node Type")) {
            throw new IllegalArgumentException("This is no plan of PostgreSQL in JSON: " + beginning(answer));
        }
        return new Plan(node(plan), answer, null, List.of());
    }

    private static PlanNode node(JsonNode plan) {
        String type = plan.path("Node Type").asString();
        List<PlanNode> children = new ArrayList<>();
        plan.path("Plans").forEach(child -> children.add(node(child)));
        List<String> conditions = new ArrayList<>();
        for (String key : CONDITIONS) {
            if (plan.has(key)) {
                conditions.add(key + ": " + plan.path(key).asString());
            }
        }
        String index = textOrNull(plan, "Index Name");
        if (type.equals("Bitmap Heap Scan")) {
            index = children.stream()
                    .flatMap(PlanNode::all)
                    .map(PlanNode::index)
                    .filter(name -> name != null)
                    .findFirst()
                    .orElse(null);
        }
        long loops = plan.path("Actual Loops").asLong(1);
        return new PlanNode(
                name(type, plan),
                access(type, plan),
                textOrNull(plan, "Relation Name"),
                index,
                plan.path("Plan Rows").asDouble(-1),
                loops > 0 ? plan.path("Actual Rows").asDouble(-1) : -1,
                loops,
                conditions,
                List.of(),
                -1,
                children);
    }

    private static String name(String type, JsonNode plan) {
        String operation = textOrNull(plan, "Operation");
        String name = type.equals("ModifyTable") && operation != null ? operation : type;
        return plan.path("Parallel Aware").asBoolean(false) ? "Parallel " + name : name;
    }

    private static @Nullable Access access(String type, JsonNode plan) {
        boolean narrowed = plan.has("Index Cond");
        return switch (type) {
            case "Seq Scan", "Sample Scan" -> Access.FULL_SCAN;
            case "Index Scan" -> narrowed ? Access.INDEX_SCAN : Access.FULL_SCAN;
            case "Index Only Scan" -> narrowed ? Access.INDEX_ONLY_SCAN : Access.FULL_INDEX_SCAN;
            case "Bitmap Heap Scan" -> Access.INDEX_SCAN;
            default -> null;
        };
    }

    private static @Nullable String textOrNull(JsonNode plan, String key) {
        return plan.has(key) ? plan.path(key).asString() : null;
    }

    private static String beginning(String answer) {
        String line = answer.replaceAll("\\s+", " ").strip();
        return line.length() > 80 ? line.substring(0, 80) + "…" : line;
    }
}
