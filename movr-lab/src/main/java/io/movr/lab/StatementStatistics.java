package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.environment.StatementTimeout;
import io.movr.report.render.TextTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The statistics of a statement since the statistics of the server began.
 *
 * @param calls the number of calls
 * @param totalMs the time of all calls on the server
 * @param rows the rows that all calls read or wrote
 * @param text the statement, with {@code $1} or {@code _} in place of values
 */
public record StatementStatistics(long calls, double totalMs, double rows, String text) {

    /**
     * Returns the statements of a database that took the most time, the costliest first.
     *
     * @throws UserError if the server has no statistics, or does not show them
     */
    public static List<StatementStatistics> costliest(Gateway database, Engine engine, int limit) {
        Gateway bounded = StatementTimeout.bounded(database, StatementTimeout.LIMIT);
        try (Connection connection = bounded.connect("movr-lab-statistics")) {
            return Rows.query(connection, engine.costliestStatements(connection), List.of(limit)).stream()
                    .map(row -> new StatementStatistics(
                            Long.parseLong(row.get(0)),
                            Double.parseDouble(row.get(1)),
                            Double.parseDouble(row.get(2)),
                            row.get(3).strip()))
                    .toList();
        } catch (SQLException failed) {
            throw new UserError(
                    engine.statisticsObstacle(failed)
                            .orElse("Statistics of statements cannot be read: " + UserError.firstLine(failed)),
                    failed);
        }
    }

    /**
     * Returns the statement with values of existing rows in place of {@code $1} or {@code _}.
     *
     * @param note accepts a line on each value that was guessed
     * @throws UserError if there is no value for one of them, which is named
     */
    public String withValues(Gateway database, Consumer<String> note) {
        return StatementPlaceholders.filled(this, database, note);
    }

    /** Returns a table for a terminal, with the number of each statement. */
    public static String table(List<StatementStatistics> statements) {
        TextTable table = new TextTable("rrrrrl")
                .row("N", "total ms", "calls", "mean ms", "rows/call", "statement")
                .rule();
        for (StatementStatistics one : statements) {
            table.row(
                    Integer.toString(statements.indexOf(one) + 1),
                    String.format(Locale.ROOT, "%,.0f", one.totalMs),
                    String.format(Locale.ROOT, "%,d", one.calls),
                    TextTable.number(3, one.totalMs / one.calls),
                    TextTable.number(1, one.rows / one.calls),
                    one.text.replaceAll("\\s+", " "));
        }
        return table.toString();
    }
}
