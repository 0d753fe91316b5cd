package io.movr.bench;

import io.movr.bench.Keys.Drawn;
import io.movr.lab.Expectation;
import io.movr.schema.Stage;
import io.movr.users.User;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;

/** The users of a name, all their columns: a scan of the table, until stage name-index adds an index. */
public class UsersByName extends RepositoryCall {

    static final String SQL = "SELECT city, id, name, address, credit_card FROM users WHERE name = ?";
    static final String INDEX = "users_name_idx";

    private @Nullable Drawn<String> names;

    @Override
    void prepare() {
        names = drawing().userNames();
    }

    private String next() {
        return Objects.requireNonNull(names).next();
    }

    @Benchmark
    public List<User> repository() {
        return subject().users.named(next());
    }

    @Benchmark
    public List<User> jdbcClient() {
        return subject()
                .jdbcClient
                .sql(SQL)
                .param(next())
                .query((row, number) -> UserById.user(row))
                .list();
    }

    @Benchmark
    public List<User> plainJdbc() throws SQLException {
        String name = next();
        return connected(connection -> {
            try (var statement = connection.prepareStatement(SQL)) {
                statement.setString(1, name);
                try (ResultSet row = statement.executeQuery()) {
                    List<User> found = new ArrayList<>();
                    while (row.next()) {
                        found.add(UserById.user(row));
                    }
                    return found;
                }
            }
        });
    }

    @Override
    void check() throws Exception {
        Drawn<String> keys = Objects.requireNonNull(names);
        List<List<User>> answers = sameAnswers(keys, this::repository, this::jdbcClient, this::plainJdbc);
        keys.rewind();
        for (List<User> answer : answers) {
            String asked = keys.next();
            require(
                    !answer.isEmpty() && answer.stream().allMatch(user -> asked.equals(user.name())),
                    "not the users called " + asked,
                    answer);
        }
    }

    /** Whether users can be found by their name without reading them all. */
    static boolean isNameIndexed(Stage at) {
        return !at.isBefore(Stage.NAME_INDEX) && at.isBefore(Stage.UNUSED_INDEX_DROPPED);
    }

    @Override
    List<Planned> statements(Stage at) {
        return List.of(new Planned(
                SQL,
                List.of(next()),
                isNameIndexed(at) ? Expectation.indexScan("users", INDEX) : Expectation.fullScan("users")));
    }
}
