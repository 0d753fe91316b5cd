package io.movr.bench;

import static io.movr.database.plan.Access.FULL_SCAN;
import static io.movr.database.plan.Access.INDEX_SCAN;

import io.movr.bench.Keys.Drawn;
import io.movr.database.plan.Expectation;
import io.movr.lab.Step;
import io.movr.schema.Stage;
import io.movr.vehicles.IdAndExtras;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;

/** The bikes of a city that are being ridden. */
public class BikesInUse extends RepositoryCall {

    static final String SQL = "SELECT id, CAST(ext AS VARCHAR) AS ext FROM vehicles"
            + " WHERE city = ? AND type = ? AND status = 'in_use'";

    private static final String BIKE = "bike";

    private Drawn<String> cities = Drawn.none();

    @Override
    void prepare() {
        cities = drawing().cities();
    }

    private String next() {
        return cities.next();
    }

    @Benchmark
    public List<IdAndExtras> repository() {
        return subject().vehicles.inUse(next(), BIKE);
    }

    @Benchmark
    public List<IdAndExtras> jdbcClient() {
        return subject()
                .jdbcClient
                .sql(SQL)
                .param(next())
                .param(BIKE)
                .query(BikesInUse::read)
                .list();
    }

    @Benchmark
    public List<IdAndExtras> plainJdbc() throws SQLException {
        return query(SQL, BikesInUse::read, next(), BIKE);
    }

    private static IdAndExtras read(ResultSet row, int number) throws SQLException {
        return new IdAndExtras(row.getObject(1, UUID.class), row.getString(2));
    }

    @Override
    void check() throws Exception {
        List<List<IdAndExtras>> answers = sameAnswers(cities, this::repository, this::jdbcClient, this::plainJdbc);
        require(answers.stream().anyMatch(bikes -> !bikes.isEmpty()), "no bike is in use anywhere", answers);
    }

    @Override
    List<Step> statements(Stage at) {
        return List.of(new Step(SQL, List.of(next(), BIKE), Expectation.anyOf("vehicles", FULL_SCAN, INDEX_SCAN)));
    }
}
