package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.plan.Access;
import io.movr.database.plan.Expectation;
import io.movr.database.plan.Plan;
import io.movr.database.plan.PlanNode;
import io.movr.database.plan.PlanReader;
import io.movr.environment.Unanswered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
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
import tools.jackson.databind.json.JsonMapper;

/**
 * The folder of an experiment, written from one statement: the plan that it has today is what <em>before</em> expects, and
 * <em>after</em> has the index that the engine recommends, or on PostgreSQL one that is guessed from the plan.
 */
public final class ExperimentSkeleton {

    private static final Set<Access> FULL = EnumSet.of(Access.FULL_SCAN, Access.FULL_INDEX_SCAN);
    private static final int PARAMETER_ROWS = 100;
    private static final int MOST_NAME = 63;

    /** A comparison of a column with a value; what else is found is passed over. */
    private static final Pattern COMPARISON = Pattern.compile(
            "--[^\\n]*|/\\*.*?\\*/"
                    + "|(?<qualifier>\\w+\\.)?\\b(?<column>[a-zA-Z_]\\w*)\\s*=\\s*"
                    + "(?<value>'(?:[^']|'')*'|-?\\d+(?:\\.\\d+)?(?![\\w.]))"
                    + "|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"",
            Pattern.DOTALL);

    /** In a condition of PostgreSQL's plan, such as {@code ((name)::text = 'Ada'::text)}. */
    private static final Pattern CONDITION =
            Pattern.compile("\"?\\b([a-zA-Z_]\\w*)\"?\\)?(?:::[a-z_ ]+)?\\s(=|<|>|<=|>=)\\s");

    private static final String SORTED = "(?:\\w+\\.)?([a-z_]\\w*)\\b(?:\\s+(asc|desc)\\b)?(?!\\s*[(.])";
    private static final Pattern ORDER =
            Pattern.compile("\\border\\s+by\\s+(" + SORTED + "(?:\\s*,\\s*" + SORTED + ")*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern SORT_KEY = Pattern.compile(SORTED, Pattern.CASE_INSENSITIVE);

    /** In a recommendation of CockroachDB. */
    private static final Pattern RECOMMENDED_TABLE = Pattern.compile("\\bON\\s+(?:[\\w\"]+\\.)*\"?(\\w+)\"?\\s*\\(");

    private static final Pattern QUALIFIED = Pattern.compile("\\bON\\s+(?:[\\w\"]+\\.)+(?=[\\w\"]+\\s*\\()");

    private final Path folder;
    private final SqlStatement statement;
    private final boolean ofMovr;
    /** Names of tables and columns as SQL writes them. */
    private final Map<String, String> quoted = new HashMap<>();

    /**
     * What was written.
     *
     * @param plan of the statement today
     * @param proposal the statements of after.sql, empty where there are none to propose
     * @param parameters names of the parameters that values became
     */
    public record Written(List<Path> files, String plan, List<String> proposal, List<String> parameters) {}

    /**
     * Checks what is asked for.
     *
     * @param folder that is made; its name is that of the experiment
     * @param statement that reads, with values in it
     * @param ofMovr whether the experiment is to run on MovR's rows, or else on copies of the database
     * @throws UserError if there is such a folder, or it is no such statement
     */
    public ExperimentSkeleton(Path folder, String statement, boolean ofMovr) {
        this.folder = folder;
        this.statement = one(statement);
        this.ofMovr = ofMovr;
        ExperimentFolder.requireName(folder);
        if (Files.exists(folder)) {
            throw new UserError("There is a '" + folder + "' already: name a folder that is made by --init");
        }
    }

    private static SqlStatement one(String text) {
        List<SqlStatement> statements;
        try {
            statements = SqlStatement.of(text);
        } catch (IllegalArgumentException wrong) {
            throw new UserError("--statement: " + wrong.getMessage(), wrong);
        }
        if (statements.size() != 1) {
            throw new UserError("--statement has " + statements.size() + " statements: give one");
        }
        SqlStatement one = statements.get(0);
        if (!one.parameters().isEmpty()) {
            throw new UserError("--statement has the parameter :"
                    + one.parameters().get(0) + ": write a value in its place, and --init makes a parameter of it");
        }
        if (!one.isExplainable()) {
            throw new UserError("--statement begins with '" + one.words().get(0)
                    + "', which has no plan: give a query, by SELECT, WITH, VALUES or TABLE");
        }
        if (one.writes()) {
            throw new UserError("--statement writes, and --init reads a plan by running the statement: copy"
                    + " docs/samples/experiments/cost-of-an-index instead");
        }
        return one;
    }

    /**
     * Asks for the plan, and writes the files.
     *
     * @throws UserError if the statement cannot be run, or the files cannot be written
     */
    public Written write(Gateway database, Engine engine) {
        Gateway bounded = Unanswered.bounded(database, Unanswered.LIMIT);
        try (Connection connection = bounded.connect("movr-lab-init")) {
            // Also a function that writes is refused by that.
            connection.setReadOnly(true);
            Plan plan = PlanReader.of(engine).explain(connection, statement.jdbc(), List.of());
            Map<String, Set<String>> columns = new LinkedHashMap<>();
            for (PlanNode scan : plan.scans()) {
                String table = String.valueOf(scan.table());
                if (!columns.containsKey(table)) {
                    columns.put(table, columns(connection, table));
                }
            }
            return written(plan, columns, engine);
        } catch (SQLException failed) {
            throw new UserError("The statement cannot be run: " + UserError.firstLine(failed), failed);
        } catch (IOException failed) {
            throw new UserError("Cannot write " + folder + ": " + UserError.firstLine(failed), failed);
        }
    }

    private Set<String> columns(Connection connection, String table) throws SQLException {
        Set<String> columns = new LinkedHashSet<>();
        List<List<String>> rows = Rows.query(
                connection,
                "SELECT column_name, quote_ident(column_name), quote_ident(table_name) FROM information_schema.columns"
                        + " WHERE table_schema = ANY (current_schemas(false)) AND table_name = ? ORDER BY ordinal_position",
                List.of(table));
        for (List<String> row : rows) {
            columns.add(row.get(0));
            quoted.put(row.get(0), row.get(1));
            quoted.put(table, row.get(2));
        }
        return columns;
    }

    private Written written(Plan plan, Map<String, Set<String>> columns, Engine engine) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        String parametersOf = parametersOf(plan, columns);
        String text = withParameters(columns.getOrDefault(parametersOf, Set.of()), values);
        Map<String, String> indexes = new LinkedHashMap<>();
        List<String> proposal =
                engine.recommendsIndexes() ? recommended(plan, indexes) : guessed(plan, columns, indexes);
        List<Path> files = new ArrayList<>();
        Files.createDirectories(folder);
        write(files, ExperimentFolder.YAML, yaml(plan, indexes, columns));
        write(files, "statement.sql", text + "\n");
        if (!values.isEmpty()) {
            write(files, "parameters.sql", parameters(parametersOf, values));
        }
        if (!proposal.isEmpty()) {
            write(
                    files,
                    "after.sql",
                    (engine.recommendsIndexes()
                                    ? "-- What the server recommends.\n"
                                    : "-- A guess from the filters and the order of the plan. Change it to what you want to try.\n")
                            + proposal.stream().map(one -> one + ";\n").collect(Collectors.joining()));
        }
        return new Written(files, plan.text(), proposal, List.copyOf(values.keySet()));
    }

    private void write(List<Path> files, String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        files.add(file);
    }

    /** The table that most comparisons are about: values of others stay, because not every pair of values meets in a row. */
    private String parametersOf(Plan plan, Map<String, Set<String>> columns) {
        Map<String, Integer> votes = new LinkedHashMap<>();
        Matcher comparison = COMPARISON.matcher(statement.text());
        while (comparison.find()) {
            String column = comparison.group("column");
            if (column != null) {
                plan.scans().stream()
                        .filter(scan -> columns.getOrDefault(String.valueOf(scan.table()), Set.of())
                                .contains(column))
                        .max((one, other) -> Boolean.compare(names(one, column), names(other, column)))
                        .ifPresent(scan -> votes.merge(String.valueOf(scan.table()), 1, Integer::sum));
            }
        }
        return votes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("");
    }

    private static boolean names(PlanNode scan, String column) {
        Pattern word = Pattern.compile("\\b" + Pattern.quote(column) + "\\b");
        return scan.conditions().stream()
                .anyMatch(condition -> word.matcher(condition).find());
    }

    private String withParameters(Set<String> columns, Map<String, String> values) {
        StringBuilder text = new StringBuilder();
        Matcher comparison = COMPARISON.matcher(statement.text());
        while (comparison.find()) {
            String column = comparison.group("column");
            String found = comparison.group();
            if (column != null && columns.contains(column) && !values.containsKey(column)) {
                values.put(column, column);
                String qualifier = comparison.group("qualifier");
                found = (qualifier == null ? "" : qualifier) + column + " = :" + column;
            }
            comparison.appendReplacement(text, Matcher.quoteReplacement(found));
        }
        comparison.appendTail(text);
        return text.toString();
    }

    private String parameters(String table, Map<String, String> values) {
        String columns = values.keySet().stream().map(this::quoted).collect(Collectors.joining(", "));
        String known = values.keySet().stream()
                .map(column -> quoted(column) + " IS NOT NULL")
                .collect(Collectors.joining(" AND "));
        String mixed = values.keySet().stream()
                .map(column -> quoted(column) + "::text")
                .collect(Collectors.joining(" || ' ' || "));
        return "-- Values of rows that exist, of all over the table, and the same ones each time.\n" + "SELECT "
                + columns
                + "\nFROM (SELECT DISTINCT " + columns + " FROM " + quoted(table) + " WHERE " + known
                + ") AS present\nORDER BY md5(" + mixed + ")\nLIMIT " + PARAMETER_ROWS + "\n";
    }

    private static List<String> recommended(Plan plan, Map<String, String> indexes) {
        List<String> proposal = new ArrayList<>();
        for (String recommendation : plan.recommendations()) {
            String statement = recommendation.strip().replaceAll(";$", "");
            Matcher table = RECOMMENDED_TABLE.matcher(statement);
            if (table.find()) {
                indexes.put(table.group(1), "");
            }
            // The name of the database is another one where it is measured.
            proposal.add(QUALIFIED.matcher(statement).replaceAll("ON "));
        }
        return proposal;
    }

    /** An index for each table that is read whole: what is compared for equality first, then a range or else the order. */
    private List<String> guessed(Plan plan, Map<String, Set<String>> columns, Map<String, String> indexes) {
        List<String> proposal = new ArrayList<>();
        for (PlanNode scan : plan.scans()) {
            String table = String.valueOf(scan.table());
            Set<String> known = columns.getOrDefault(table, Set.of());
            if (!FULL.contains(scan.access()) || indexes.containsKey(table)) {
                continue;
            }
            Set<String> keys = new LinkedHashSet<>();
            Set<String> ranges = new LinkedHashSet<>();
            for (String condition : scan.conditions()) {
                Matcher compared = CONDITION.matcher(condition);
                while (compared.find()) {
                    if (known.contains(compared.group(1))) {
                        (compared.group(2).equals("=") ? keys : ranges).add(compared.group(1));
                    }
                }
            }
            Set<String> descending = new HashSet<>();
            if (ranges.isEmpty()) {
                addSortKeys(known, keys, descending);
            } else {
                keys.add(ranges.iterator().next());
            }
            if (!keys.isEmpty()) {
                String index = ("movr_" + table + "_" + String.join("_", keys))
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("\\W", "_");
                index = index.substring(0, Math.min(index.length(), MOST_NAME));
                indexes.put(table, index);
                proposal.add("CREATE INDEX " + index + " ON " + quoted(table) + " ("
                        + keys.stream()
                                .map(key -> quoted(key) + (descending.contains(key) ? " DESC" : ""))
                                .collect(Collectors.joining(", "))
                        + ")");
            }
        }
        return proposal;
    }

    /** The columns that the answer is sorted by, up to the first that the table does not have. */
    private void addSortKeys(Set<String> known, Set<String> keys, Set<String> descending) {
        Matcher order = ORDER.matcher(statement.text());
        if (!order.find()) {
            return;
        }
        Matcher key = SORT_KEY.matcher(order.group(1));
        while (key.find()) {
            String column = key.group(1).toLowerCase(Locale.ROOT);
            if (!known.contains(column)) {
                return;
            }
            if (keys.add(column) && "desc".equalsIgnoreCase(key.group(2))) {
                descending.add(column);
            }
        }
    }

    private String yaml(Plan plan, Map<String, String> indexes, Map<String, Set<String>> columns) {
        String brief = statement.text().replaceAll("\\s+", " ");
        List<String> before = new ArrayList<>();
        List<String> after = new ArrayList<>();
        for (String table : columns.keySet()) {
            String now = today(plan, table);
            before.add(now);
            String index = indexes.get(table);
            after.add(
                    index == null
                            ? now
                            : index.isEmpty()
                                    ? "no full scan of " + table
                                    : "index scan or index-only scan of " + table + " by " + index);
        }
        StringBuilder text = new StringBuilder("title: "
                + json((brief.length() > 100 ? brief.substring(0, 99) + "…" : brief) + ": as it is against "
                        + (indexes.isEmpty() ? "a change" : "an index"))
                + "\n");
        if (ofMovr) {
            text.append(
                    "seed: movr\n# The same on 10 times the rows, to see how each side grows:\n# scales: [1, 10]\n");
        } else {
            text.append(
                    "# With a seed.sql that makes its rows by :scale, to see how each side grows:\n# scales: [1, 10]\n");
        }
        text.append("labels:\n  before: as it is\n  after: ")
                .append(indexes.isEmpty() ? "changed" : "with an index")
                .append("\nexpect:\n  plan:\n");
        append(text, "before", before);
        append(text, "after", after);
        return text.toString();
    }

    private static void append(StringBuilder text, String side, List<String> lines) {
        text.append("    ").append(side).append(':');
        if (lines.isEmpty()) {
            text.append(" any plan\n");
            return;
        }
        text.append('\n');
        lines.forEach(line -> text.append("      - ").append(json(line)).append('\n'));
    }

    private static String today(Plan plan, String table) {
        List<PlanNode> scans =
                plan.scans().stream().filter(scan -> table.equals(scan.table())).toList();
        Set<Access> accesses = scans.stream()
                .flatMap(scan -> Optional.ofNullable(scan.access()).stream())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Access.class)));
        List<String> used = scans.stream()
                .map(scan -> Optional.ofNullable(scan.index()).orElse(""))
                .distinct()
                .toList();
        String index =
                used.size() == 1 && !used.get(0).isEmpty() && !accesses.contains(Access.FULL_SCAN) ? used.get(0) : null;
        return new Expectation(table, accesses, index, false, false).describe();
    }

    /** What JSON writes is also a quoted text of YAML. */
    private static String json(String text) {
        return JsonMapper.shared().writeValueAsString(text);
    }

    private String quoted(String name) {
        return quoted.getOrDefault(name, name);
    }
}
