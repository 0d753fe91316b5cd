package io.movr.bench;

import io.movr.database.Rows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A call that writes. The writes of an invocation are undone before the next, on another connection and outside the measured
 * time, so that every invocation finds the same rows; after each iteration the dead rows are vacuumed.
 */
@State(Scope.Thread)
public abstract class WritingCall extends RepositoryCall {

    private @Nullable Connection helper;

    @Override
    final boolean writes() {
        return true;
    }

    @Override
    void prepare() throws SQLException {
        helper = subject().gateway().connect("movr-bench-helper");
    }

    /** Prepares one invocation. */
    @Setup(Level.Invocation)
    public void begin() throws SQLException {}

    /** Removes the rows that one invocation wrote. */
    @TearDown(Level.Invocation)
    public abstract void undo() throws SQLException;

    /** Removes the dead rows. */
    @TearDown(Level.Iteration)
    public final void vacuum() throws SQLException {
        for (String table : tables()) {
            Rows.vacuum(helper(), table);
        }
    }

    /** Closes the connection for unmeasured statements. */
    @TearDown(Level.Trial)
    public final void close() throws SQLException {
        helper().close();
    }

    /** Returns the tables that it writes. */
    abstract String[] tables();

    /** Returns a name that no other thread writes. */
    final String own(String name) {
        return thread() == 0 ? name : name + " " + thread();
    }

    /** Verifies that each way of writing writes the expected number of rows. */
    final void checkWrites(long rows, String counting, Write... ways) throws SQLException {
        undo(); // What a fork left that was killed.
        for (Write way : ways) {
            begin();
            way.run();
            long found = count(counting);
            undo();
            require(found == rows, rows + " new rows expected", found);
        }
    }

    /** One way of writing. */
    interface Write {
        void run() throws SQLException;
    }

    final Connection helper() {
        return Objects.requireNonNull(helper);
    }

    final void execute(String sql) throws SQLException {
        Rows.execute(helper(), sql);
    }

    final long count(String sql) throws SQLException {
        return query(helper(), sql, (row, number) -> row.getLong(1)).get(0);
    }
}
