package io.movr.bench;

import io.movr.database.plan.Expectation;
import io.movr.dataset.Answers;
import io.movr.dataset.Scale;
import io.movr.lab.Step;
import io.movr.schema.Stage;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;

/** How many riders there were on 2018-07-20: all rides are read, until stage join-index adds an index by time. */
public class RidersOfADay extends RepositoryCall {

    static final String SQL = "SELECT count(DISTINCT users.id) FROM users INNER JOIN rides ON rides.rider_id = users.id"
            + " WHERE start_time BETWEEN ? AND ?";
    static final String INDEX = "rides_start_time_idx";

    private static final LocalDateTime FROM = LocalDateTime.of(2018, 7, 20, 0, 0);
    private static final LocalDateTime TO = FROM.plusDays(1);

    @Benchmark
    public long repository() {
        return subject().rides.distinctRiders(FROM, TO);
    }

    @Benchmark
    public long jdbcClient() {
        return subject()
                .jdbcClient
                .sql(SQL)
                .param(FROM)
                .param(TO)
                .query(Long.class)
                .single();
    }

    @Benchmark
    public long plainJdbc() throws SQLException {
        return query(SQL, (row, number) -> row.getLong(1), FROM, TO).get(0);
    }

    @Override
    void check() throws Exception {
        long right = new Answers(Scale.named(scale).spec(dataset().spec().seed())).distinctRiders(FROM, TO);
        for (long answer : new long[] {repository(), jdbcClient(), plainJdbc()}) {
            require(answer == right, right + " riders expected", answer);
        }
    }

    @Override
    List<Step> statements(Stage at) {
        return List.of(new Step(
                SQL,
                List.of(Timestamp.valueOf(FROM), Timestamp.valueOf(TO)),
                at.isBefore(Stage.JOIN_INDEX)
                        ? Expectation.fullScan("rides")
                        : Expectation.indexOnlyScan("rides", INDEX)));
    }
}
