package io.movr.database.plan;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The plan that a statement must have, so that a measured ratio compares the intended plans.
 *
 * @param table whose rows the statement reads, or inserts when no access is named; a schema may stand before it, and the name
 *     of a partitioned table means its partitions
 * @param accesses the ways of reading it that will do; none where only the writing step matters
 * @param index that must be used, {@code null} if any will do
 * @param forbidden whether the plan must not have these accesses
 * @param partitioned whether tables count as well that are called like it, with an underscore and something more
 */
public record Expectation(
        String table, Set<Access> accesses, @Nullable String index, boolean forbidden, boolean partitioned) {

    private static final String NAME = "((?:\"(?:[^\"]|\"\")+\"|[^\\s\"*])+)";
    private static final Pattern SCAN = Pattern.compile("(no )?(.+?) of " + NAME + "(\\*)?(?: by " + NAME + ")?");
    private static final Pattern INSERT = Pattern.compile("insert into " + NAME + "(\\*)?");
    private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"]|\"\")+)\"");
    private static final Pattern PLAIN = Pattern.compile("[^\\s\"*]+");

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
            return new Expectation(unquoted(insert.group(1)), Set.of(), null, false, insert.group(2) != null);
        }
        Matcher scan = SCAN.matcher(plain);
        if (!scan.matches()) {
            throw unknown(words);
        }
        boolean forbidden = scan.group(1) != null;
        Set<Access> accesses = EnumSet.noneOf(Access.class);
        for (String title : scan.group(2).split(" or ", -1)) {
            accesses.add(Arrays.stream(Access.values())
                    .filter(access ->
                            access != Access.NOT_UNDERSTOOD && access.title().equals(title))
                    .findFirst()
                    .orElseThrow(() -> unknown(words)));
        }
        if (forbidden && accesses.contains(Access.FULL_SCAN)) {
            accesses.add(Access.FULL_INDEX_SCAN);
        }
        String index = scan.group(5);
        return new Expectation(
                unquoted(scan.group(3)),
                accesses,
                index == null ? null : unquoted(index),
                forbidden,
                scan.group(4) != null);
    }

    private static String unquoted(String name) {
        return QUOTED.matcher(name)
                .replaceAll(quoted -> Matcher.quoteReplacement(quoted.group(1).replace("\"\"", "\"")));
    }

    /** Returns a name as {@link #parse} reads it. */
    public static String quoted(String name) {
        return PLAIN.matcher(name).matches() ? name : '"' + name.replace("\"", "\"\"") + '"';
    }

    private static IllegalArgumentException unknown(String words) {
        return new IllegalArgumentException(
                "'" + words + "' is no plan: write 'full scan of TABLE',"
                        + " 'index scan of TABLE by INDEX', 'index-only scan of TABLE by INDEX', 'full scan of an index of TABLE',"
                        + " 'partial scan of TABLE', two or more of these as 'index scan or full scan of TABLE',"
                        + " 'no full scan of TABLE', 'insert into TABLE' or 'any plan'; a name with a space stands in double quotes");
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

    /** Returns what is wrong with a plan, empty if it is as expected. */
    public Optional<String> complaint(Plan plan) {
        boolean written = plan.root().all().anyMatch(node -> node.writes() && isOfTable(plan, node));
        if (accesses.isEmpty()) {
            return written ? Optional.empty() : Optional.of("it does not write " + table);
        }
        // A step that is not understood may read any table, unless it names one.
        List<PlanNode> scans = Stream.concat(plan.scans().stream(), plan.unrecognizedSteps().stream())
                .filter(scan -> scan.table() == null || isOfTable(plan, scan))
                .toList();
        if (scans.isEmpty()) {
            // Of a statement that only writes the table, the name is known to be right.
            return forbidden && written ? Optional.empty() : Optional.of("it does not read " + table + read(plan));
        }
        return scans.stream()
                .filter(scan -> scan.access() == Access.NOT_UNDERSTOOD || isOne(plan, scan) == forbidden)
                .findFirst()
                .map(PlanNode::describe);
    }

    /** Returns the tables that a plan reads instead, with their schemas if the expectation has one. */
    private String read(Plan plan) {
        String tables = plan.scans().stream()
                .map(scan -> scan.schema() != null && table.contains(".")
                        ? scan.schema() + "." + scan.table()
                        : scan.table())
                .distinct()
                .collect(Collectors.joining(", "));
        return tables.isEmpty() ? ", and no other table" : "; it reads " + tables;
    }

    private boolean isOne(Plan plan, PlanNode scan) {
        return accesses.contains(scan.access())
                && (index == null
                        || scan.indexes().stream()
                                .flatMap(used -> plan.catalog().withParents(scan.schema(), used))
                                .anyMatch(used -> used.name().equals(index)));
    }

    private boolean isOfTable(Plan plan, PlanNode node) {
        String name = node.table();
        return name != null && plan.catalog().withParents(node.schema(), name).anyMatch(this::isTable);
    }

    private boolean isTable(Catalog.Relation relation) {
        String name = relation.name();
        String schema = relation.schema();
        String qualified = schema + "." + name;
        return name.equals(table)
                || (schema == null ? table.endsWith("." + name) : table.equals(qualified))
                || (partitioned && (name.startsWith(table + "_") || qualified.startsWith(table + "_")));
    }

    /** Returns whether a statement names the table, whose keywords and identifiers these are. */
    public boolean isNamedIn(List<String> words) {
        return words.contains(table) || words.contains(table.substring(table.lastIndexOf('.') + 1));
    }

    /** Returns the demand in a few words. */
    public String describe() {
        if (accesses.isEmpty()) {
            return "insert into " + quoted(table);
        }
        return (forbidden ? "no " : "")
                + accesses.stream().map(Access::title).sorted().collect(Collectors.joining(" or ")) + " of "
                + quoted(table)
                + (index == null ? "" : " by " + quoted(index));
    }
}
