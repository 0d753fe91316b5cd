package io.movr.bench;

import io.movr.bench.Keys.Drawn;
import io.movr.database.plan.Expectation;
import io.movr.lab.Step;
import io.movr.schema.Stage;
import io.movr.users.User;
import java.sql.SQLException;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;

/** The users of a name, all their columns: a scan of the table, until stage name-index adds an index. */
public class UsersByName extends RepositoryCall {

    static final String SQL = "SELECT city, id, name, address, credit_card FROM users WHERE name = ?";
    static final String INDEX = "users_name_idx";

    private Drawn<String> names = Drawn.none();

    @Override
    void prepare() {
        names = drawing().userNames();
    }

    private String next() {
        return names.next();
    }

    @Benchmark
    public List<User> repository() {
        return subject().users.named(next());
    }

    @Benchmark
    public List<User> jdbcClient() {
        return subject().jdbcClient.sql(SQL).param(next()).query(UserById::user).list();
    }

    @Benchmark
    public List<User> plainJdbc() throws SQLException {
        return query(SQL, UserById::user, next());
    }

    @Override
    void check() throws Exception {
        List<List<User>> answers = sameAnswers(names, this::repository, this::jdbcClient, this::plainJdbc);
        names.rewind();
        for (List<User> answer : answers) {
            String asked = names.next();
            require(
                    !answer.isEmpty() && answer.stream().allMatch(user -> asked.equals(user.name())),
                    "not the users called " + asked,
                    answer);
        }
    }

    /** Returns whether users can be found by their name without reading them all. */
    static boolean isNameIndexed(Stage at) {
        return !at.isBefore(Stage.NAME_INDEX) && at.isBefore(Stage.UNUSED_INDEX_DROPPED);
    }

    @Override
    List<Step> statements(Stage at) {
        return List.of(new Step(
                SQL,
                List.of(next()),
                isNameIndexed(at) ? Expectation.indexScan("users", INDEX) : Expectation.fullScan("users")));
    }
}
