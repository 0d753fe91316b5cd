package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.plan.PlanReader;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The times of one statement that is run again and again, as the tutorial's {@code tuning.py} runs it.
 *
 * @param plan before the first run; {@code null} if it was not asked for
 * @param hasRows whether the statement returns rows
 * @param rows the names of the columns, then the first rows
 * @param count the number of rows that were returned or changed
 * @param milliseconds the time of each run
 */
public record StatementTiming(
        @Nullable String plan, boolean hasRows, List<List<String>> rows, long count, List<Double> milliseconds) {

    private static final int MAX_REPEATS = 1_000_000;
    private static final int MAX_ROWS = 20;

    /**
     * Runs a statement. Each run is a transaction of its own.
     *
     * @param repeat the number of runs, 1 to 1,000,000
     * @param explain whether the plan is read first
     * @throws UserError if the statement fails
     */
    public static StatementTiming of(Cluster cluster, String sql, int repeat, boolean explain) {
        try (Connection connection = cluster.gateway().connect("movr-tune")) {
            String plan = explain
                    ? PlanReader.of(cluster.engine())
                            .explain(connection, withoutSemicolon(sql), List.of())
                            .text()
                    : null;
            return run(connection, sql, repeat, plan);
        } catch (SQLException failed) {
            throw new UserError("The statement failed: " + UserError.firstLine(failed) + hint(failed), failed);
        }
    }

    /**
     * Checks a number of runs.
     *
     * @throws UserError if it is out of range
     */
    public static void requireRepeat(int repeat) {
        if (repeat < 1 || repeat > MAX_REPEATS) {
            throw new UserError("--repeat " + repeat + " is out of range: 1 to " + MAX_REPEATS);
        }
    }

    private static StatementTiming run(Connection connection, String sql, int repeat, @Nullable String plan)
            throws SQLException {
        List<Double> milliseconds = new ArrayList<>(repeat);
        boolean hasRows = false;
        List<List<String>> first = List.of();
        long count = 0;
        try (Statement runner = connection.createStatement()) {
            runner.setEscapeProcessing(false);
            for (int run = 0; run < repeat; run++) {
                List<List<String>> rows = new ArrayList<>();
                long begun = System.nanoTime();
                boolean returned = runner.execute(sql);
                long rowCount = returned ? read(runner, rows) : runner.getLargeUpdateCount();
                milliseconds.add((System.nanoTime() - begun) / 1e6);
                if (run == 0) {
                    hasRows = returned;
                    first = rows;
                    count = rowCount;
                }
            }
        }
        return new StatementTiming(plan, hasRows, first, count, milliseconds);
    }

    /** Reads every row, and keeps the first ones, the names of the columns before them. */
    private static long read(Statement runner, List<List<String>> kept) throws SQLException {
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
                if (count < MAX_ROWS) {
                    kept.add(row);
                }
                count++;
            }
            return count;
        }
    }

    private static String withoutSemicolon(String sql) {
        return sql.strip().replaceAll(";\\s*$", "");
    }

    private static String hint(SQLException failed) {
        return "42P01".equals(failed.getSQLState()) ? ". If MovR's tables are missing, run 'movr load' first" : "";
    }
}
