package io.movr.lab;

import io.movr.database.plan.Access;
import io.movr.database.plan.Plan;
import io.movr.database.plan.PlanNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the plan of a statement must be, so that a ratio speaks of what it claims to speak of.
 *
 * @param table whose rows the statement reads, or writes when no access is named
 * @param accesses the ways of reading it that will do; none where only the writing step matters
 * @param index that must be used, nothing where any will do
 */
public record Expectation(
        String table, Set<Access> accesses, @Nullable String index) {

    public static Expectation fullScan(String table) {
        return new Expectation(table, Set.of(Access.FULL_SCAN), null);
    }

    public static Expectation indexScan(String table, String index) {
        return new Expectation(table, Set.of(Access.INDEX_SCAN), index);
    }

    public static Expectation indexOnlyScan(String table, String index) {
        return new Expectation(table, Set.of(Access.INDEX_ONLY_SCAN), index);
    }

    public static Expectation anyOf(String table, Access... accesses) {
        return new Expectation(table, Set.of(accesses), null);
    }

    public static Expectation insert(String table) {
        return new Expectation(table, Set.of(), null);
    }

    /** What is wrong with a plan, empty if it is as expected. */
    public Optional<String> complaint(Plan plan) {
        if (accesses.isEmpty()) {
            boolean written = plan.root().all().anyMatch(node -> isOfTable(node.table()));
            return written ? Optional.empty() : Optional.of("it does not write " + table);
        }
        List<PlanNode> scans =
                plan.scans().stream().filter(scan -> isOfTable(scan.table())).toList();
        if (scans.isEmpty()) {
            return Optional.of("it does not read " + table);
        }
        return scans.stream()
                .filter(scan -> !accesses.contains(scan.access()) || (index != null && !index.equals(scan.index())))
                .findFirst()
                .map(PlanNode::describe);
    }

    /** A partition is called like its table and something more. */
    private boolean isOfTable(@Nullable String name) {
        return name != null && (name.equals(table) || name.startsWith(table + "_"));
    }

    /** The demand in a few words. */
    public String describe() {
        if (accesses.isEmpty()) {
            return "insert into " + table;
        }
        return accesses.stream().map(Access::title).sorted().collect(Collectors.joining(" or ")) + " of " + table
                + (index == null ? "" : " by " + index);
    }
}
