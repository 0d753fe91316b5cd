package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Rows;
import io.movr.dataset.Answers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Operations on MovR's rows that check what they have written, by the names by which {@code operation: provider:NAME} in
 * {@code experiment.yaml} calls them. They run the statements of the folder, and reset each run. A new one is added to the map.
 */
final class ProvidedOperations {

    private static final Map<String, BiFunction<StatementOperation, Supplier<Answers>, Operation>> BY_NAME =
            new TreeMap<>(Map.of(
                    "new-user", (statements, answers) -> new NewUsers(statements, 1),
                    "hundred-new-users", (statements, answers) -> new NewUsers(statements, 100),
                    "renamed-users", RenamedUsers::new));

    private ProvidedOperations() {}

    static boolean has(String name) {
        return BY_NAME.containsKey(name);
    }

    /** All names, separated by commas. */
    static String names() {
        return String.join(", ", BY_NAME.keySet());
    }

    /**
     * Makes the operation of a side.
     *
     * @param statements the statements of the side, with one row of parameters
     * @param answers what MovR's rows must answer
     */
    static Operation of(String name, StatementOperation statements, Supplier<Answers> answers) {
        return Objects.requireNonNull(BY_NAME.get(name), name).apply(statements, answers);
    }

    /** The statements of a side that writes. */
    private abstract static class Writing implements Operation {

        final StatementOperation statements;

        Writing(StatementOperation statements) {
            this.statements = statements;
        }

        @Override
        public List<Step> steps() {
            return statements.steps();
        }

        @Override
        public boolean writes() {
            return true;
        }

        @Override
        public List<List<String>> run(Connection connection) throws SQLException {
            return statements.run(connection);
        }

        @Override
        public SQLException explained(int step, SQLException failed) {
            return statements.explained(step, failed);
        }

        static Optional<String> complaint(List<List<String>> expected, List<List<String>> answer) {
            return ExpectedAnswers.of(() -> expected, false).complaint(0, answer);
        }
    }

    /**
     * Inserts users of a name that no other user has, and deletes them again. The first statement is the INSERT, whose
     * parameters are the city, the name, the address and the card of each user. It is repeated until all users are inserted.
     */
    private static final class NewUsers extends Writing {

        private static final int COLUMNS = 4;

        private final int users;
        private final int repetitions;
        private final Object name;

        NewUsers(StatementOperation statements, int users) {
            super(statements);
            List<?> parameters = statements.steps().get(0).parameters();
            int ofOneStatement = parameters.size() / COLUMNS;
            if (ofOneStatement == 0 || users % ofOneStatement != 0) {
                throw new UserError(
                        "operation inserts " + users + " users: write INSERT INTO users as the first statement,"
                                + " with parameters for the city, the name, the address and the card of each user");
            }
            this.users = users;
            this.repetitions = users / ofOneStatement;
            this.name = parameters.get(1);
        }

        @Override
        public List<List<String>> run(Connection connection) throws SQLException {
            if (repetitions == 1) {
                return statements.run(connection);
            }
            int inserted = 0;
            for (int number = 0; number < repetitions; number++) {
                inserted += Integer.parseInt(statements.run(connection).get(0).get(0));
            }
            return List.of(List.of(Integer.toString(inserted)));
        }

        @Override
        public Optional<String> complaint(List<List<String>> answer, Connection connection) throws SQLException {
            List<List<String>> ids = Rows.query(connection, "SELECT id FROM users WHERE name = ?", List.of(name));
            // The answer to many users is their number, to one user the id.
            List<List<String>> expected = users == 1 ? ids : List.of(List.of(Integer.toString(ids.size())));
            return ids.size() == users
                    ? complaint(expected, answer)
                    : Optional.of("expected " + users + " new rows, found " + ids.size());
        }

        @Override
        public void reset(Connection connection) throws SQLException {
            Rows.update(connection, "DELETE FROM users WHERE name = ?", List.of(name));
            Rows.vacuum(connection, "users");
        }
    }

    /** Renames all users whose names begin with C, and gives them their names back. */
    private static final class RenamedUsers extends Writing {

        private final Supplier<Answers> answers;
        private @Nullable List<List<String>> renamed;

        RenamedUsers(StatementOperation statements, Supplier<Answers> answers) {
            super(statements);
            this.answers = answers;
        }

        @Override
        public void prepare(Connection connection) throws SQLException {
            Rows.execute(
                    connection,
                    "CREATE TABLE IF NOT EXISTS names_before AS SELECT city, id, name FROM users WHERE name LIKE 'C%'");
            Rows.execute(connection, "ANALYZE names_before");
        }

        @Override
        public Optional<String> complaint(List<List<String>> answer, Connection connection) throws SQLException {
            List<List<String>> expected = renamed;
            if (expected == null) {
                expected = List.of(List.of(Long.toString(answers.get().countOfNamesBeginningWith("C"))));
                renamed = expected;
            }
            Optional<String> wrongAnswer = complaint(expected, answer);
            return wrongAnswer.isPresent()
                    ? wrongAnswer
                    : complaint(
                            expected,
                            Rows.query(
                                    connection, "SELECT count(*) FROM users WHERE name = ?", List.of("Carl Kimball")));
        }

        @Override
        public void reset(Connection connection) throws SQLException {
            Rows.execute(
                    connection,
                    "UPDATE users SET name = names_before.name FROM names_before"
                            + " WHERE users.city = names_before.city AND users.id = names_before.id");
            Rows.vacuum(connection, "users");
        }
    }
}
