package io.movr.bench;

import io.movr.bench.Keys.Drawn;
import io.movr.lab.Expectation;
import io.movr.schema.Stage;
import io.movr.users.NameAndCard;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;

/** Name and credit card of the users of a name: from stage covering-index the index alone answers. */
public class NamesAndCards extends RepositoryCall {

    static final String SQL = "SELECT name, credit_card FROM users WHERE name = ?";

    private @Nullable Drawn<String> names;

    @Override
    void prepare() {
        names = drawing().userNames();
    }

    private String next() {
        return Objects.requireNonNull(names).next();
    }

    @Benchmark
    public List<NameAndCard> repository() {
        return subject().users.cardsOf(next());
    }

    @Benchmark
    public List<NameAndCard> jdbcClient() {
        return subject()
                .jdbcClient
                .sql(SQL)
                .param(next())
                .query((row, number) -> read(row))
                .list();
    }

    @Benchmark
    public List<NameAndCard> plainJdbc() throws SQLException {
        String name = next();
        return connected(connection -> {
            try (var statement = connection.prepareStatement(SQL)) {
                statement.setString(1, name);
                try (ResultSet row = statement.executeQuery()) {
                    List<NameAndCard> found = new ArrayList<>();
                    while (row.next()) {
                        found.add(read(row));
                    }
                    return found;
                }
            }
        });
    }

    private static NameAndCard read(ResultSet row) throws SQLException {
        return new NameAndCard(row.getString(1), row.getString(2));
    }

    @Override
    void check() throws Exception {
        Drawn<String> keys = Objects.requireNonNull(names);
        List<List<NameAndCard>> answers = sameAnswers(keys, this::repository, this::jdbcClient, this::plainJdbc);
        keys.rewind();
        for (List<NameAndCard> answer : answers) {
            String asked = keys.next();
            require(
                    !answer.isEmpty()
                            && answer.stream().allMatch(user -> asked.equals(user.name()) && user.creditCard() != null),
                    "not the cards of " + asked,
                    answer.size());
        }
    }

    @Override
    List<Planned> statements(Stage at) {
        Expectation expectation = !UsersByName.isNameIndexed(at)
                ? Expectation.fullScan("users")
                : at == Stage.NAME_INDEX
                        ? Expectation.indexScan("users", UsersByName.INDEX)
                        : Expectation.indexOnlyScan("users", UsersByName.INDEX);
        return List.of(new Planned(SQL, List.of(next()), expectation));
    }
}
