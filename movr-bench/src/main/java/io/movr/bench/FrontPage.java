package io.movr.bench;

import static io.movr.database.plan.Access.FULL_SCAN;
import static io.movr.database.plan.Access.INDEX_SCAN;

import io.movr.bench.Keys.Drawn;
import io.movr.database.plan.Expectation;
import io.movr.lab.Step;
import io.movr.schema.Stage;
import io.movr.vehicles.Vehicle;
import io.movr.vehicles.VehicleId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;

/** MovR's front page: the first 25 vehicles of a city that are available, and one more to tell whether there are more. */
public class FrontPage extends RepositoryCall {

    static final String SQL = "SELECT city, id, type, owner_id, creation_time, status, current_location,"
            + " CAST(ext AS VARCHAR) AS ext FROM vehicles WHERE city = ? AND id > ? AND (? OR status = ?)"
            + " AND (? OR type = ?) ORDER BY id LIMIT ?";

    private static final UUID FIRST = new UUID(0, 0);
    private static final String AVAILABLE = "available";
    private static final int LIMIT = 26;

    private Drawn<String> cities = Drawn.none();

    @Override
    void prepare() {
        cities = drawing().cities();
    }

    private String next() {
        return cities.next();
    }

    @Benchmark
    public List<Vehicle> repository() {
        return subject().vehicles.page(next(), true, "", false, AVAILABLE, FIRST, LIMIT);
    }

    @Benchmark
    public List<Vehicle> jdbcClient() {
        return subject()
                .jdbcClient
                .sql(SQL)
                .params(next(), FIRST, false, AVAILABLE, true, "", LIMIT)
                .query(FrontPage::read)
                .list();
    }

    @Benchmark
    public List<Vehicle> plainJdbc() throws SQLException {
        return query(SQL, FrontPage::read, next(), FIRST, false, AVAILABLE, true, "", LIMIT);
    }

    private static Vehicle read(ResultSet row, int number) throws SQLException {
        return new Vehicle(
                new VehicleId(row.getString(1), row.getObject(2, UUID.class)),
                row.getString(3),
                row.getObject(4, UUID.class),
                row.getObject(5, LocalDateTime.class),
                row.getString(6),
                row.getString(7),
                row.getString(8));
    }

    @Override
    void check() throws Exception {
        List<List<Vehicle>> answers = sameAnswers(cities, this::repository, this::jdbcClient, this::plainJdbc);
        cities.rewind();
        for (List<Vehicle> answer : answers) {
            String asked = cities.next();
            require(
                    !answer.isEmpty()
                            && answer.stream()
                                    .allMatch(vehicle ->
                                            vehicle.key().city().equals(asked) && AVAILABLE.equals(vehicle.status())),
                    "not the available vehicles of " + asked,
                    answer);
        }
    }

    @Override
    List<Step> statements(Stage at) {
        return List.of(new Step(
                SQL,
                List.of(next(), FIRST, false, AVAILABLE, true, "", LIMIT),
                Expectation.anyOf("vehicles", FULL_SCAN, INDEX_SCAN)));
    }
}
