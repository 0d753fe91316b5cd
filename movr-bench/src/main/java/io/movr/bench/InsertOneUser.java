package io.movr.bench;

import io.movr.database.plan.Expectation;
import io.movr.lab.Step;
import io.movr.schema.Stage;
import java.sql.SQLException;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;

/** One new user, committed: every index of the table is written too. */
public class InsertOneUser extends WritingCall {

    static final String SQL =
            "INSERT INTO users (id, city, name, address, credit_card)" + " VALUES (gen_random_uuid(), ?, ?, ?, ?)";
    static final String CITY = "new york";
    static final String NAME = "Max Roach";
    static final String ADDRESS = "411 Drum Street";
    static final String CARD = "4024007117363528";

    @Benchmark
    public void repository() {
        subject().users.insert(CITY, own(NAME), ADDRESS, CARD);
    }

    @Benchmark
    public int jdbcClient() {
        return subject()
                .jdbcClient
                .sql(SQL)
                .params(CITY, own(NAME), ADDRESS, CARD)
                .update();
    }

    @Benchmark
    public int plainJdbc() throws SQLException {
        return update(SQL, CITY, own(NAME), ADDRESS, CARD);
    }

    @Override
    public void undo() throws SQLException {
        execute("DELETE FROM users WHERE city = '" + CITY + "' AND name = '" + own(NAME) + "'");
    }

    @Override
    String[] tables() {
        return new String[] {"users"};
    }

    @Override
    void check() throws SQLException {
        checkWrites(
                1,
                "SELECT count(*) FROM users WHERE name = '" + own(NAME) + "'",
                this::repository,
                this::jdbcClient,
                this::plainJdbc);
    }

    @Override
    List<Step> statements(Stage at) {
        return List.of(new Step(SQL, List.of(CITY, NAME, ADDRESS, CARD), Expectation.insert("users")));
    }
}
