package io.movr.database.plan;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the plan of a statement must be, so that a ratio speaks of what it claims to speak of.
 *
 * @param table whose rows the statement reads, or inserts when no access is named
 * @param accesses the ways of reading it that will do; none where only the writing step matters
 * @param index that must be used, {@code null} if any will do
 * @param forbidden whether the accesses are instead those that the plan must not have
 * @param partitioned whether tables count as well that are called like it, with an underscore and something more
 */
public record Expectation(
        String table, Set<Access> accesses, @Nullable String index, boolean forbidden, boolean partitioned) {

    private static final Pattern SCAN = Pattern.compile("(no )?(.+) of (\\S+?)(\\*)?(?: by (\\S+))?");
    private static final Pattern INSERT = Pattern.compile("insert into (\\S+?)(\\*)?");

    /** Ways of reading that will do, of a table or its partitions. */
    public Expectation(String table, Set<Access> accesses, @Nullable String index) {
        this(table, accesses, index, false, true);
    }

    /**
     * Reads the words that {@link #describe} writes. A star after the table includes its partitions.
     *
     * @throws IllegalArgumentException if they say anything else
     */
    public static Expectation parse(String words) {
        String plain = words.strip().replaceAll("\\s+", " ");
        Matcher insert = INSERT.matcher(plain);
        if (insert.matches()) {
            return new Expectation(insert.group(1), Set.of(), null, false, insert.group(2) != null);
        }
        Matcher scan = SCAN.matcher(plain);
        if (!scan.matches()) {
            throw unknown(words);
        }
        boolean forbidden = scan.group(1) != null;
        Set<Access> accesses = EnumSet.noneOf(Access.class);
        for (String title : scan.group(2).split(" or ", -1)) {
            accesses.add(Arrays.stream(Access.values())
                    .filter(access -> access.title().equals(title))
                    .findFirst()
                    .orElseThrow(() -> unknown(words)));
        }
        if (forbidden && accesses.contains(Access.FULL_SCAN)) {
            accesses.add(Access.FULL_INDEX_SCAN);
        }
        return new Expectation(scan.group(3), accesses, scan.group(5), forbidden, scan.group(4) != null);
    }

    private static IllegalArgumentException unknown(String words) {
        return new IllegalArgumentException("'" + words + "' is no plan: write 'full scan of TABLE',"
                + " 'index scan of TABLE by INDEX', 'index-only scan of TABLE by INDEX', 'full scan of an index of TABLE',"
                + " 'no full scan of TABLE', 'insert into TABLE' or 'any plan'");
    }

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
            boolean written = plan.root().all().anyMatch(node -> node.access() == null && isOfTable(node.table()));
            return written ? Optional.empty() : Optional.of("it does not write " + table);
        }
        List<PlanNode> scans =
                plan.scans().stream().filter(scan -> isOfTable(scan.table())).toList();
        if (forbidden) {
            return scans.stream().filter(this::isOne).findFirst().map(PlanNode::describe);
        }
        if (scans.isEmpty()) {
            return Optional.of("it does not read " + table);
        }
        return scans.stream().filter(scan -> !isOne(scan)).findFirst().map(PlanNode::describe);
    }

    private boolean isOne(PlanNode scan) {
        return accesses.contains(scan.access()) && (index == null || index.equals(scan.index()));
    }

    private boolean isOfTable(@Nullable String name) {
        return name != null && (name.equals(table) || (partitioned && name.startsWith(table + "_")));
    }

    /** The demand in a few words. */
    public String describe() {
        if (accesses.isEmpty()) {
            return "insert into " + table;
        }
        return (forbidden ? "no " : "")
                + accesses.stream().map(Access::title).sorted().collect(Collectors.joining(" or ")) + " of " + table
                + (index == null ? "" : " by " + index);
    }
}
