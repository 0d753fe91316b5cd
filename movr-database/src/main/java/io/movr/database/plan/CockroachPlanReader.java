package io.movr.database.plan;

import io.movr.database.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Reads what CockroachDB answers to {@code EXPLAIN} and {@code EXPLAIN ANALYZE}: a tree drawn with lines, each step with lines
 * of {@code name: value} below it. Unknown lines are ignored, and unknown steps are unrecognised. A step that reads a table
 * without saying which part of it is an error, because such a plan cannot be judged.
 */
final class CockroachPlanReader implements PlanReader {

    private static final Pattern STEP = Pattern.compile("([│├└─ ]*)• (.+)");
    private static final Pattern ATTRIBUTE = Pattern.compile("[│ ]*(\\S.*?): (.*)");

    /** A table and its index, of which a name may hold spaces, and what may follow them. */
    private static final Pattern SOURCE =
            Pattern.compile("(.+)@([^@]+?)(?<partial> \\(partial index\\))?(?:\\s+-{5,}\\s+WARNING: .*)?");

    /** Behind the name of a step: the kind of join or grouping, and how it is executed. */
    private static final Pattern SUFFIXES = Pattern.compile("( \\([^()]*\\))+$");

    private static final Pattern DECIDED_BY_RIGHT = Pattern.compile("(hash|merge|apply|cross) join \\((semi|anti)\\)");
    private static final Pattern DECIDED_BY_LEFT = Pattern.compile("(hash|merge) join \\(right (semi|anti)\\)");

    /** An equality of a column with itself: what a join with the primary key looks like that fetches the rest of each row. */
    private static final Pattern SAME = Pattern.compile("\\((.+)\\) = \\(\\1\\)");

    private static final Pattern COUNT = Pattern.compile("([\\d,]+).*");
    private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)(h|ms|m|s|µs|us|ns)");
    private static final Pattern COMMAND = Pattern.compile("\\s*SQL commands?: (.+?);?\\s*");
    private static final String RECOMMENDATIONS = "index recommendations:";

    /** What the spans of a step that goes through a whole index begin with. */
    private static final String WHOLE = "FULL SCAN";

    private static final Set<String> WRITING = Set.of(
            "delete", "delete range", "delete swap", "insert", "insert fast path", "update", "update swap", "upsert");

    /** Steps that read no table themselves; a virtual table has no rows that are stored. */
    private static final Set<String> OTHERS = Set.of(
            "after-triggers",
            "apply join",
            "before-triggers",
            "buffer",
            "call",
            "constraint-check",
            "cross join",
            "distinct",
            "emptyrow",
            "error if rows",
            "except",
            "except all",
            "explain",
            "export",
            "filter",
            "fk-cascade",
            "group",
            "hash join",
            "index join",
            "intersect",
            "intersect all",
            "inverted filter",
            "limit",
            "max1row",
            "merge join",
            "norows",
            "ordinality",
            "project",
            "project set",
            "recursive cte",
            "render",
            "root",
            "save table",
            "scan buffer",
            "sequence select",
            "sort",
            "subquery",
            "top-k",
            "union",
            "union all",
            "values",
            "virtual table",
            "virtual table lookup join",
            "window");

    /** What of a step is worth showing, in CockroachDB's words. */
    private static final List<String> CONDITIONS = List.of(
            "filter",
            "pred",
            "spans",
            "equality",
            "lookup condition",
            "remote lookup condition",
            "key columns",
            "order",
            "limit",
            "k",
            "FK check",
            "inverted column",
            "num spans",
            "target count");

    @Override
    public String extension() {
        return ".txt";
    }

    @Override
    public String prefix() {
        return "EXPLAIN ANALYZE ";
    }

    /**
     * Runs a statement and rolls back its writes. The values are literals in the statement, because {@code EXPLAIN ANALYZE}
     * takes no placeholders. A plain {@code EXPLAIN} comes first, because only that recommends indexes.
     */
    @Override
    @SuppressWarnings("try") // It is there to be closed.
    public Plan explain(Connection connection, String statement, List<?> parameters) throws SQLException {
        String literal = withValues(connection, statement, parameters);
        String expected;
        String seen;
        try (Undone undone = new Undone(connection)) {
            expected = answer(connection, "EXPLAIN " + literal);
            seen = answer(connection, prefix() + literal);
        }
        Plan plan = read(seen, Catalog.of(connection, read(seen)));
        return new Plan(
                plan.root(),
                plan.source() + recommendationsOf(expected),
                plan.kind(),
                read(expected).recommendations(),
                plan.catalog());
    }

    private static String withValues(Connection connection, String statement, List<?> parameters) throws SQLException {
        Connection driver = (Connection) connection.unwrap(PGConnection.class);
        try (PreparedStatement prepared = driver.prepareStatement(statement)) {
            Rows.bind(prepared, parameters);
            return prepared.toString();
        }
    }

    private static String answer(Connection connection, String statement) throws SQLException {
        try (Statement explain = connection.createStatement();
                ResultSet lines = explain.executeQuery(statement)) {
            StringJoiner answer = new StringJoiner("\n");
            while (lines.next()) {
                answer.add(lines.getString(1));
            }
            return answer.toString();
        }
    }

    private static String recommendationsOf(String source) {
        int at = source.indexOf(RECOMMENDATIONS);
        return at < 0 ? "" : "\n\n" + source.substring(at);
    }

    @Override
    public Plan read(String answer, Catalog catalog) {
        Map<String, String> facts = new LinkedHashMap<>();
        List<String> recommendations = new ArrayList<>();
        Deque<Step> path = new ArrayDeque<>();
        Step root = null;
        boolean recommending = false;
        for (String line : answer.lines().toList()) {
            Matcher command = COMMAND.matcher(line);
            Matcher step = STEP.matcher(line);
            Matcher attribute = ATTRIBUTE.matcher(line);
            if (line.startsWith(RECOMMENDATIONS)) {
                recommending = true;
            } else if (recommending) {
                if (command.matches()) {
                    recommendations.add(command.group(1));
                }
            } else if (step.matches()) {
                Step next = new Step(step.group(2).strip(), step.group(1).length());
                while (!path.isEmpty() && path.peek().column >= next.column) {
                    path.pop();
                }
                if (!path.isEmpty()) {
                    path.peek().children.add(next);
                } else if (root == null) {
                    root = next;
                } else {
                    throw unreadable("it has two roots", answer);
                }
                path.push(next);
            } else if (attribute.matches()) {
                Map<String, String> of = path.isEmpty() ? facts : path.peek().attributes;
                of.putIfAbsent(attribute.group(1), attribute.group(2).strip());
            }
        }
        if (root == null) {
            throw unreadable("it has no steps", answer);
        }
        return new Plan(
                root.node(Set.of(), answer, catalog),
                answer,
                facts.get("plan type"),
                List.copyOf(recommendations),
                catalog);
    }

    private static IllegalArgumentException unreadable(String why, String answer) {
        String beginning = answer.replaceAll("\\s+", " ").strip();
        return new IllegalArgumentException("This is no plan of CockroachDB, " + why + ": "
                + (beginning.length() > 80 ? beginning.substring(0, 80) + "…" : beginning));
    }

    /**
     * What a step reads or writes.
     *
     * @param partial whether the index has a part of the rows
     */
    private record Source(String table, @Nullable String index, boolean partial) {}

    /** A step as it is drawn. */
    private static final class Step {

        private final String name;
        private final String kind;
        private final int column;
        private final Map<String, String> attributes = new LinkedHashMap<>();
        private final List<Step> children = new ArrayList<>();

        Step(String name, int column) {
            this.name = name;
            this.kind = SUFFIXES.matcher(name).replaceFirst("");
            this.column = column;
        }

        /**
         * Returns the step in the words of every engine.
         *
         * @param fetched the tables whose rows a step above fetches, for the entries of an index that are read below
         */
        PlanNode node(Set<String> fetched, String answer, Catalog catalog) {
            List<Source> sources = sources();
            Source source = sources.isEmpty() ? null : sources.get(0);
            String table = source == null ? null : source.table();
            boolean fetches = fetches(catalog);
            Set<String> below = new HashSet<>(fetched);
            if (fetches && table != null) {
                below.add(table);
            }
            List<PlanNode> inputs = new ArrayList<>();
            for (Step child : children) {
                inputs.add(child.node(isDropped(child) ? Set.of() : below, answer, catalog));
            }
            List<String> conditions = new ArrayList<>();
            for (String condition : CONDITIONS) {
                if (attributes.containsKey(condition)) {
                    conditions.add(condition + ": " + attributes.get(condition));
                }
            }
            return new PlanNode(
                    name,
                    fetches ? null : access(sources, fetched, answer, catalog),
                    WRITING.contains(kind),
                    table == null ? null : catalog.schemaOf(table),
                    table,
                    sources.stream()
                            .flatMap(each -> Stream.ofNullable(each.index()))
                            .distinct()
                            .toList(),
                    count("estimated row count"),
                    count("actual row count"),
                    1,
                    conditions,
                    Optional.ofNullable(attributes.get("regions"))
                            .map(regions -> Arrays.asList(regions.split(", ")))
                            .orElse(List.of()),
                    milliseconds(attributes.get("KV time")),
                    inputs);
        }

        /**
         * Returns whether the rows of a side only decide which rows of the other side remain, so that nothing fetches the
         * rest of them.
         */
        private boolean isDropped(Step child) {
            int side = children.indexOf(child);
            return DECIDED_BY_RIGHT.matcher(name).find()
                    ? side > 0
                    : DECIDED_BY_LEFT.matcher(name).find() && side == 0;
        }

        /** Returns whether it only fetches the rest of each row for entries of an index that are read below. */
        private boolean fetches(Catalog catalog) {
            if (kind.equals("index join")) {
                return true;
            }
            Matcher equality = SAME.matcher(attributes.getOrDefault("equality", ""));
            return kind.equals("lookup join")
                    && equality.matches()
                    && sources().stream()
                            .anyMatch(source -> isPrimary(source, catalog)
                                    && children.stream()
                                            .anyMatch(child -> child.readsAnIndexOf(source.table(), catalog)));
        }

        private boolean readsAnIndexOf(String table, Catalog catalog) {
            return sources().stream().anyMatch(source -> source.table().equals(table) && !isPrimary(source, catalog))
                    || children.stream().anyMatch(child -> child.readsAnIndexOf(table, catalog));
        }

        private static boolean isPrimary(Source source, Catalog catalog) {
            return source.index() != null && catalog.isPrimaryKey(source.table(), source.index());
        }

        /** Returns the tables that it reads or writes, with the index of each, as in {@code users@users_pkey}. */
        private List<Source> sources() {
            List<Source> sources = new ArrayList<>();
            for (String key : List.of("table", "into", "from", "left table", "right table")) {
                String value = attributes.get(key);
                if (value != null) {
                    Matcher source = SOURCE.matcher(value);
                    sources.add(
                            source.matches()
                                    ? new Source(source.group(1), source.group(2), source.group("partial") != null)
                                    : new Source(value.replaceFirst("\\(.*", ""), null, false));
                }
            }
            return sources;
        }

        private @Nullable Access access(List<Source> sources, Set<String> fetched, String answer, Catalog catalog) {
            String spans = attributes.get("spans");
            // It deletes what it does not have to read, by the primary key.
            if (kind.equals("delete range") && spans != null) {
                return spans.startsWith(WHOLE) ? Access.FULL_SCAN : Access.INDEX_SCAN;
            }
            if (WRITING.contains(kind) || OTHERS.contains(kind)) {
                return null;
            }
            Source source = sources.isEmpty() ? null : sources.get(0);
            boolean primary = source != null && isPrimary(source, catalog);
            boolean whole = primary || (source != null && fetched.contains(source.table()));
            Access narrow = whole ? Access.INDEX_SCAN : Access.INDEX_ONLY_SCAN;
            return switch (kind) {
                case "inverted join", "lookup join", "vector mutation search", "vector search", "zigzag join" ->
                    source == null ? Access.NOT_UNDERSTOOD : narrow;
                case "revscan", "scan" -> {
                    if (source == null || source.index() == null || spans == null) {
                        throw unreadable("a scan does not say of what (" + attributes + ")", answer);
                    }
                    if (!spans.startsWith(WHOLE) || source.partial()) {
                        yield narrow;
                    }
                    yield primary ? Access.FULL_SCAN : Access.FULL_INDEX_SCAN;
                }
                default -> Access.NOT_UNDERSTOOD;
            };
        }

        private double count(String attribute) {
            Matcher count = COUNT.matcher(attributes.getOrDefault(attribute, ""));
            return count.matches() ? Double.parseDouble(count.group(1).replace(",", "")) : -1;
        }

        private static double milliseconds(@Nullable String time) {
            if (time == null) {
                return -1;
            }
            double sum = 0;
            Matcher parts = TIME.matcher(time);
            while (parts.find()) {
                Duration unit = switch (parts.group(2)) {
                    case "h" -> Duration.ofHours(1);
                    case "m" -> Duration.ofMinutes(1);
                    case "s" -> Duration.ofSeconds(1);
                    case "ms" -> Duration.ofMillis(1);
                    case "ns" -> Duration.ofNanos(1);
                    default -> Duration.ofNanos(1_000);
                };
                sum += Double.parseDouble(parts.group(1)) * unit.toNanos() / 1e6;
            }
            return sum;
        }
    }
}
