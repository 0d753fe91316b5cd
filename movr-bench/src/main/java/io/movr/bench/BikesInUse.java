package io.movr.bench;

import static io.movr.database.plan.Access.FULL_SCAN;
import static io.movr.database.plan.Access.INDEX_SCAN;

import io.movr.bench.Keys.Drawn;
import io.movr.lab.Expectation;
import io.movr.schema.Stage;
import io.movr.vehicles.IdAndExtras;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;

/** The bikes of a city that are being ridden. */
public class BikesInUse extends RepositoryCall {

    static final String SQL = "SELECT id, CAST(ext AS VARCHAR) AS ext FROM vehicles"
            + " WHERE city = ? AND type = ? AND status = 'in_use'";

    private static final String BIKE = "bike";

    private @Nullable Drawn<String> cities;

    @Override
    void prepare() {
        cities = drawing().cities();
    }

    private String next() {
        return Objects.requireNonNull(cities).next();
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
                .query((row, number) -> read(row))
                .list();
    }

    @Benchmark
    public List<IdAndExtras> plainJdbc() throws SQLException {
        String city = next();
        return connected(connection -> {
            try (var statement = connection.prepareStatement(SQL)) {
                statement.setString(1, city);
                statement.setString(2, BIKE);
                try (ResultSet row = statement.executeQuery()) {
                    List<IdAndExtras> bikes = new ArrayList<>();
                    while (row.next()) {
                        bikes.add(read(row));
                    }
                    return bikes;
                }
            }
        });
    }

    private static IdAndExtras read(ResultSet row) throws SQLException {
        return new IdAndExtras(row.getObject(1, UUID.class), row.getString(2));
    }

    @Override
    void check() throws Exception {
        List<List<IdAndExtras>> answers =
                sameAnswers(Objects.requireNonNull(cities), this::repository, this::jdbcClient, this::plainJdbc);
        require(answers.stream().anyMatch(bikes -> !bikes.isEmpty()), "no bike is in use anywhere", answers);
    }

    @Override
    List<Planned> statements(Stage at) {
        return List.of(new Planned(SQL, List.of(next(), BIKE), Expectation.anyOf("vehicles", FULL_SCAN, INDEX_SCAN)));
    }
}
