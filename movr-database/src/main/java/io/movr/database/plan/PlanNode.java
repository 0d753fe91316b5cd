package io.movr.database.plan;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A step of a plan.
 *
 * @param name what the engine calls it
 * @param access how it reads a table, {@code null} if it reads none
 * @param table that it reads or writes
 * @param index that it reads
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
        @Nullable String table,
        @Nullable String index,
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

    /** What it reads and how, such as {@code index scan of users by users_name_idx}. */
    public String describe() {
        if (access == null) {
            return name;
        }
        String by = index == null ? "" : " by " + index;
        return access.title() + " of " + table + by;
    }
}
