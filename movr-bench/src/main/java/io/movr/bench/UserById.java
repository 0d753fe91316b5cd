package io.movr.bench;

import io.movr.bench.Keys.Drawn;
import io.movr.database.plan.Expectation;
import io.movr.lab.Step;
import io.movr.schema.Stage;
import io.movr.users.User;
import io.movr.users.UserId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;

/** A user by the whole primary key. */
public class UserById extends RepositoryCall {

    static final String SQL = "SELECT city, id, name, address, credit_card FROM users WHERE city = ? AND id = ?";

    private Drawn<UserId> users = Drawn.none();

    @Override
    void prepare() {
        users = drawing().users();
    }

    private UserId next() {
        return users.next();
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
                .query(UserById::user)
                .optional();
    }

    @Benchmark
    public Optional<User> plainJdbc() throws SQLException {
        UserId user = next();
        return query(SQL, UserById::user, user.city(), user.id()).stream().findFirst();
    }

    static User user(ResultSet row, int number) throws SQLException {
        return new User(
                new UserId(row.getString(1), row.getObject(2, UUID.class)),
                row.getString(3),
                row.getString(4),
                row.getString(5));
    }

    @Override
    void check() throws Exception {
        List<Optional<User>> answers = sameAnswers(users, this::repository, this::jdbcClient, this::plainJdbc);
        users.rewind();
        for (Optional<User> answer : answers) {
            UserId asked = users.next();
            require(answer.map(User::key).equals(Optional.of(asked)), "not the user " + asked, answer);
        }
    }

    @Override
    List<Step> statements(Stage at) {
        UserId user = next();
        return List.of(new Step(SQL, List.of(user.city(), user.id()), Expectation.indexScan("users", "users_pkey")));
    }
}
