package io.movr.lab;

import io.movr.database.Engine;
import io.movr.database.plan.Access;
import io.movr.database.plan.Plan;
import io.movr.database.plan.PlanNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The indexes that are proposed for a statement: the server's recommendations, or a guess from the plan. */
final class IndexProposals {

    /** The ways to read a table whole. */
    static final Set<Access> FULL = EnumSet.of(Access.FULL_SCAN, Access.FULL_INDEX_SCAN);

    private static final int MAX_NAME_LENGTH = 63;

    /** A condition in a plan of PostgreSQL, such as {@code ((o.attrs ->> 'color'::text) = 'red'::text)}. */
    private static final Pattern JSON_CONDITION = Pattern.compile(
            "\\((?:\\w+\\.)?(\"(?:[^\"]|\"\")+\"|\\b[a-zA-Z_]\\w*)((?:\\)* ->>? (?:'(?:[^']|'')*'::text|\\d+))+\\)*)(?:::[a-z_ ]+)? = ");

    /** A condition in a plan of PostgreSQL, such as {@code ((name)::text = 'Ada'::text)}. */
    private static final Pattern CONDITION =
            Pattern.compile("(\"(?:[^\"]|\"\")+\"|\\b[a-zA-Z_]\\w*)\\)?(?:::[a-z_ ]+)?\\s(=|<|>|<=|>=)\\s");

    private static final String SORTED =
            "(?:(?:\\w+|\"[^\"]+\")\\.)?(\"[^\"]+\"|[a-z_]\\w*\\b)(?:\\s+(asc|desc)\\b)?(?!\\s*[(.])";
    private static final Pattern ORDER =
            Pattern.compile("\\border\\s+by\\s+(" + SORTED + "(?:\\s*,\\s*" + SORTED + ")*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern SORT_KEY = Pattern.compile(SORTED, Pattern.CASE_INSENSITIVE);

    /** The table in a recommendation of CockroachDB. */
    private static final Pattern RECOMMENDED_TABLE = Pattern.compile("\\bON\\s+(?:[\\w\"]+\\.)*\"?(\\w+)\"?\\s*\\(");

    private static final Pattern QUALIFIED = Pattern.compile("\\bON\\s+(?:[\\w\"]+\\.)+(?=[\\w\"]+\\s*\\()");

    private final SqlStatement statement;
    private final List<String> statements = new ArrayList<>();
    private final Map<String, String> byTable = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    private IndexProposals(SqlStatement statement) {
        this.statement = statement;
    }

    static IndexProposals of(SqlStatement statement, Plan plan, Map<String, ReadTable> tables, Engine engine) {
        IndexProposals proposals = new IndexProposals(statement);
        if (engine.recommendsIndexes()) {
            proposals.recommend(plan);
        } else {
            proposals.guess(plan, tables);
        }
        return proposals;
    }

    /** Returns the statements that make the indexes. */
    List<String> statements() {
        return statements;
    }

    /** Returns the names of the indexes by table; empty if the server gives the name. */
    Map<String, String> byTable() {
        return byTable;
    }

    /** Returns why there is no proposal for a table that is read whole, in sentences without a full stop. */
    List<String> notes() {
        return notes;
    }

    private void recommend(Plan plan) {
        for (String recommendation : plan.recommendations()) {
            String statement = recommendation.strip().replaceAll(";$", "");
            Matcher table = RECOMMENDED_TABLE.matcher(statement);
            if (table.find()) {
                byTable.put(table.group(1), "");
            }
            // The name of the database is another one where it is measured.
            statements.add(QUALIFIED.matcher(statement).replaceAll("ON "));
        }
    }

    /** Guesses an index for each table that is read whole: what is compared for equality first, then a range or else the order. */
    private void guess(Plan plan, Map<String, ReadTable> tables) {
        Set<String> seen = new HashSet<>();
        for (PlanNode scan : plan.scans()) {
            ReadTable table = ReadTable.of(tables, scan);
            if (!FULL.contains(scan.access()) || !seen.add(table.name())) {
                continue;
            }
            Set<String> descending = new HashSet<>();
            Set<String> keys = keys(scan, table, descending);
            if (keys.isEmpty()) {
                continue;
            }
            Optional<String> present = table.indexOn(List.copyOf(keys));
            if (table.isOnePage()) {
                notes.add(table.name() + " has one page, which the planner reads whole whatever indexes there are");
            } else if (present.isPresent()) {
                notes.add(table.name() + " has the index " + present.get() + " on (" + String.join(", ", keys)
                        + "), and the planner nevertheless reads the whole table");
            } else {
                String index = name(table, keys);
                byTable.put(table.name(), index);
                statements.add("CREATE INDEX " + index + " ON " + table.sql() + " ("
                        + keys.stream()
                                .map(key -> table.quoted(key) + (descending.contains(key) ? " DESC" : ""))
                                .collect(Collectors.joining(", "))
                        + ")");
            }
        }
    }

    private Set<String> keys(PlanNode scan, ReadTable table, Set<String> descending) {
        Set<String> keys = new LinkedHashSet<>();
        Set<String> ranges = new LinkedHashSet<>();
        for (String condition : scan.conditions()) {
            Matcher json = JSON_CONDITION.matcher(condition);
            while (json.find()) {
                String column = ReadTable.plain(json.group(1));
                if (table.columns().containsKey(column)) {
                    String path = json.group(2).replace("::text", "").replace(")", "");
                    keys.add("(" + table.quoted(column) + path + ")");
                }
            }
            Matcher compared = CONDITION.matcher(condition);
            while (compared.find()) {
                String column = ReadTable.plain(compared.group(1));
                if (table.columns().containsKey(column)) {
                    (compared.group(2).equals("=") ? keys : ranges).add(column);
                }
            }
        }
        if (ranges.isEmpty()) {
            addSortKeys(table.columns().keySet(), keys, descending);
        } else {
            keys.add(ranges.iterator().next());
        }
        return keys;
    }

    private static String name(ReadTable table, Set<String> keys) {
        String name = ("movr_" + table.name() + "_" + String.join("_", keys))
                .toLowerCase(Locale.ROOT)
                .replaceAll("[\\W_]+", "_")
                .replaceAll("_$", "");
        return name.substring(0, Math.min(name.length(), MAX_NAME_LENGTH));
    }

    /** Adds the columns by which the answer is sorted, up to the first that the table does not have. */
    private void addSortKeys(Set<String> known, Set<String> keys, Set<String> descending) {
        Matcher order = ORDER.matcher(statement.text());
        if (!order.find()) {
            return;
        }
        Matcher key = SORT_KEY.matcher(order.group(1));
        while (key.find()) {
            String column = ReadTable.plain(key.group(1));
            if (!known.contains(column)) {
                return;
            }
            if (keys.add(column) && "desc".equalsIgnoreCase(key.group(2))) {
                descending.add(column);
            }
        }
    }
}
