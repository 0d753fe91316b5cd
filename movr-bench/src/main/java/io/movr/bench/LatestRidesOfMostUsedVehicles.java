package io.movr.bench;

import static io.movr.database.plan.Access.FULL_INDEX_SCAN;
import static io.movr.database.plan.Access.FULL_SCAN;
import static io.movr.database.plan.Access.INDEX_SCAN;

import io.movr.database.plan.Expectation;
import io.movr.dataset.Answers;
import io.movr.lab.Step;
import io.movr.rides.LatestRide;
import io.movr.schema.Stage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Benchmark;

/** When the five most used vehicles were last given back: one statement with a subquery, or two statements. */
public class LatestRidesOfMostUsedVehicles extends RepositoryCall {

    static final int VEHICLES = 5;
    static final String MOST_USED = "SELECT vehicle_id FROM rides GROUP BY vehicle_id ORDER BY count(*) DESC LIMIT ?";
    static final String SUBQUERY = "SELECT vehicle_id, max(end_time) AS end_time FROM rides WHERE vehicle_id IN ("
            + MOST_USED + ") GROUP BY vehicle_id";
    static final String EXPLICIT = "SELECT vehicle_id, max(end_time) AS end_time FROM rides"
            + " WHERE vehicle_id IN (?, ?, ?, ?, ?) GROUP BY vehicle_id";

    @Benchmark
    public List<LatestRide> subqueryRepository() {
        return subject().rides.latestOfMostUsed(VEHICLES);
    }

    @Benchmark
    public List<LatestRide> subqueryPlainJdbc() throws SQLException {
        return query(SUBQUERY, LatestRidesOfMostUsedVehicles::read, VEHICLES);
    }

    @Benchmark
    public List<LatestRide> twoStatementsRepository() {
        return subject().rides.latestOf(subject().rides.mostUsedVehicles(VEHICLES));
    }

    @Benchmark
    public List<LatestRide> twoStatementsPlainJdbc() throws SQLException {
        return connected(connection -> {
            List<UUID> vehicles = query(connection, MOST_USED, (row, number) -> row.getObject(1, UUID.class), VEHICLES);
            return query(connection, EXPLICIT, LatestRidesOfMostUsedVehicles::read, vehicles.toArray());
        });
    }

    private static LatestRide read(ResultSet row, int number) throws SQLException {
        return new LatestRide(row.getObject(1, UUID.class), row.getObject(2, LocalDateTime.class));
    }

    @Override
    void check() throws Exception {
        Map<UUID, LocalDateTime> right = new Answers(dataset().spec()).latestRidesOfMostUsedVehicles(VEHICLES);
        for (List<LatestRide> answer : List.of(
                subqueryRepository(), subqueryPlainJdbc(), twoStatementsRepository(), twoStatementsPlainJdbc())) {
            Map<UUID, LocalDateTime> found = answer.stream()
                    .collect(Collectors.toMap(
                            ride -> Objects.requireNonNull(ride.vehicleId()),
                            ride -> Objects.requireNonNull(ride.endTime())));
            require(found.equals(right), right + " expected", found);
        }
    }

    @Override
    List<Step> statements(Stage at) {
        List<UUID> vehicles = List.copyOf(new Answers(dataset().spec())
                .latestRidesOfMostUsedVehicles(VEHICLES)
                .keySet());
        Expectation whole = Expectation.anyOf("rides", FULL_SCAN, FULL_INDEX_SCAN);
        return List.of(
                new Step(
                        SUBQUERY,
                        List.of(VEHICLES),
                        Expectation.anyOf("rides", FULL_SCAN, FULL_INDEX_SCAN, INDEX_SCAN)),
                new Step(MOST_USED, List.of(VEHICLES), whole),
                new Step(EXPLICIT, vehicles, Expectation.anyOf("rides", FULL_SCAN, INDEX_SCAN)));
    }
}
