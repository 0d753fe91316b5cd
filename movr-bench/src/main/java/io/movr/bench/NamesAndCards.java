package io.movr.bench;

import io.movr.bench.Keys.Drawn;
import io.movr.database.plan.Expectation;
import io.movr.lab.Step;
import io.movr.schema.Stage;
import io.movr.users.NameAndCard;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;

/** Name and credit card of the users of a name: from stage covering-index the index alone answers. */
public class NamesAndCards extends RepositoryCall {

    static final String SQL = "SELECT name, credit_card FROM users WHERE name = ?";

    private Drawn<String> names = Drawn.none();

    @Override
    void prepare() {
        names = drawing().userNames();
    }

    private String next() {
        return names.next();
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
                .query(NamesAndCards::read)
                .list();
    }

    @Benchmark
    public List<NameAndCard> plainJdbc() throws SQLException {
        return query(SQL, NamesAndCards::read, next());
    }

    private static NameAndCard read(ResultSet row, int number) throws SQLException {
        return new NameAndCard(row.getString(1), row.getString(2));
    }

    @Override
    void check() throws Exception {
        List<List<NameAndCard>> answers = sameAnswers(names, this::repository, this::jdbcClient, this::plainJdbc);
        names.rewind();
        for (List<NameAndCard> answer : answers) {
            String asked = names.next();
            require(
                    !answer.isEmpty()
                            && answer.stream().allMatch(user -> asked.equals(user.name()) && user.creditCard() != null),
                    "not the cards of " + asked,
                    answer.size());
        }
    }

    @Override
    List<Step> statements(Stage at) {
        Expectation expectation = !UsersByName.isNameIndexed(at)
                ? Expectation.fullScan("users")
                : at == Stage.NAME_INDEX
                        ? Expectation.indexScan("users", UsersByName.INDEX)
                        : Expectation.indexOnlyScan("users", UsersByName.INDEX);
        return List.of(new Step(SQL, List.of(next()), expectation));
    }
}
