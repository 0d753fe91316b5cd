package io.movr.bench;

import io.movr.bench.Keys.Drawn;
import io.movr.lab.Expectation;
import io.movr.schema.Stage;
import io.movr.users.User;
import io.movr.users.UserId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;

/** A user by the whole primary key. */
public class UserById extends RepositoryCall {

    static final String SQL = "SELECT city, id, name, address, credit_card FROM users WHERE city = ? AND id = ?";

    private @Nullable Drawn<UserId> users;

    @Override
    void prepare() {
        users = drawing().users();
    }

    private UserId next() {
        return java.util.Objects.requireNonNull(users).next();
    }

    @Benchmark
    public Optional<User> repository() {
        UserId user = next();
        return subject().users.find(user.city(), user.id());
    }

    @Benchmark
    public Optional<User> jdbcClient() {
        UserId user = next();
        return subject()
                .jdbcClient
                .sql(SQL)
                .param(user.city())
                .param(user.id())
                .query((row, number) -> user(row))
                .optional();
    }

    @Benchmark
    public Optional<User> plainJdbc() throws SQLException {
        UserId user = next();
        return connected(connection -> {
            try (var statement = connection.prepareStatement(SQL)) {
                statement.setString(1, user.city());
                statement.setObject(2, user.id());
                try (ResultSet row = statement.executeQuery()) {
                    return row.next() ? Optional.of(user(row)) : Optional.empty();
                }
            }
        });
    }

    static User user(ResultSet row) throws SQLException {
        return new User(
                new UserId(row.getString(1), row.getObject(2, UUID.class)),
                row.getString(3),
                row.getString(4),
                row.getString(5));
    }

    @Override
    void check() throws Exception {
        Drawn<UserId> keys = java.util.Objects.requireNonNull(users);
        List<Optional<User>> answers = sameAnswers(keys, this::repository, this::jdbcClient, this::plainJdbc);
        keys.rewind();
        for (Optional<User> answer : answers) {
            UserId asked = keys.next();
            require(answer.map(User::key).equals(Optional.of(asked)), "not the user " + asked, answer);
        }
    }

    @Override
    List<Planned> statements(Stage at) {
        UserId user = next();
        return List.of(new Planned(SQL, List.of(user.city(), user.id()), Expectation.indexScan("users", "users_pkey")));
    }
}
