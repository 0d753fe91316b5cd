package io.movr.bench;

import io.movr.database.plan.Access;
import io.movr.database.plan.Expectation;
import io.movr.lab.Step;
import io.movr.schema.Stage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;

/** The id that the database chose for a new user: asked for by another statement, or returned by the INSERT. */
public class NewUserId extends WritingCall {

    static final String INSERT = InsertOneUser.SQL;
    static final String SELECT = "SELECT id FROM users WHERE name = ?";
    static final String RETURNING = INSERT + " RETURNING id";

    private static final String CITY = "new york";
    private static final String NAME = "Toni Brooks";
    private static final String ADDRESS = "800 Camden Lane, Brooklyn, NY 11218";
    private static final String CARD = "4929384394213443";

    @Benchmark
    public List<UUID> insertThenSelectRepository() {
        subject().users.insert(CITY, own(NAME), ADDRESS, CARD);
        return subject().users.idsOf(own(NAME));
    }

    @Benchmark
    public UUID insertThenSelectPlainJdbc() throws SQLException {
        return connected(connection -> {
            update(connection, INSERT, CITY, own(NAME), ADDRESS, CARD);
            return query(connection, SELECT, NewUserId::id, own(NAME)).get(0);
        });
    }

    @Benchmark
    public UUID insertReturningRepository() {
        return subject().users.insertReturningId(CITY, own(NAME), ADDRESS, CARD);
    }

    @Benchmark
    public UUID insertReturningPlainJdbc() throws SQLException {
        return query(RETURNING, NewUserId::id, CITY, own(NAME), ADDRESS, CARD).get(0);
    }

    private static UUID id(ResultSet row, int number) throws SQLException {
        return row.getObject(1, UUID.class);
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
        List<WayToAnId> ways = List.of(
                () -> insertThenSelectRepository().get(0),
                this::insertThenSelectPlainJdbc,
                this::insertReturningRepository,
                this::insertReturningPlainJdbc);
        undo(); // What a fork left that was killed.
        for (WayToAnId way : ways) {
            UUID id = way.id();
            long found = count("SELECT count(*) FROM users WHERE name = '" + own(NAME) + "' AND id = '" + id + "'");
            long all = count("SELECT count(*) FROM users WHERE name = '" + own(NAME) + "'");
            undo();
            require(found == 1 && all == 1, "one new user with the id " + id + " expected", all);
        }
    }

    @Override
    List<Step> statements(Stage at) {
        Expectation byName = UsersByName.isNameIndexed(at)
                ? new Expectation("users", Set.of(Access.INDEX_SCAN, Access.INDEX_ONLY_SCAN), UsersByName.INDEX)
                : Expectation.fullScan("users");
        List<Object> row = List.of(CITY, NAME, ADDRESS, CARD);
        return List.of(
                new Step(INSERT, row, Expectation.insert("users")),
                new Step(SELECT, List.of(NAME), byName),
                new Step(RETURNING, row, Expectation.insert("users")));
    }

    private interface WayToAnId {
        UUID id() throws SQLException;
    }
}
