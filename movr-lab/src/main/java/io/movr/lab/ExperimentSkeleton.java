package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.plan.Plan;
import io.movr.database.plan.PlanNode;
import io.movr.database.plan.PlanReader;
import io.movr.environment.StatementTimeout;
import io.movr.lab.ComparedValues.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A writer of the folder of an experiment from one statement: <em>before</em> expects the plan that the statement has
 * today, and <em>after</em> has the index that the engine recommends, or on PostgreSQL an index that is guessed from the
 * plan.
 */
public final class ExperimentSkeleton {

    private static final int PARAMETER_ROWS = 100;
    /** The number of plans that are read, with different rows of parameters. */
    private static final int PLANS = 6;

    private static final long PLANS_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Pattern LAST_KEY = Pattern.compile("(\\w+)\\W*$");

    private final Path folder;
    private final SqlStatement statement;
    private final boolean ofMovr;
    /**
     * The written folder.
     *
     * @param plan the plan of the statement today
     * @param proposal the statements of after.sql, empty if there are none to propose
     * @param parameters the names of the parameters that replace values
     * @param notes what else is worth knowing, in sentences without a full stop
     * @param reads whether the statement reads a table, so that an index may help
     */
    public record Written(
            List<Path> files,
            String plan,
            List<String> proposal,
            List<String> parameters,
            List<String> notes,
            boolean reads) {}

    /** The statement with parameters in place of values, and the query whose rows are the parameters. */
    private record Parameterized(String text, Map<String, String> names, String query) {}

    /**
     * Checks the request.
     *
     * @param folder the folder that is made; its name is that of the experiment
     * @param statement the statement with values
     * @param ofMovr whether the experiment is to run on MovR's rows, or else on copies of the database
     * @throws UserError if the folder exists, or the statement has parameters or no plan
     */
    public ExperimentSkeleton(Path folder, String statement, boolean ofMovr) {
        this.folder = folder;
        this.statement = one(statement);
        this.ofMovr = ofMovr;
        FolderFiles.requireName(folder);
        if (Files.exists(folder)) {
            throw new UserError("The folder '" + folder + "' exists: name a new one");
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
                    + one.parameters().get(0) + ": write a value in its place, which becomes a parameter");
        }
        if (!one.isExplainable()) {
            throw new UserError("--statement begins with '" + one.words().get(0)
                    + "', which has no plan: give SELECT, WITH, VALUES, TABLE, INSERT, UPDATE, DELETE or MERGE");
        }
        return one;
    }

    /**
     * Reads the plan, and writes the files.
     *
     * @throws UserError if the statement cannot be run, or the files cannot be written
     */
    public Written write(Gateway database, Engine engine) {
        Gateway bounded = StatementTimeout.bounded(database, StatementTimeout.LIMIT);
        try (Connection connection = bounded.connect("movr-lab-init")) {
            // This also refuses a function that writes.
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

    /** Returns the command that reads a plan. A statement that writes is not run, because the database is the user's. */
    private String prefix(PlanReader reader, Engine engine) {
        return !statement.writes()
                ? reader.prefix()
                : reader.prefixWithoutRunning()
                        .orElseThrow(
                                () -> new UserError(
                                        "--statement writes, and 'movr experiment init' reads a plan of "
                                                + engine.title()
                                                + " by running the statement: copy docs/samples/experiments/cost-of-an-index instead"));
    }

    /** Returns the plan of the statement, and the plans with some rows of parameters. */
    private static List<Plan> plans(
            Connection connection, PlanReader reader, String prefix, Plan first, Parameterized parameterized)
            throws SQLException {
        List<Plan> plans = new ArrayList<>(List.of(first));
        if (parameterized.names().isEmpty()) {
            return plans;
        }
        SqlStatement statement = SqlStatement.of(parameterized.text()).get(0);
        List<String> names = List.copyOf(parameterized.names().values());
        long startedNanos = System.nanoTime();
        for (List<String> row : Rows.query(connection, parameterized.query(), List.of())) {
            if (plans.size() == PLANS || System.nanoTime() - startedNanos > PLANS_NANOS) {
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
        List<String> notes = new ArrayList<>();
        if (parameterized.names().isEmpty() && statement.words().contains("where")) {
            notes.add(
                    "No value became a parameter, so every run reads the same rows: write :name in place of a value, and"
                            + " parameters.csv with rows of values, if they should vary");
        }
        plan.unrecognizedSteps().forEach(step -> notes.add(step.describe() + ", so how it reads is not expected"));
        IndexProposals indexes = IndexProposals.of(statement, plan, tables, engine);
        List<String> proposal = indexes.statements();
        notes.addAll(indexes.notes());
        List<Path> files = new ArrayList<>();
        Files.createDirectories(folder);
        write(
                files,
                FolderFiles.YAML,
                new SkeletonYaml(statement, plans, tables, indexes.byTable(), engine, notes).text(ofMovr));
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
     * Replaces values by parameters: the values that are compared with columns of the table with the most comparisons.
     * Values for other tables stay, because not every pair of values occurs in a row.
     */
    private Parameterized parameterized(Plan plan, Map<String, ReadTable> tables, Engine engine) {
        Map<String, Integer> votes = new LinkedHashMap<>();
        List<Comparison> comparisons = ComparedValues.in(statement.text());
        for (Comparison comparison : comparisons) {
            String column = comparison.column();
            plan.scans().stream()
                    .filter(scan -> ReadTable.of(tables, scan).columns().containsKey(column))
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
     * Returns the query whose rows are the parameters.
     *
     * @param names the names of the parameters, by the column or expression that each is compared with
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
}
