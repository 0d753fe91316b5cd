package io.movr.bench;

import io.movr.database.plan.Expectation;
import io.movr.lab.Step;
import io.movr.schema.Stage;
import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.postgresql.PGConnection;

/**
 * A hundred new users, each way from a commit for each to COPY: one by one, as a JDBC batch, as a batch that the driver
 * rewrites into statements of many rows, as one statement of many rows, by COPY. The time covers all hundred.
 */
public class InsertHundredUsers extends WritingCall {

    static final int USERS = 100;
    static final String COPY = "COPY users (id, city, name, address, credit_card) FROM STDIN";
    static final String ONE = "INSERT INTO users (id, city, name, address, credit_card) VALUES (?, ?, ?, ?, ?)";
    static final String ALL = "INSERT INTO users (id, city, name, address, credit_card) VALUES "
            + String.join(", ", Collections.nCopies(USERS, "(?, ?, ?, ?, ?)"));

    private static final String CITY = InsertOneUser.CITY;
    private static final String ADDRESS = InsertOneUser.ADDRESS;
    private static final String CARD = InsertOneUser.CARD;

    private @Nullable DataSource rewriting;

    @Override
    void prepare() throws SQLException {
        rewriting = subject().withDriverSettings("reWriteBatchedInserts=true", threads());
        super.prepare();
    }

    @Benchmark
    public void oneByOneRepository() {
        for (int number = 0; number < USERS; number++) {
            subject().users.insert(UUID.randomUUID(), CITY, own(InsertOneUser.NAME), ADDRESS, CARD);
        }
    }

    @Benchmark
    public void oneByOnePlainJdbc() throws SQLException {
        for (int number = 0; number < USERS; number++) {
            connected(connection -> {
                try (var statement = connection.prepareStatement(ONE)) {
                    bind(statement, 0);
                    return statement.executeUpdate();
                }
            });
        }
    }

    @Benchmark
    public int[] batchPlainJdbc() throws SQLException {
        return connected(this::batch);
    }

    @Benchmark
    public int[] batchRewrittenPlainJdbc() throws SQLException {
        try (Connection connection = Objects.requireNonNull(rewriting).getConnection()) {
            return batch(connection);
        }
    }

    @Benchmark
    public int multiRowRepository() {
        List<Object[]> rows = new ArrayList<>(USERS);
        for (int number = 0; number < USERS; number++) {
            rows.add(new Object[] {UUID.randomUUID(), CITY, own(InsertOneUser.NAME), ADDRESS, CARD});
        }
        return subject().users.insertAll(rows);
    }

    @Benchmark
    public int multiRowPlainJdbc() throws SQLException {
        return connected(connection -> {
            try (var statement = connection.prepareStatement(ALL)) {
                for (int number = 0; number < USERS; number++) {
                    bind(statement, 5 * number);
                }
                return statement.executeUpdate();
            }
        });
    }

    @Benchmark
    public long copyPlainJdbc() throws SQLException {
        StringBuilder rows = new StringBuilder(USERS * 100);
        for (int number = 0; number < USERS; number++) {
            rows.append(UUID.randomUUID())
                    .append('\t')
                    .append(CITY)
                    .append('\t')
                    .append(own(InsertOneUser.NAME));
            rows.append('\t').append(ADDRESS).append('\t').append(CARD).append('\n');
        }
        return connected(connection -> {
            try {
                return connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn(COPY, new StringReader(rows.toString()));
            } catch (IOException impossible) {
                throw new SQLException("A text in memory cannot be read", impossible);
            }
        });
    }

    private int[] batch(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (var statement = connection.prepareStatement(ONE)) {
            for (int number = 0; number < USERS; number++) {
                bind(statement, 0);
                statement.addBatch();
            }
            int[] counts = statement.executeBatch();
            connection.commit();
            return counts;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private void bind(PreparedStatement statement, int before) throws SQLException {
        statement.setObject(before + 1, UUID.randomUUID());
        statement.setString(before + 2, CITY);
        statement.setString(before + 3, own(InsertOneUser.NAME));
        statement.setString(before + 4, ADDRESS);
        statement.setString(before + 5, CARD);
    }

    @Override
    public void undo() throws SQLException {
        execute("DELETE FROM users WHERE city = '" + CITY + "' AND name = '" + own(InsertOneUser.NAME) + "'");
    }

    @Override
    String[] tables() {
        return new String[] {"users"};
    }

    @Override
    void check() throws SQLException {
        checkWrites(
                USERS,
                "SELECT count(*) FROM users WHERE name = '" + own(InsertOneUser.NAME) + "'",
                this::oneByOneRepository,
                this::oneByOnePlainJdbc,
                this::batchPlainJdbc,
                this::batchRewrittenPlainJdbc,
                this::multiRowRepository,
                this::multiRowPlainJdbc,
                this::copyPlainJdbc);
    }

    @Override
    List<Step> statements(Stage at) {
        return List.of(new Step(
                ONE, List.of(UUID.randomUUID(), CITY, InsertOneUser.NAME, ADDRESS, CARD), Expectation.insert("users")));
    }
}
