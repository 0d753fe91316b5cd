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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * Reads what CockroachDB answers to {@code EXPLAIN} and {@code EXPLAIN ANALYZE}: a tree drawn with lines, each step with
 * lines of {@code name: value} below it. Lines that it does not know are left out; a step that reads a table without
 * saying which part of it is an error, because nothing could be said about such a plan.
 */
final class CockroachPlanReader implements PlanReader {

    private static final Pattern STEP = Pattern.compile("([│├└─ ]*)• (.+)");
    private static final Pattern ATTRIBUTE = Pattern.compile("[│ ]*(\\S.*?): (.*)");
    private static final Pattern SOURCE = Pattern.compile("([^@\\s(]+)(?:@([^\\s(]+))?(?:[\\s(].*)?");
    private static final Pattern COUNT = Pattern.compile("([\\d,]+).*");
    private static final Pattern TIME = Pattern.compile("(\\d+(?:\\.\\d+)?)(h|ms|m|s|µs|us|ns)");
    private static final Pattern COMMAND = Pattern.compile("\\s*SQL commands?: (.+?);?\\s*");
    private static final String RECOMMENDATIONS = "index recommendations:";

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
            "FK check");

    @Override
    public String extension() {
        return ".txt";
    }

    @Override
    public String prefix() {
        return "EXPLAIN ANALYZE ";
    }

    /**
     * Runs a statement and takes back whatever it wrote. The values stand in the statement, because this one does not take
     * placeholders; and a plain {@code EXPLAIN} comes first, because only that one recommends indexes.
     */
    @Override
    @SuppressWarnings("try") // It is there to be closed.
    public Plan explain(Connection connection, String statement, List<?> parameters) throws SQLException {
        String literal = withValues(connection, statement, parameters);
        try (Undone undone = new Undone(connection)) {
            Plan expected = read(answer(connection, "EXPLAIN " + literal));
            Plan seen = read(answer(connection, prefix() + literal));
            return new Plan(
                    seen.root(),
                    seen.source() + recommendationsOf(expected.source()),
                    seen.kind(),
                    expected.recommendations());
        }
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
    public Plan read(String answer) {
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
        return new Plan(root.node(false, answer), answer, facts.get("plan type"), List.copyOf(recommendations));
    }

    private static IllegalArgumentException unreadable(String why, String answer) {
        String beginning = answer.replaceAll("\\s+", " ").strip();
        return new IllegalArgumentException("This is no plan of CockroachDB, " + why + ": "
                + (beginning.length() > 80 ? beginning.substring(0, 80) + "…" : beginning));
    }

    /** A step as it is drawn. */
    private static final class Step {

        private final String name;
        private final int column;
        private final Map<String, String> attributes = new LinkedHashMap<>();
        private final List<Step> children = new ArrayList<>();

        Step(String name, int column) {
            this.name = name;
            this.column = column;
        }

        /**
         * The step in the words of every engine.
         *
         * @param joined whether the step above fetches the rest of each row from the table
         */
        PlanNode node(boolean joined, String answer) {
            Matcher source = source();
            String table = source == null ? null : source.group(1);
            String index = source == null ? null : source.group(2);
            boolean joins = name.startsWith("index join");
            List<PlanNode> below = new ArrayList<>();
            for (Step child : children) {
                // A filter between the two changes nothing of that.
                below.add(child.node(joins || (joined && name.equals("filter")), answer));
            }
            List<String> conditions = new ArrayList<>();
            for (String condition : CONDITIONS) {
                if (attributes.containsKey(condition)) {
                    conditions.add(condition + ": " + attributes.get(condition));
                }
            }
            return new PlanNode(
                    name,
                    access(index, joined, answer),
                    table,
                    index,
                    count("estimated row count"),
                    count("actual row count"),
                    1,
                    conditions,
                    Optional.ofNullable(attributes.get("regions"))
                            .map(regions -> Arrays.asList(regions.split(", ")))
                            .orElse(List.of()),
                    milliseconds(attributes.get("KV time")),
                    below);
        }

        /** The table that it reads or writes, and the index, as in {@code users@users_pkey}. */
        private @Nullable Matcher source() {
            for (String key : List.of("table", "into", "from", "left table")) {
                String value = attributes.get(key);
                if (value != null) {
                    Matcher source = SOURCE.matcher(value);
                    if (source.matches()) {
                        return source;
                    }
                }
            }
            return null;
        }

        private @Nullable Access access(@Nullable String index, boolean joined, String answer) {
            boolean primary = index != null && (index.endsWith("_pkey") || index.equals("primary"));
            Access narrow = primary || joined ? Access.INDEX_SCAN : Access.INDEX_ONLY_SCAN;
            if (name.startsWith("lookup join") || name.startsWith("zigzag join")) {
                return narrow;
            }
            if (!name.equals("scan") && !name.equals("revscan")) {
                return null;
            }
            String spans = attributes.get("spans");
            if (index == null || spans == null) {
                throw unreadable("a scan does not say of what (" + attributes + ")", answer);
            }
            if (spans.startsWith("FULL SCAN")) {
                return primary ? Access.FULL_SCAN : Access.FULL_INDEX_SCAN;
            }
            return narrow;
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
