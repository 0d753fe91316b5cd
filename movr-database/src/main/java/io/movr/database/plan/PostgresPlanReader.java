package io.movr.database.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads what PostgreSQL answers to {@code EXPLAIN (FORMAT JSON)}. */
final class PostgresPlanReader implements PlanReader {

    private static final JsonMapper JSON = new JsonMapper();
    private static final List<String> CONDITIONS = List.of(
            "Index Cond",
            "Order By",
            "TID Cond",
            "Recheck Cond",
            "Hash Cond",
            "Merge Cond",
            "Join Filter",
            "One-Time Filter",
            "Run Condition",
            "Filter",
            "Conflict Arbiter Indexes");

    /** Steps that read no table themselves, or only with a step above them. */
    private static final Set<String> OTHERS = Set.of(
            "Aggregate",
            "Append",
            "Bitmap Index Scan",
            "BitmapAnd",
            "BitmapOr",
            "CTE Scan",
            "Function Scan",
            "Gather",
            "Gather Merge",
            "Group",
            "Hash",
            "Hash Join",
            "Incremental Sort",
            "Limit",
            "LockRows",
            "Materialize",
            "Memoize",
            "Merge Append",
            "Merge Join",
            "ModifyTable",
            "Named Tuplestore Scan",
            "Nested Loop",
            "ProjectSet",
            "Recursive Union",
            "Result",
            "SetOp",
            "Sort",
            "Subquery Scan",
            "Table Function Scan",
            "Unique",
            "Values Scan",
            "WindowAgg",
            "WorkTable Scan");

    /** Steps that stop reading when the step above them stops. */
    private static final Set<String> STREAMING = Set.of(
            "Append",
            "Gather",
            "Gather Merge",
            "Group",
            "Incremental Sort",
            "LockRows",
            "Merge Append",
            "Merge Join",
            "Nested Loop",
            "ProjectSet",
            "Result",
            "Subquery Scan",
            "Unique");

    @Override
    public String extension() {
        return ".json";
    }

    @Override
    public String prefix() {
        return "EXPLAIN (ANALYZE, VERBOSE, BUFFERS, FORMAT JSON) ";
    }

    @Override
    public Optional<String> prefixWithoutRunning() {
        return Optional.of("EXPLAIN (VERBOSE, FORMAT JSON) ");
    }

    @Override
    public Plan read(String answer, Catalog catalog) {
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
        return new Plan(node(plan, false, catalog), answer, null, List.of(), catalog);
    }

    /**
     * Reads a step and all below it.
     *
     * @param limited whether a step above it stops it before it has read everything
     */
    private static PlanNode node(JsonNode plan, boolean limited, Catalog catalog) {
        String type = plan.path("Node Type").asString();
        List<PlanNode> children = new ArrayList<>();
        plan.path("Plans").forEach(child -> children.add(node(child, stops(type, plan, limited, child), catalog)));
        List<String> conditions = new ArrayList<>();
        for (String key : CONDITIONS) {
            if (plan.has(key)) {
                conditions.add(key + ": " + text(plan.path(key)));
            }
        }
        String table = textOrNull(plan, "Relation Name");
        String schema = textOrNull(plan, "Schema");
        if (schema == null && table != null) {
            schema = catalog.schemaOf(table);
        }
        List<String> indexes = type.equals("Bitmap Heap Scan")
                ? children.stream()
                        .flatMap(PostgresPlanReader::bitmapIndexes)
                        .distinct()
                        .toList()
                : Stream.ofNullable(textOrNull(plan, "Index Name")).toList();
        String of = schema;
        boolean part = limited || indexes.stream().anyMatch(index -> catalog.isPartial(of, index));
        long loops = plan.path("Actual Loops").asLong(1);
        return new PlanNode(
                name(type, plan),
                access(type, plan, part),
                type.equals("ModifyTable"),
                schema,
                table,
                indexes,
                plan.path("Plan Rows").asDouble(-1),
                loops > 0 ? plan.path("Actual Rows").asDouble(-1) : -1,
                loops,
                conditions,
                List.of(),
                -1,
                children);
    }

    /** Returns whether a step stops a step below it before that has read everything. */
    private static boolean stops(String type, JsonNode plan, boolean limited, JsonNode child) {
        String relationship = child.path("Parent Relationship").asString("");
        if (relationship.equals("InitPlan") || relationship.equals("SubPlan")) {
            return false;
        }
        if (type.equals("Limit")) {
            return limited || isEnded(plan, child);
        }
        boolean sorted =
                type.equals("Aggregate") && plan.path("Strategy").asString("").equals("Sorted");
        boolean inner = type.equals("Nested Loop") && relationship.equals("Inner");
        return limited && (sorted || STREAMING.contains(type)) && !inner;
    }

    /**
     * Returns whether a limit was reached before the step below it had given all its rows. A step {@code Limit} may have an
     * offset only, or a limit that is larger than the table. The planner expects 10% of the rows if it does not know the value.
     */
    private static boolean isEnded(JsonNode limit, JsonNode child) {
        double most = limit.path("Plan Rows").asDouble(0);
        double all = child.path("Plan Rows").asDouble(0);
        if (!limit.has("Actual Rows")) {
            return most < all;
        }
        boolean unknown = most == Math.max(1, Math.rint(all / 10));
        return child.path("Actual Loops").asLong(1) == 0
                || (child.path("Actual Rows").asDouble(0) < all
                        && (unknown || limit.path("Actual Rows").asDouble(0) >= most));
    }

    private static Stream<String> bitmapIndexes(PlanNode node) {
        return switch (node.name()) {
            case "Bitmap Index Scan" -> node.indexes().stream();
            case "BitmapAnd", "BitmapOr" -> node.children().stream().flatMap(PostgresPlanReader::bitmapIndexes);
            default -> Stream.empty();
        };
    }

    private static String name(String type, JsonNode plan) {
        String operation = textOrNull(plan, "Operation");
        String provider = textOrNull(plan, "Custom Plan Provider");
        String name = type.equals("ModifyTable") && operation != null
                ? operation
                : provider != null ? type + " (" + provider + ")" : type;
        return plan.path("Parallel Aware").asBoolean(false) ? "Parallel " + name : name;
    }

    private static @Nullable Access access(String type, JsonNode plan, boolean part) {
        boolean narrowed = part || plan.has("Index Cond");
        return switch (type) {
            case "Seq Scan" -> Access.FULL_SCAN;
            case "Index Scan" -> narrowed ? Access.INDEX_SCAN : Access.FULL_SCAN;
            case "Index Only Scan" -> narrowed ? Access.INDEX_ONLY_SCAN : Access.FULL_INDEX_SCAN;
            case "Bitmap Heap Scan" -> Access.INDEX_SCAN;
            case "Tid Scan", "Tid Range Scan" -> Access.PARTIAL_SCAN;
            case "Sample Scan" ->
                switch (plan.path("Sampling Method").asString("")) {
                    case "bernoulli" -> Access.FULL_SCAN;
                    case "system", "system_rows", "system_time" -> Access.PARTIAL_SCAN;
                    default -> Access.NOT_UNDERSTOOD;
                };
            // Another server or an extension reads the rows, in a way that the plan does not show.
            default -> OTHERS.contains(type) ? null : Access.NOT_UNDERSTOOD;
        };
    }

    private static String text(JsonNode value) {
        return value.isArray()
                ? value.valueStream().map(JsonNode::asString).collect(Collectors.joining(", "))
                : value.asString();
    }

    private static @Nullable String textOrNull(JsonNode plan, String key) {
        return plan.has(key) ? plan.path(key).asString() : null;
    }

    private static String beginning(String answer) {
        String line = answer.replaceAll("\\s+", " ").strip();
        return line.length() > 80 ? line.substring(0, 80) + "…" : line;
    }
}
