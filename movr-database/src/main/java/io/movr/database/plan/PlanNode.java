package io.movr.database.plan;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A step of a plan.
 *
 * @param name what the engine calls it
 * @param access how it reads a table, {@code null} if it reads none
 * @param writes whether it writes its table
 * @param schema of the table, {@code null} if it is unknown
 * @param table that it reads or writes
 * @param indexes that it reads, several if it combines them
 * @param estimatedRows rows that the planner expected of it in each loop, negative when it does not say
 * @param actualRows rows that it gave in each loop, on average, negative when it was not run
 * @param loops how often it was run, in all processes; 1 when the engine does not say
 * @param conditions filters and other conditions, in the engine's words
 * @param regions where it ran and where its rows came from, none when the engine does not say
 * @param storageMs time that it waited for stored rows, in milliseconds, negative when the engine does not say
 * @param children the steps that feed it
 */
public record PlanNode(
        String name,
        @Nullable Access access,
        boolean writes,
        @Nullable String schema,
        @Nullable String table,
        List<String> indexes,
        double estimatedRows,
        double actualRows,
        long loops,
        List<String> conditions,
        List<String> regions,
        double storageMs,
        List<PlanNode> children) {

    /** This step and all below it, from the top. */
    public Stream<PlanNode> all() {
        return Stream.concat(Stream.of(this), children.stream().flatMap(PlanNode::all));
    }

    /** Returns the first index that it reads, {@code null} if it reads none. */
    public @Nullable String index() {
        return indexes.isEmpty() ? null : indexes.get(0);
    }

    /** Returns what it reads and how, such as {@code index scan of users by users_name_idx}. */
    public String describe() {
        if (access == null) {
            return name;
        }
        if (access == Access.NOT_UNDERSTOOD) {
            return access.title() + ": " + name + (table == null ? "" : " of " + table);
        }
        String scan = access.title() + " of " + table;
        return indexes.isEmpty()
                ? scan
                : indexes.stream().map(index -> scan + " by " + index).collect(Collectors.joining(", "));
    }
}
