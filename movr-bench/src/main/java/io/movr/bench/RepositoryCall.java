package io.movr.bench;

import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.RetryPolicy;
import io.movr.database.SqlState;
import io.movr.database.plan.Plan;
import io.movr.database.plan.PlanReader;
import io.movr.dataset.Dataset;
import io.movr.dataset.Scale;
import io.movr.lab.Step;
import io.movr.schema.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Timeout;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.ThreadParams;
import org.springframework.jdbc.core.RowMapper;

/**
 * A call of the application to its database, by the repository and by shorter ways, at a stage of the schema. Before
 * anything is measured all ways must have given the same right answers.
 *
 * <p>{@code java -jar movr-bench/target/benchmarks.jar UserById -p stage=foreign-keys,name-index -p keys=zipfian -t 2}
 */
@State(Scope.Thread)
@BenchmarkMode({Mode.AverageTime, Mode.SampleTime})
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-XX:+UseSerialGC", "-Xms256m", "-Xmx256m"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Timeout(time = 2, timeUnit = TimeUnit.MINUTES)
public abstract class RepositoryCall {

    private static final int CHECKED = 10;
    private static final RetryPolicy RETRIES = new RetryPolicy(20, Duration.ZERO, Duration.ZERO);

    /** The stage of the schema. */
    @Param({"baseline", "foreign-keys", "name-index", "covering-index", "join-index", "unused-index-dropped"})
    public String stage = "";

    /** How much data there is. */
    @Param("quick")
    public String scale = "";

    /** How keys are drawn: uniform or zipfian. */
    @Param("uniform")
    public String keys = "";

    /** The property that names the folder for plans. */
    static final String PLANS = "movr.bench.plans";

    private @Nullable Subject subject;
    private @Nullable Keys drawing;
    private int thread;
    private int threads = 1;

    /** Connects, draws keys and checks all answers. */
    @Setup(Level.Trial)
    public final void open(BenchmarkParams benchmark, ThreadParams place) throws Exception {
        CpuPinning.apply();
        threads = benchmark.getThreads();
        thread = place.getThreadIndex();
        Gateway database = BenchmarkDatabases.prepared(scale, Stage.named(stage), writes());
        subject = Subject.on(database, threads);
        drawing = new Keys(dataset(), keys, BenchmarkDatabases.SEED + thread);
        prepare();
        check();
        if (thread == 0) {
            checkPlans();
        }
    }

    /** Returns whether it leaves rows behind for a while, and therefore has a database of its own. */
    boolean writes() {
        return false;
    }

    /** Draws the keys that it needs. */
    void prepare() throws SQLException {}

    /** Verifies that every way of calling gives the right answer. */
    abstract void check() throws Exception;

    /** Returns the statements, with the plan that each must have at a stage. */
    abstract List<Step> statements(Stage at);

    final Subject subject() {
        return Objects.requireNonNull(subject);
    }

    final Keys drawing() {
        return Objects.requireNonNull(drawing);
    }

    /** Returns which of the threads this is, from 0. */
    final int thread() {
        return thread;
    }

    final int threads() {
        return threads;
    }

    final Dataset dataset() {
        return new Dataset(Scale.named(scale).spec(BenchmarkDatabases.SEED));
    }

    /** Lends a connection of the repositories' pool, for one statement. */
    final <T> T connected(Work<T> work) throws SQLException {
        try (Connection connection = subject().dataSource.getConnection()) {
            return work.on(connection);
        }
    }

    /**
     * Lends a connection for a transaction of several statements, and runs it again where the database asks for it: at
     * the isolation that the service has, threads fail each other now and then even where each writes its own rows.
     */
    final <T> T inTransaction(Work<T> work) throws SQLException {
        return RETRIES.run(
                "The transaction was interrupted",
                SQLException.class,
                attempt -> connected(connection -> transaction(connection, work)),
                (failed, attempt) -> SqlState.isRetryable(failed));
    }

    private static <T> T transaction(Connection connection, Work<T> work) throws SQLException {
        connection.setAutoCommit(false);
        try {
            T result = work.on(connection);
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException failed) {
            connection.rollback(); // Turning autocommit on would commit what was done.
            throw failed;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    /** Runs one query in plain JDBC. */
    final <T> List<T> query(String sql, RowMapper<T> mapper, Object... parameters) throws SQLException {
        return connected(connection -> query(connection, sql, mapper, parameters));
    }

    static <T> List<T> query(Connection connection, String sql, RowMapper<T> mapper, Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            try (ResultSet row = statement.executeQuery()) {
                List<T> found = new ArrayList<>();
                while (row.next()) {
                    found.add(mapper.mapRow(row, found.size()));
                }
                return found;
            }
        }
    }

    /** Runs one statement that writes in plain JDBC. */
    final int update(String sql, Object... parameters) throws SQLException {
        return connected(connection -> update(connection, sql, parameters));
    }

    static int update(Connection connection, String sql, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            return statement.executeUpdate();
        }
    }

    static void bind(PreparedStatement statement, Object... parameters) throws SQLException {
        for (int index = 0; index < parameters.length; index++) {
            statement.setObject(index + 1, parameters[index]);
        }
    }

    /**
     * Calls several times each way, with the same keys, and compares.
     *
     * @param keys what the ways draw from
     * @return the answers, which all ways gave
     */
    @SafeVarargs
    final <T> List<T> sameAnswers(Keys.Drawn<?> keys, Callable<T>... ways) throws Exception {
        List<T> first = null;
        for (Callable<T> way : ways) {
            keys.rewind();
            List<T> answers = new ArrayList<>();
            for (int call = 0; call < CHECKED; call++) {
                answers.add(way.call());
            }
            if (first != null && !first.equals(answers)) {
                throw new IllegalStateException(
                        "Two ways to call " + name() + " answer differently: " + first + " and " + answers);
            }
            first = answers;
        }
        return Objects.requireNonNull(first);
    }

    static void require(boolean right, String what, Object answer) {
        if (!right) {
            throw new IllegalStateException("Wrong answer, " + what + ": " + answer);
        }
    }

    /** Returns the class as we wrote it: JMH derives one of its own from it. */
    private String name() {
        Class<?> type = getClass();
        while (type.getName().contains("jmh_generated")) {
            type = type.getSuperclass();
        }
        return type.getSimpleName();
    }

    /** Verifies the plans of its statements, and records them if a folder for plans is given. */
    private void checkPlans() throws SQLException, IOException {
        StringBuilder notes = new StringBuilder();
        try (Connection connection = subject().gateway().connect("movr-bench-plans")) {
            PlanReader reader = PlanReader.of(Engine.of(connection));
            for (Step statement : statements(Stage.named(stage))) {
                Plan plan = reader.explain(connection, statement.sql(), statement.parameters());
                Optional<String> complaint = statement.complaint(plan);
                if (complaint.isPresent()) {
                    throw new IllegalStateException("Wrong plan at stage " + stage + ", " + complaint.get());
                }
                notes.append(statement.sql()).append("\n\n").append(plan.text()).append('\n');
            }
        }
        String folder = System.getProperty(PLANS);
        if (folder != null) {
            Files.writeString(Path.of(folder, name() + "-" + stage + ".txt"), notes);
        }
    }

    /** The work on a connection. */
    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }
}
