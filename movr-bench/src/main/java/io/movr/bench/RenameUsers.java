package io.movr.bench;

import io.movr.database.plan.Access;
import io.movr.database.plan.Expectation;
import io.movr.dataset.Answers;
import io.movr.lab.Step;
import io.movr.schema.Stage;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Threads;

/**
 * All users whose names begin with C are renamed: every index on the name is written with each row. One thread only,
 * because two would rename the same users.
 */
@Threads(1)
public class RenameUsers extends WritingCall {

    static final String SQL = "UPDATE users SET name = ? WHERE name LIKE ?";

    private static final String NEW_NAME = "Carl Kimball";
    private static final String PATTERN = "C%";

    @Override
    void prepare() throws SQLException {
        super.prepare();
        execute("CREATE TABLE IF NOT EXISTS names_before AS" + " SELECT city, id, name FROM users WHERE name LIKE '"
                + PATTERN + "'");
        execute("ANALYZE names_before");
    }

    @Benchmark
    public int repository() {
        return subject().users.renameAll(PATTERN, NEW_NAME);
    }

    @Benchmark
    public int jdbcClient() {
        return subject().jdbcClient.sql(SQL).params(NEW_NAME, PATTERN).update();
    }

    @Benchmark
    public int plainJdbc() throws SQLException {
        return update(SQL, NEW_NAME, PATTERN);
    }

    @Override
    public void undo() throws SQLException {
        if (count("SELECT count(*) FROM pg_tables WHERE tablename = 'names_before'") > 0) {
            execute("UPDATE users SET name = names_before.name FROM names_before"
                    + " WHERE users.city = names_before.city AND users.id = names_before.id"
                    + " AND users.name <> names_before.name");
        }
    }

    @Override
    String[] tables() {
        return new String[] {"users"};
    }

    @Override
    void check() throws SQLException {
        long right = new Answers(dataset().spec()).countOfNamesBeginningWith("C");
        checkWrites(
                right,
                "SELECT count(*) FROM users WHERE name = '" + NEW_NAME + "'",
                this::repository,
                this::jdbcClient,
                this::plainJdbc);
    }

    @Override
    List<Step> statements(Stage at) {
        return List.of(new Step(
                SQL,
                List.of(NEW_NAME, PATTERN),
                new Expectation("users", Set.of(Access.FULL_SCAN, Access.INDEX_SCAN, Access.INDEX_ONLY_SCAN), null)));
    }
}
