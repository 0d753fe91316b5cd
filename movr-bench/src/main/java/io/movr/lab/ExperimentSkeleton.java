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
import io.movr.lab.ComparedValues.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/**
 * The folder of an experiment, written from one statement: the plan that it has today is what <em>before</em> expects, and
 * <em>after</em> has the index that the engine recommends, or on PostgreSQL one that is guessed from the plan.
 */
public final class ExperimentSkeleton {

    private static final Set<Access> FULL = EnumSet.of(Access.FULL_SCAN, Access.FULL_INDEX_SCAN);
    private static final Set<Access> BY_INDEX = EnumSet.of(Access.INDEX_SCAN, Access.INDEX_ONLY_SCAN);
    private static final int PARAMETER_ROWS = 100;
    private static final int MAX_NAME_LENGTH = 63;

    /** Rows of parameters whose plans are read, and how long that may take together. */
    private static final int PLANS = 6;

    private static final long PLANS_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** In a condition of PostgreSQL's plan, such as {@code ((o.attrs ->> 'color'::text) = 'red'::text)}. */
    private static final Pattern JSON_CONDITION = Pattern.compile(
            "\\((?:\\w+\\.)?(\"(?:[^\"]|\"\")+\"|\\b[a-zA-Z_]\\w*)((?: ->>? (?:'(?:[^']|'')*'::text|\\d+)|\\))+)(?:::[a-z_ ]+)? = ");

    private static final Pattern LAST_KEY = Pattern.compile("(\\w+)\\W*$");

    /** In a condition of PostgreSQL's plan, such as {@code ((name)::text = 'Ada'::text)}. */
    private static final Pattern CONDITION =
            Pattern.compile("(\"(?:[^\"]|\"\")+\"|\\b[a-zA-Z_]\\w*)\\)?(?:::[a-z_ ]+)?\\s(=|<|>|<=|>=)\\s");

    private static final String SORTED =
            "(?:(?:\\w+|\"[^\"]+\")\\.)?(\"[^\"]+\"|[a-z_]\\w*\\b)(?:\\s+(asc|desc)\\b)?(?!\\s*[(.])";
    private static final Pattern ORDER =
            Pattern.compile("\\border\\s+by\\s+(" + SORTED + "(?:\\s*,\\s*" + SORTED + ")*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern SORT_KEY = Pattern.compile(SORTED, Pattern.CASE_INSENSITIVE);

    /** In a recommendation of CockroachDB. */
    private static final Pattern RECOMMENDED_TABLE = Pattern.compile("\\bON\\s+(?:[\\w\"]+\\.)*\"?(\\w+)\"?\\s*\\(");

    private static final Pattern QUALIFIED = Pattern.compile("\\bON\\s+(?:[\\w\"]+\\.)+(?=[\\w\"]+\\s*\\()");

    private final Path folder;
    private final SqlStatement statement;
    private final boolean ofMovr;
    /**
     * What was written.
     *
     * @param plan of the statement today
     * @param proposal the statements of after.sql, empty where there are none to propose
     * @param parameters names of the parameters that values became
     * @param notes what else is worth knowing, each in a sentence without its full stop
     * @param reads whether the statement reads a table, so that an index may help
     */
    public record Written(
            List<Path> files,
            String plan,
            List<String> proposal,
            List<String> parameters,
            List<String> notes,
            boolean reads) {}

    /** The statement with parameters in place of values, and the query that answers them. */
    private record Parameterized(String text, Map<String, String> names, String query) {}

    /**
     * Checks what is asked for.
     *
     * @param folder that is made; its name is that of the experiment
     * @param statement with values in it
     * @param ofMovr whether the experiment is to run on MovR's rows, or else on copies of the database
     * @throws UserError if there is such a folder, or it is no such statement
     */
    public ExperimentSkeleton(Path folder, String statement, boolean ofMovr) {
        this.folder = folder;
        this.statement = one(statement);
        this.ofMovr = ofMovr;
        FolderFiles.requireName(folder);
        if (Files.exists(folder)) {
            throw new UserError("The folder '" + folder + "' exists: name a new one, which --init makes");
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
                    + "', which has no plan: give SELECT, WITH, VALUES, TABLE, INSERT, UPDATE, DELETE or MERGE");
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
            PlanReader reader = PlanReader.of(engine);
            String prefix = prefix(reader, engine);
            Plan plan = reader.explain(connection, prefix, statement.jdbc(), List.of());
            Map<String, ReadTable> tables = new LinkedHashMap<>();
            for (PlanNode scan : plan.scans()) {
                String table = String.valueOf(scan.table());
                if (!tables.containsKey(table)) {
                    tables.put(table, ReadTable.of(connection, table, engine));
                }
            }
            Parameterized parameterized = parameterized(plan, tables, engine);
            return written(plans(connection, reader, prefix, plan, parameterized), tables, parameterized, engine);
        } catch (SQLException failed) {
            throw new UserError("The statement cannot be run: " + UserError.firstLine(failed), failed);
        } catch (IOException failed) {
            throw new UserError("Cannot write " + folder + ": " + UserError.firstLine(failed), failed);
        }
    }

    /** What asks for a plan. A statement that writes is not run, because the database is that of the user. */
    private String prefix(PlanReader reader, Engine engine) {
        return !statement.writes()
                ? reader.prefix()
                : reader.prefixWithoutRunning()
                        .orElseThrow(
                                () -> new UserError(
                                        "--statement writes, and --init reads a plan of " + engine.title()
                                                + " by running the statement: copy docs/samples/experiments/cost-of-an-index instead"));
    }

    /** The plan of the statement, and those for some rows of parameters. */
    private static List<Plan> plans(
            Connection connection, PlanReader reader, String prefix, Plan first, Parameterized parameterized)
            throws SQLException {
        List<Plan> plans = new ArrayList<>(List.of(first));
        if (parameterized.names().isEmpty()) {
            return plans;
        }
        SqlStatement statement = SqlStatement.of(parameterized.text()).get(0);
        List<String> names = List.copyOf(parameterized.names().values());
        long begun = System.nanoTime();
        for (List<String> row : Rows.query(connection, parameterized.query(), List.of())) {
            if (plans.size() == PLANS || System.nanoTime() - begun > PLANS_NANOS) {
                break;
            }
            List<Rows.Untyped> values = statement.parameters().stream()
                    .map(name -> new Rows.Untyped(row.get(names.indexOf(name))))
                    .toList();
            plans.add(reader.explain(connection, prefix, statement.jdbc(), values));
        }
        return plans;
    }

    private Written written(List<Plan> plans, Map<String, ReadTable> tables, Parameterized parameterized, Engine engine)
            throws IOException {
        Plan plan = plans.get(0);
        Map<String, String> indexes = new LinkedHashMap<>();
        List<String> notes = new ArrayList<>();
        if (parameterized.names().isEmpty() && statement.words().contains("where")) {
            notes.add(
                    "No value became a parameter, so every run reads the same rows: write :name in place of a value, and"
                            + " parameters.csv with rows of values, if they should vary");
        }
        plan.notUnderstood().forEach(step -> notes.add(step.describe() + ", so how it reads is not expected"));
        List<String> proposal =
                engine.recommendsIndexes() ? recommended(plan, indexes) : guessed(plan, tables, indexes, notes);
        List<Path> files = new ArrayList<>();
        Files.createDirectories(folder);
        write(files, FolderFiles.YAML, yaml(plans, indexes, tables, notes, engine));
        write(files, "statement.sql", parameterized.text() + "\n");
        if (!parameterized.names().isEmpty()) {
            write(files, "parameters.sql", parameterized.query());
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
        return new Written(
                files,
                plan.text(),
                proposal,
                List.copyOf(parameterized.names().values()),
                List.copyOf(notes),
                !tables.isEmpty());
    }

    private void write(List<Path> files, String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        files.add(file);
    }

    /**
     * Values that the columns of one table are compared with become parameters: that of most comparisons. Those of other tables
     * stay, because not every pair of values meets in a row.
     */
    private Parameterized parameterized(Plan plan, Map<String, ReadTable> tables, Engine engine) {
        Map<String, Integer> votes = new LinkedHashMap<>();
        List<Comparison> comparisons = ComparedValues.in(statement.text());
        for (Comparison comparison : comparisons) {
            String column = comparison.column();
            plan.scans().stream()
                    .filter(scan -> table(tables, scan).columns().containsKey(column))
                    .max((one, other) -> Boolean.compare(names(one, column), names(other, column)))
                    .ifPresent(scan -> votes.merge(String.valueOf(scan.table()), 1, Integer::sum));
        }
        Optional<ReadTable> of = votes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .map(tables::get);
        Map<String, String> names = new LinkedHashMap<>();
        String text = withParameters(comparisons, of.map(ReadTable::columns).orElse(Map.of()), names);
        return new Parameterized(
                text,
                names,
                of.map(table -> query(table, names, !engine.recommendsIndexes()))
                        .orElse(""));
    }

    private static ReadTable table(Map<String, ReadTable> tables, PlanNode scan) {
        return Objects.requireNonNull(tables.get(String.valueOf(scan.table())));
    }

    private static boolean names(PlanNode scan, String column) {
        Pattern word = Pattern.compile("\\b" + Pattern.quote(column) + "\\b");
        return scan.conditions().stream()
                .anyMatch(condition -> word.matcher(condition).find());
    }

    private String withParameters(
            List<Comparison> comparisons, Map<String, String> columns, Map<String, String> names) {
        String sql = statement.text();
        StringBuilder text = new StringBuilder();
        int copied = 0;
        for (Comparison comparison : comparisons) {
            String column = comparison.column();
            String path = comparison.path();
            String name = path.isEmpty() ? column.replaceAll("\\W", "_") : lastKey(path);
            String compared = path.isEmpty() ? columns.get(column) : "(" + columns.get(column) + path + ")";
            if (columns.containsKey(column) && !names.containsKey(compared) && !names.containsValue(name)) {
                names.put(compared, name);
                text.append(sql, copied, comparison.start()).append(" = :").append(name);
                copied = comparison.end();
            }
        }
        return text.append(sql.substring(copied)).toString();
    }

    private static String lastKey(String path) {
        Matcher key = LAST_KEY.matcher(path);
        return key.find() && !Character.isDigit(key.group(1).charAt(0)) ? key.group(1) : "value";
    }

    /**
     * The query that answers the parameters.
     *
     * @param names of the parameters, by the column or expression that each is compared with
     */
    private static String query(ReadTable table, Map<String, String> names, boolean inProportion) {
        String answered = names.entrySet().stream()
                .map(one ->
                        one.getKey() + (one.getKey().equals(one.getValue()) ? "" : " AS \"" + one.getValue() + "\""))
                .collect(Collectors.joining(", "));
        String present = names.keySet().stream()
                .map(compared -> compared + " IS NOT NULL")
                .collect(Collectors.joining(" AND "));
        if (inProportion) {
            return "-- Values of rows that exist, each as often as rows have it, and the same ones each time.\nSELECT "
                    + answered + "\nFROM " + table.sql() + " AS present\nWHERE " + present
                    + "\nORDER BY md5(present::text)\nLIMIT " + PARAMETER_ROWS + "\n";
        }
        List<String> compared = List.copyOf(names.keySet());
        return "-- Values of rows that exist, of all over the table, and the same ones each time.\n" + "SELECT "
                + answered
                + "\nFROM (SELECT DISTINCT " + String.join(", ", compared) + " FROM " + table.sql() + " WHERE "
                + present
                + ") AS present\nORDER BY md5("
                + compared.stream().map(column -> column + "::text").collect(Collectors.joining(" || ' ' || "))
                + ")\nLIMIT " + PARAMETER_ROWS + "\n";
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

    /**
     * An index for each table that is read whole: what is compared for equality first, then a range or else the order.
     *
     * @param indexes the index proposed for a table, by the table's name
     */
    private List<String> guessed(
            Plan plan, Map<String, ReadTable> tables, Map<String, String> indexes, List<String> notes) {
        List<String> proposal = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (PlanNode scan : plan.scans()) {
            ReadTable table = table(tables, scan);
            if (!FULL.contains(scan.access()) || !seen.add(table.name())) {
                continue;
            }
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
            Set<String> descending = new HashSet<>();
            if (ranges.isEmpty()) {
                addSortKeys(table.columns().keySet(), keys, descending);
            } else {
                keys.add(ranges.iterator().next());
            }
            if (keys.isEmpty()) {
                continue;
            }
            Optional<String> present = table.indexOn(List.copyOf(keys));
            if (table.isOnePage()) {
                notes.add(table.name() + " has one page, which the planner reads whole whatever indexes there are");
            } else if (present.isPresent()) {
                notes.add(table.name() + " has the index " + present.get() + " on (" + String.join(", ", keys)
                        + "), and the planner reads the whole table all the same");
            } else {
                String index = ("movr_" + table.name() + "_" + String.join("_", keys))
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[\\W_]+", "_")
                        .replaceAll("_$", "");
                index = index.substring(0, Math.min(index.length(), MAX_NAME_LENGTH));
                indexes.put(table.name(), index);
                proposal.add("CREATE INDEX " + index + " ON " + table.sql() + " ("
                        + keys.stream()
                                .map(key -> table.quoted(key) + (descending.contains(key) ? " DESC" : ""))
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
            String column = ReadTable.plain(key.group(1));
            if (!known.contains(column)) {
                return;
            }
            if (keys.add(column) && "desc".equalsIgnoreCase(key.group(2))) {
                descending.add(column);
            }
        }
    }

    private String yaml(
            List<Plan> plans,
            Map<String, String> indexes,
            Map<String, ReadTable> tables,
            List<String> notes,
            Engine engine) {
        String brief = statement.text().replaceAll("\\s+", " ");
        List<String> before = new ArrayList<>();
        List<String> after = new ArrayList<>();
        tables.forEach((scanned, table) -> {
            if (table.isOnePage()) {
                // How it is read hardly matters, and changes with the statistics.
                return;
            }
            List<PlanNode> scans =
                    plans.stream().flatMap(plan -> scans(plan, scanned)).toList();
            boolean everywhere = plans.stream()
                    .allMatch(plan -> scans(plan, scanned).findAny().isPresent());
            Expectation now = today(scanned, scans, engine);
            if (dependsOnParameters(scans) || !everywhere) {
                notes.add("The plan depends on the parameters: "
                        + (everywhere ? now.describe() : scanned + " is not read with all of them"));
            }
            if (!everywhere) {
                return;
            }
            before.add(now.describe());
            String index = indexes.get(table.name());
            if (indexes.isEmpty()) {
                after.add(now.describe());
            } else if (index != null && scans(plans.get(0), scanned).count() > 1) {
                // An index serves one of the scans, and another may go on reading all rows.
                if (fullScans(plans.get(0), scanned) == 1) {
                    after.add("no full scan of " + Expectation.quoted(scanned));
                }
            } else if (index != null && index.isEmpty()) {
                after.add("no full scan of " + Expectation.quoted(scanned));
            } else if (index != null && table.isPartition(scanned)) {
                after.add("index scan or index-only scan of " + Expectation.quoted(scanned));
            } else if (index != null) {
                after.add("index scan or index-only scan of " + Expectation.quoted(scanned) + " by " + index);
            }
        });
        plans.get(0)
                .root()
                .all()
                .filter(node -> node.writes() && !tables.containsKey(String.valueOf(node.table())))
                .map(node -> Expectation.insert(String.valueOf(node.table())).describe())
                .distinct()
                .forEach(line -> {
                    before.add(line);
                    after.add(line);
                });
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
        if (statement.writes()) {
            text.append(
                    "# Each run is rolled back, so its time is without the commit. To measure that too, leave this out and"
                            + " write reset.sql, which takes a run back.\ntransaction: rollback\n");
        }
        text.append("labels:\n  before: as it is\n  after: ")
                .append(indexes.isEmpty() ? "changed" : "with an index")
                .append("\nexpect:\n");
        if (statement.words().contains("insert") && statement.words().contains("returning")) {
            text.append(
                    "  # Values that the server makes up, such as those of a sequence, differ in each run.\n  answer: any\n");
        }
        text.append("  plan:\n");
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

    private static Stream<PlanNode> scans(Plan plan, String table) {
        return plan.scans().stream().filter(scan -> table.equals(scan.table()));
    }

    private static long fullScans(Plan plan, String table) {
        return scans(plan, table).filter(scan -> FULL.contains(scan.access())).count();
    }

    private static boolean dependsOnParameters(List<PlanNode> scans) {
        return scans.stream()
                        .map(scan -> FULL.contains(scan.access()))
                        .distinct()
                        .count()
                > 1;
    }

    private static Expectation today(String table, List<PlanNode> scans, Engine engine) {
        Set<Access> accesses = scans.stream()
                .flatMap(scan -> Optional.ofNullable(scan.access()).stream())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Access.class)));
        // Which of them PostgreSQL takes depends on the last VACUUM too, and copies are vacuumed.
        if (!engine.recommendsIndexes() && accesses.stream().anyMatch(BY_INDEX::contains)) {
            accesses.addAll(BY_INDEX);
        }
        List<String> used = scans.stream()
                .map(scan -> Optional.ofNullable(scan.index()).orElse(""))
                .distinct()
                .toList();
        String index =
                used.size() == 1 && !used.get(0).isEmpty() && !accesses.contains(Access.FULL_SCAN) ? used.get(0) : null;
        return new Expectation(table, accesses, index, false, false);
    }

    /** What JSON writes is also a quoted text of YAML. */
    private static String json(String text) {
        return JsonMapper.shared().writeValueAsString(text);
    }
}
