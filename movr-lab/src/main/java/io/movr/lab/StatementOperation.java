package io.movr.lab;

import io.movr.database.Rows;
import io.movr.database.plan.Expectation;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The operation that runs the statements of a file, each time with the next row of parameters. The answer is that of the
 * last statement.
 */
final class StatementOperation implements Operation {

    /**
     * What the sides of an experiment have in common.
     *
     * @param seed the seed of the order of parameters
     * @param reset the statements that reset a run, {@code null} if runs write nothing or are rolled back
     */
    record Common(
            Parameters parameters,
            ExpectedAnswers answers,
            @Nullable SqlFile reset,
            TransactionMode transaction,
            long seed) {}

    private final SqlFile statements;
    private final List<List<Expectation>> expectations;
    private final Common common;
    private final boolean asks;
    private final SplittableRandom random;
    private int[] order = {};
    private int next;
    private int current;

    /**
     * Makes the operation of a side.
     *
     * @param expectations the expectations of each statement's plan
     * @param asks whether the query of the parameters runs on the database of this side
     */
    StatementOperation(SqlFile statements, List<List<Expectation>> expectations, Common common, boolean asks) {
        this(statements, expectations, common, asks, 0);
    }

    /** Returns an experiment that runs the same statements, by any plan, on the databases of both sides. */
    static Experiment write(String id, String title, SqlFile statements, Common common, Side before, Side after) {
        List<List<Expectation>> anyPlan =
                Collections.nCopies(statements.statements().size(), List.of());
        return new Experiment(
                id,
                title,
                "",
                List.of(),
                before.with(new StatementOperation(statements, anyPlan, common, true)),
                after.with(new StatementOperation(statements, anyPlan, common, false)));
    }

    private StatementOperation(
            SqlFile statements, List<List<Expectation>> expectations, Common common, boolean asks, int block) {
        this.statements = statements;
        this.expectations = expectations;
        this.common = common;
        this.asks = asks;
        this.random = new SplittableRandom(31 * common.seed() + block);
    }

    @Override
    public Operation inBlock(int block) {
        return new StatementOperation(statements, expectations, common, asks, block);
    }

    @Override
    public List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        for (int index = 0; index < expectations.size(); index++) {
            SqlStatement statement = statements.statements().get(index);
            steps.add(new Step(statement.jdbc(), common.parameters().of(current, statement), expectations.get(index)));
        }
        return steps;
    }

    /** Returns the number of rows of parameters; 0 if a query has not answered them yet. */
    int parameterRows() {
        return common.parameters().size();
    }

    @Override
    public int parameterRow() {
        return current;
    }

    @Override
    public String describeParameters(int row) {
        return common.parameters().describe(row);
    }

    @Override
    public boolean writes() {
        return common.reset() != null || common.transaction() == TransactionMode.ROLLED_BACK;
    }

    @Override
    public void prepare(Connection connection) throws SQLException {
        if (asks) {
            common.parameters().ask(connection);
        }
    }

    @Override
    public List<List<String>> run(Connection connection) throws SQLException {
        current = draw(common.parameters().size());
        if (common.transaction() == TransactionMode.PER_STATEMENT) {
            return answer(connection);
        }
        connection.setAutoCommit(false);
        List<List<String>> answer = answer(connection);
        if (common.transaction() == TransactionMode.ROLLED_BACK) {
            connection.rollback();
        } else {
            connection.commit();
        }
        // The pool would do this too, after a rollback.
        connection.setAutoCommit(true);
        return answer;
    }

    /** Draws a row. Few rows, which may be of different kinds, come equally often: each comes once before any comes again. */
    private int draw(int rows) {
        if (rows > ParameterKinds.MAX_ROWS) {
            return random.nextInt(rows);
        }
        if (next == order.length) {
            order = IntStream.range(0, rows).toArray();
            for (int last = rows - 1; last > 0; last--) {
                int other = random.nextInt(last + 1);
                int row = order[last];
                order[last] = order[other];
                order[other] = row;
            }
            next = 0;
        }
        return order[next++];
    }

    private List<List<String>> answer(Connection connection) throws SQLException {
        List<List<String>> answer = List.of();
        for (SqlStatement statement : statements.statements()) {
            answer = Rows.run(connection, statement.jdbc(), common.parameters().of(current, statement));
        }
        return answer;
    }

    @Override
    public Optional<String> complaint(List<List<String>> answer, Connection connection) {
        String parameters = common.parameters().describe(current);
        return common.answers()
                .complaint(current, answer)
                .map(complaint -> parameters.isEmpty() ? complaint : "for " + parameters + ": " + complaint);
    }

    @Override
    public SQLException explained(int step, SQLException failed) {
        return statements.explained(statements.statements().get(step), failed);
    }

    @Override
    public void reset(Connection connection) throws SQLException {
        SqlFile reset = common.reset();
        if (reset == null) {
            return;
        }
        for (SqlStatement statement : reset.statements()) {
            try {
                Rows.run(connection, statement.jdbc(), common.parameters().of(current, statement));
            } catch (SQLException failed) {
                throw new SQLException(reset.file() + ": " + failed.getMessage(), failed.getSQLState(), failed);
            }
        }
    }
}
