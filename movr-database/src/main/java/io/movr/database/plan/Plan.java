package io.movr.database.plan;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How an engine runs a statement.
 *
 * @param root the step that gives the result
 * @param source the engine's whole answer, as it came
 * @param kind whether it was made for these values or for any, in the engine's words, {@code null} if it does not say
 * @param recommendations statements that the engine recommends, for indexes that it would have used
 * @param catalog what is known about its tables and indexes
 */
public record Plan(PlanNode root, String source, @Nullable String kind, List<String> recommendations, Catalog catalog) {

    /** Returns the steps that read a table, without unrecognised steps. */
    public List<PlanNode> scans() {
        return root.all()
                .filter(node -> node.access() != null && node.access() != Access.NOT_UNDERSTOOD)
                .toList();
    }

    /** Returns the steps of which the reader of the plan does not know whether and how they read a table. */
    public List<PlanNode> unrecognizedSteps() {
        return root.all().filter(node -> node.access() == Access.NOT_UNDERSTOOD).toList();
    }

    /** Returns the regions that took part, empty if the engine does not say. */
    public List<String> regions() {
        return root.all()
                .flatMap(node -> node.regions().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns each table that it reads, how, and its unrecognised steps, in one line. */
    public String describe() {
        List<PlanNode> reads = root.all().filter(node -> node.access() != null).toList();
        return reads.isEmpty()
                ? root.describe()
                : reads.stream().map(PlanNode::describe).distinct().collect(Collectors.joining(", "));
    }

    /** Returns the tree for people to read, a line a step. */
    public String text() {
        StringBuilder text = new StringBuilder();
        append(root, 0, text);
        return text.toString();
    }

    /** Formats a number of rows; a mean over loops may be fractional. */
    private static String rows(double rows) {
        return String.format(Locale.ROOT, rows < 10 && rows != Math.rint(rows) ? "%.2f" : "%,.0f", rows);
    }

    private static void append(PlanNode node, int depth, StringBuilder text) {
        String indent = "  ".repeat(depth);
        text.append(indent).append(depth == 0 ? "" : "-> ").append(node.name());
        if (!node.indexes().isEmpty()) {
            text.append(" using ").append(String.join(", ", node.indexes()));
        }
        if (node.table() != null) {
            text.append(" on ").append(node.table());
        }
        if (node.estimatedRows() >= 0) {
            text.append(String.format(Locale.ROOT, "  (%,.0f rows expected", node.estimatedRows()));
            if (node.actualRows() >= 0) {
                text.append(", ").append(rows(node.actualRows())).append(" seen");
            }
            if (node.loops() != 1) {
                text.append(String.format(Locale.ROOT, " in each of %,d loops", node.loops()));
            }
            text.append(')');
        }
        text.append('\n');
        if (!node.regions().isEmpty()) {
            text.append(indent)
                    .append("     in ")
                    .append(String.join(", ", node.regions()))
                    .append('\n');
        }
        for (String condition : node.conditions()) {
            text.append(indent).append("     ").append(condition).append('\n');
        }
        for (PlanNode child : node.children()) {
            append(child, depth + 1, text);
        }
    }
}
