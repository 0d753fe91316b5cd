package io.movr.lab;

import io.movr.TextInput;
import io.movr.UserError;
import io.movr.database.Closeables;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.SqlScanner;
import io.movr.database.SqlScanner.Kind;
import io.movr.database.SqlScanner.Token;
import io.movr.database.SqlState;
import io.movr.environment.StatementTimeout;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.PGConnection;

/**
 * A file of SQL.
 *
 * @param file the file, or a description of where the SQL is
 * @param statements the statements, at least one
 */
record SqlFile(Path file, List<SqlStatement> statements) implements Contents.Change {

    /** The limit of a script, which is in memory several times. */
    private static final int MAX_CHARACTERS = 64 << 20;

    private static final Pattern PARAMETER_NUMBER = Pattern.compile("\\$(\\d+)");

    /**
     * Reads a file.
     *
     * @return empty if there is no such file
     * @throws UserError if it cannot be read, holds no statement, or has one that {@linkplain DatabaseBoundary reaches outside
     *     its database}
     */
    static Optional<SqlFile> find(Path file) {
        return find(file, Map.of());
    }

    /**
     * Reads a file.
     *
     * @param variables the values of parameters by name
     * @return empty if there is no such file
     * @throws UserError if it cannot be read, holds no statement, or has one that {@linkplain DatabaseBoundary reaches
     *     outside its database}
     */
    static Optional<SqlFile> find(Path file, Map<String, String> variables) {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try (Reader reader = TextInput.open(file)) {
            StringBuilder sql = new StringBuilder();
            char[] part = new char[1 << 13];
            for (int read = reader.read(part); read >= 0; read = reader.read(part)) {
                sql.append(part, 0, read);
                if (sql.length() > MAX_CHARACTERS) {
                    throw new UserError(file + " has more than " + (MAX_CHARACTERS >> 20)
                            + " MB: make rows by generate_series, or name a database that has them with --url");
                }
            }
            return Optional.of(of(file, sql.toString(), variables));
        } catch (IOException failed) {
            throw new UserError("Cannot read " + file + ": " + UserError.firstLine(failed), failed);
        }
    }

    /**
     * Reads SQL that is not in a file of its own.
     *
     * @param where the place of the SQL, for messages
     * @throws UserError if it cannot be read, holds no statement, or has one that {@linkplain DatabaseBoundary reaches
     *     outside its database}
     */
    static SqlFile of(Path where, String sql) {
        return of(where, sql, Map.of());
    }

    private static SqlFile of(Path where, String sql, Map<String, String> variables) {
        try {
            List<SqlStatement> statements = SqlStatement.of(sql, variables);
            if (statements.isEmpty()) {
                throw new UserError(where + " holds no statement: write one, or remove it");
            }
            statements.forEach(statement -> DatabaseBoundary.require(where, statement));
            return new SqlFile(where, statements);
        } catch (IllegalArgumentException wrong) {
            throw new UserError(where + ": " + wrong.getMessage(), wrong);
        }
    }

    /** Returns whether any statement writes. */
    boolean writes() {
        return statements.stream().anyMatch(SqlStatement::writes);
    }

    /** Returns the last statement, whose answer is the answer of the file. */
    SqlStatement last() {
        return statements.get(statements.size() - 1);
    }

    /** Returns the name of the file without its folder. */
    @Override
    public String name() {
        return String.valueOf(file.getFileName());
    }

    /** Requires that there are no parameters, because a script has no values for them. */
    SqlFile withoutParameters() {
        for (SqlStatement statement : statements) {
            statement.parameters().stream()
                    .filter(name -> !name.equals(SqlStatement.DATABASE_NAME))
                    .findFirst()
                    .ifPresent(name -> {
                        throw new UserError(file + " has the parameter :" + name + " in line " + statement.line()
                                + ": only the measured statements and reset.sql have parameters");
                    });
        }
        return this;
    }

    /**
     * Runs the statements, each in a transaction of its own unless the script says otherwise. Extensions are installed by
     * the user, because many need more rights than the owner of a copy has. Owners and privileges of the copy stay.
     *
     * @return the seconds that they took
     * @throws UserError if one fails, naming the file, the statement and its line
     */
    @Override
    public double run(Gateway database, Gateway asUser) {
        try (Connection connection = connect(database);
                Connection installing = installing(database, asUser)) {
            long startedNanos = System.nanoTime();
            for (int index = 0; index < statements.size(); index++) {
                SqlStatement statement = statements.get(index);
                requireStringsAsRead(connection);
                try {
                    if (!DatabaseBoundary.installsExtension(statement)) {
                        run(statement, connection, database);
                    } else if (database.equals(asUser)) {
                        run(statement, installing, database);
                    } else {
                        Rows.execute(installing, DatabaseBoundary.extension(statement));
                    }
                } catch (SQLException failed) {
                    SQLException named =
                            StatementTimeout.of(failed, statement.text(), StatementTimeout.WHOLE_TABLE_LIMIT, database);
                    throw new UserError(
                            file + ", statement " + (index + 1) + ", line " + statement.line() + ": "
                                    + UserError.firstLine(named) + advice(failed),
                            failed);
                }
            }
            return (System.nanoTime() - startedNanos) / 1e9;
        } catch (SQLException failed) {
            throw new UserError("Cannot close the connection of " + file + ": " + UserError.firstLine(failed), failed);
        }
    }

    /** Returns the failure of a statement. For a parameter of unknown type it names the parameter, its line and the cast. */
    SQLException explained(SqlStatement statement, SQLException failed) {
        Matcher number = PARAMETER_NUMBER.matcher(String.valueOf(failed.getMessage()));
        if (!SqlState.INDETERMINATE_DATATYPE.equals(failed.getSQLState()) || !number.find()) {
            return failed;
        }
        String name = statement.parameters().get(Integer.parseInt(number.group(1)) - 1);
        return new SQLException(
                "the type of :" + name + " is unknown in " + file + ", line " + lineOf(statement, name)
                        + ": write a cast, such as CAST(:" + name + " AS text)",
                failed.getSQLState(),
                failed);
    }

    private static int lineOf(SqlStatement statement, String parameter) {
        String text = statement.text();
        int firstWord = -1;
        for (Token token : SqlScanner.tokens(text)) {
            if (firstWord < 0 && (token.kind() == Kind.WORD || token.kind() == Kind.QUOTED_NAME)) {
                firstWord = token.start();
            } else if (token.kind() == Kind.NAMED_PARAMETER
                    && SqlScanner.unquoted(token.in(text)).equals(parameter)) {
                return statement.line() + SqlScanner.lineOf(text, token.start()) - SqlScanner.lineOf(text, firstWord);
            }
        }
        return statement.line();
    }

    /**
     * Opens a connection that installs extensions. If it has more rights than the script, it calls nothing that the
     * script has made.
     */
    private static Connection installing(Gateway database, Gateway asUser) throws SQLException {
        if (database.equals(asUser)) {
            return connect(asUser);
        }
        Connection connection = connect(asUser.trusting());
        try {
            Rows.execute(connection, "SET search_path = public");
            return connection;
        } catch (SQLException failed) {
            throw Closeables.closeAfter(failed, connection);
        }
    }

    /** Refuses a session in which strings end elsewhere than the scanner says, which the script may have set at run time. */
    private void requireStringsAsRead(Connection connection) throws SQLException {
        String setting = connection.unwrap(PGConnection.class).getParameterStatus("standard_conforming_strings");
        if ("off".equals(setting)) {
            throw new UserError(
                    file + " is not run with standard_conforming_strings = off, in which its strings end elsewhere"
                            + " than they are read to end here: set it on in the database, and write E'…' for strings with escapes");
        }
    }

    private static Connection connect(Gateway database) {
        return StatementTimeout.bounded(database, StatementTimeout.WHOLE_TABLE_LIMIT)
                .connect("movr-lab");
    }

    private static void run(SqlStatement statement, Connection connection, Gateway database) throws SQLException {
        if (DatabaseBoundary.isPassedOver(statement)) {
            return;
        }
        String text = statement.textIn(database.database());
        if (statement.copyData() == null) {
            Rows.execute(connection, text);
            return;
        }
        try {
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn(text, new StringReader(statement.copyData()));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static String advice(SQLException failed) {
        return SqlState.INSUFFICIENT_PRIVILEGE.equals(failed.getSQLState())
                ? ". Scripts run with the rights of the owner of a copy: remove what needs more"
                : "";
    }
}
