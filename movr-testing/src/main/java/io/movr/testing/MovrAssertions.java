package io.movr.testing;

import io.movr.database.Engine;
import io.movr.database.NamedParameters;
import io.movr.database.plan.Plan;
import io.movr.database.plan.PlanReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import org.apiguardian.api.API;
import org.assertj.core.api.AbstractLongAssert;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/** The entry points of the assertions on statements, to be imported statically. */
@API(status = API.Status.STABLE, since = "0.1.0")
public final class MovrAssertions {

    private MovrAssertions() {}

    /**
     * Executes a statement by {@code EXPLAIN ANALYZE}, rolls back what it wrote, and begins an assertion on its plan. The
     * statement runs once, as long as it takes, with its triggers and functions, and holds its locks until then; effects that no
     * rollback undoes remain, such as the next value of a sequence. Within a transaction of the connection everything earlier is
     * kept. On CockroachDB a plain {@code EXPLAIN}, which executes nothing, comes first.
     *
     * @param connection to PostgreSQL or CockroachDB by the PostgreSQL JDBC driver, directly or from a pool; it stays open
     * @param statement one statement, with question marks for its values, or {@code :name} as in an experiment
     * @param values of the question marks, in their order, or of the names, in the order in which they first occur
     * @throws IllegalArgumentException if the statement has another number of parameters
     * @throws SQLException if the statement fails, or the connection is of another driver
     */
    public static PlanAssert assertThatPlan(Connection connection, String statement, @Nullable Object... values)
            throws SQLException {
        NamedParameters read = NamedParameters.of(statement, Arrays.asList(values));
        Plan plan = PlanReader.of(Engine.of(connection)).explain(connection, read.statement(), read.values());
        return new PlanAssert(plan, statement, Engine.of(connection));
    }

    /**
     * Does some work, and begins an assertion on the number of its network round trips. If it fails, its message contains the
     * statements that were sent.
     *
     * @param roundTrips that count; the work uses connections to its {@link RoundTrips#url()}
     * @throws E what the work throws
     * @param <E> what the work may throw
     */
    public static <E extends Exception> AbstractLongAssert<?> assertThatRoundTrips(
            RoundTrips roundTrips, RoundTrips.Work<E> work) throws E {
        long counted = roundTrips.during(work);
        List<String> statements = roundTrips.statements();
        return Assertions.assertThat(counted)
                .as("round trips" + (statements.isEmpty() ? "" : " of: " + String.join("; ", statements)));
    }
}
