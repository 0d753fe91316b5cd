package io.movr.cli;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.plan.PlanReader;
import io.movr.report.TextTable;
import io.movr.stats.Summary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr tune}: the testing client of the tuning tutorial. */
@Command(
        name = "tune",
        description = "Time one statement repeatedly, as the tutorial's tuning.py does.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Each run is a transaction of its own, and what it writes stays written.",
            "",
            "Examples:",
            "  movr tune --statement \"SELECT * FROM users WHERE name = 'Natalie Cunningham'\" --times",
            "  movr tune --repeat 100 --cumulative --statement \"INSERT INTO users VALUES (gen_random_uuid(),"
                    + " 'new york', 'Max Roach', '411 Drum Street', '173635282937347')\"",
            "  echo \"SELECT count(*) FROM rides\" | movr tune --explain"
        })
final class TuneCommand implements Callable<Integer> {

    private static final int MOST_REPEATS = 1_000_000;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--statement",
            paramLabel = "SQL",
            description = "The statement to run (default: read from standard input).")
    private @Nullable String statement;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            defaultValue = "20",
            description = "How many times to run it (default: 20).")
    private int repeat = 20;

    @Option(names = "--times", description = "Print the time of every run.")
    private boolean times;

    @Option(names = "--cumulative", description = "Print the sum of all times.")
    private boolean cumulative;

    @Option(names = "--explain", description = "Also print the plan; what EXPLAIN ANALYZE writes is rolled back.")
    private boolean explain;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "20",
            description = "How many rows of the result to print (default: 20).")
    private int mostRows = 20;

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        if (repeat < 1 || repeat > MOST_REPEATS) {
            throw new UserError("--repeat " + repeat + " is out of range: 1 to " + MOST_REPEATS);
        }
        String sql = statement == null ? standardInput() : statement;
        if (sql.isBlank()) {
            throw new UserError("The statement is empty: give one with --statement, or on standard input");
        }
        try (Cluster cluster = database.kept();
                Connection connection = cluster.gateway().connect("movr-tune")) {
            if (explain) {
                output.println("Plan:");
                output.println(PlanReader.of(cluster.engine())
                        .explain(connection, withoutSemicolon(sql), List.of())
                        .text());
            }
            double[] milliseconds = run(connection, sql, output);
            print(milliseconds, output);
        } catch (SQLException failed) {
            throw new UserError("The statement failed: " + UserError.firstLine(failed) + hint(failed), failed);
        }
        return 0;
    }

    private double[] run(Connection connection, String sql, PrintWriter output) throws SQLException {
        double[] milliseconds = new double[repeat];
        try (Statement runner = connection.createStatement()) {
            runner.setEscapeProcessing(false);
            for (int run = 0; run < repeat; run++) {
                List<List<String>> rows = new ArrayList<>();
                long begun = System.nanoTime();
                boolean hasRows = runner.execute(sql);
                long count = hasRows ? read(runner, rows) : runner.getLargeUpdateCount();
                milliseconds[run] = (System.nanoTime() - begun) / 1e6;
                if (run == 0) {
                    printResult(hasRows, rows, count, output);
                }
            }
        } catch (SQLException failed) {
            output.flush();
            throw failed;
        }
        return milliseconds;
    }

    /** Reads every row, and keeps the first ones, the names of the columns before them. */
    private long read(Statement runner, List<List<String>> kept) throws SQLException {
        try (ResultSet result = runner.getResultSet()) {
            ResultSetMetaData meta = result.getMetaData();
            int columns = meta.getColumnCount();
            List<String> names = new ArrayList<>();
            for (int column = 1; column <= columns; column++) {
                names.add(meta.getColumnLabel(column));
            }
            kept.add(names);
            long count = 0;
            while (result.next()) {
                List<String> row = new ArrayList<>(columns);
                for (int column = 1; column <= columns; column++) {
                    String value = result.getString(column);
                    row.add(value == null ? "NULL" : value);
                }
                if (count < mostRows) {
                    kept.add(row);
                }
                count++;
            }
            return count;
        }
    }

    private void printResult(boolean hasRows, List<List<String>> rows, long count, PrintWriter output) {
        output.println("Result:");
        if (!hasRows) {
            output.printf(Locale.ROOT, "%,d rows affected%n%n", count);
            return;
        }
        if (!rows.get(0).isEmpty()) {
            TextTable table = new TextTable("l".repeat(rows.get(0).size()));
            rows.forEach(table::row);
            output.print(table);
        }
        if (count >= rows.size()) {
            output.printf(Locale.ROOT, "… and %,d more rows%n", count - rows.size() + 1);
        }
        output.println();
    }

    private void print(double[] milliseconds, PrintWriter output) {
        if (times) {
            output.println("Times (milliseconds):");
            output.println(Arrays.stream(milliseconds)
                    .mapToObj(time -> String.format(Locale.ROOT, "%.4f", time))
                    .collect(Collectors.joining(", ", "[", "]")));
            output.println();
        }
        Summary summary = Summary.of(milliseconds);
        output.printf(Locale.ROOT, "Runs: %d; milliseconds:%n", repeat);
        output.printf(
                Locale.ROOT,
                "average %.3f  median %.3f  p95 %.3f  p99 %.3f  minimum %.3f  maximum %.3f%n",
                summary.mean(),
                summary.median(),
                summary.p95(),
                summary.p99(),
                summary.min(),
                summary.max());
        if (cumulative) {
            output.printf(
                    Locale.ROOT,
                    "cumulative %.3f%n",
                    Arrays.stream(milliseconds).sum());
        }
        output.flush();
    }

    private static String withoutSemicolon(String sql) {
        return sql.strip().replaceAll(";\\s*$", "");
    }

    private static String hint(SQLException failed) {
        return "42P01".equals(failed.getSQLState()) ? ". If MovR's tables are missing, run 'movr load' first" : "";
    }

    private static String standardInput() {
        try {
            return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UserError("Standard input cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }
}
