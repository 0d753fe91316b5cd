package io.movr.lab;

import io.movr.database.Rows;
import io.movr.database.Rows.Untyped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The rows of parameters of an experiment, from a file or a query. Both sides draw from them. */
final class Parameters {

    private final @Nullable SqlFile query;
    private final Set<String> wanted;
    private List<String> names;
    private List<List<String>> rows;

    private Parameters(@Nullable SqlFile query, Set<String> wanted, List<String> names, List<List<String>> rows) {
        this.query = query;
        this.wanted = wanted;
        this.names = names;
        this.rows = rows;
    }

    /** Returns one row without values. */
    static Parameters none() {
        return new Parameters(null, Set.of(), List.of(), List.of(List.of()));
    }

    static Parameters of(Csv file) {
        return new Parameters(null, Set.of(), file.names(), file.rows());
    }

    /**
     * Returns the rows that a query answers, once it has {@linkplain #ask run}.
     *
     * @param wanted the names that the statements need
     */
    static Parameters answeredBy(SqlFile query, Set<String> wanted) {
        return new Parameters(query, wanted, List.of(), List.of());
    }

    int size() {
        return rows.size();
    }

    /**
     * Runs the query at the first call.
     *
     * @throws WrongResult if there are no rows, or a name is missing
     */
    void ask(Connection connection) throws SQLException {
        if (query == null || !rows.isEmpty()) {
            return;
        }
        try (PreparedStatement statement =
                        connection.prepareStatement(query.statements().get(0).jdbc());
                ResultSet answer = statement.executeQuery()) {
            ResultSetMetaData columns = answer.getMetaData();
            List<String> labels = new ArrayList<>();
            for (int column = 1; column <= columns.getColumnCount(); column++) {
                labels.add(columns.getColumnLabel(column));
            }
            List<List<String>> all = new ArrayList<>();
            while (answer.next()) {
                List<String> row = new ArrayList<>();
                for (int column = 1; column <= labels.size(); column++) {
                    row.add(Rows.cell(answer.getString(column)));
                }
                all.add(row);
            }
            for (String name : wanted) {
                if (!labels.contains(name)) {
                    throw new WrongResult(query.file() + " answers no column " + name + ", which is the parameter :"
                            + name + ": it answers " + String.join(", ", labels));
                }
            }
            if (all.isEmpty()) {
                throw new WrongResult(query.file() + " answers no rows: there are no parameters to measure with");
            }
            names = labels;
            rows = all;
        } catch (SQLException failed) {
            throw new SQLException(query.file() + ": " + failed.getMessage(), failed.getSQLState(), failed);
        }
    }

    /** Returns the values of a row that a statement needs. */
    List<Object> of(int row, SqlStatement statement) {
        List<String> values = rows.get(row);
        List<Object> bound = new ArrayList<>(statement.parameters().size());
        for (String name : statement.parameters()) {
            String value = values.get(names.indexOf(name));
            bound.add(new Untyped(value));
        }
        return bound;
    }

    /** Describes a row for messages. */
    String describe(int row) {
        return IntStream.range(0, names.size())
                .mapToObj(column -> names.get(column) + " = " + rows.get(row).get(column))
                .collect(Collectors.joining(", "));
    }
}
