package io.movr.bench;

import io.movr.bench.Keys.Drawn;
import io.movr.database.plan.Expectation;
import io.movr.lab.Step;
import io.movr.rides.Ride;
import io.movr.rides.RideId;
import io.movr.rides.VehicleAndRider;
import io.movr.schema.Stage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.openjdk.jmh.annotations.Benchmark;

/** A ride by the whole primary key: all its columns, or two of them. */
public class RideById extends RepositoryCall {

    static final String ALL = "SELECT city, id, vehicle_city, rider_id, vehicle_id, start_address, end_address,"
            + " start_time, end_time, revenue FROM rides WHERE city = ? AND id = ?";
    static final String TWO = "SELECT vehicle_id, rider_id FROM rides WHERE city = ? AND id = ?";

    private Drawn<RideId> rides = Drawn.none();

    @Override
    void prepare() {
        rides = drawing().rides();
    }

    private RideId next() {
        return rides.next();
    }

    @Benchmark
    public Optional<Ride> allColumnsRepository() {
        RideId ride = next();
        return subject().rides.find(ride.city(), ride.id());
    }

    @Benchmark
    public Optional<Ride> allColumnsJdbcClient() {
        RideId ride = next();
        return subject()
                .jdbcClient
                .sql(ALL)
                .param(ride.city())
                .param(ride.id())
                .query(RideById::ride)
                .optional();
    }

    @Benchmark
    public Optional<Ride> allColumnsPlainJdbc() throws SQLException {
        RideId ride = next();
        return query(ALL, RideById::ride, ride.city(), ride.id()).stream().findFirst();
    }

    @Benchmark
    public Optional<VehicleAndRider> twoColumnsRepository() {
        RideId ride = next();
        return subject().rides.findVehicleAndRider(ride.city(), ride.id());
    }

    @Benchmark
    public Optional<VehicleAndRider> twoColumnsJdbcClient() {
        RideId ride = next();
        return subject()
                .jdbcClient
                .sql(TWO)
                .param(ride.city())
                .param(ride.id())
                .query(RideById::two)
                .optional();
    }

    @Benchmark
    public Optional<VehicleAndRider> twoColumnsPlainJdbc() throws SQLException {
        RideId ride = next();
        return query(TWO, RideById::two, ride.city(), ride.id()).stream().findFirst();
    }

    private static Ride ride(ResultSet row, int number) throws SQLException {
        return new Ride(
                new RideId(row.getString(1), row.getObject(2, UUID.class)),
                row.getString(3),
                row.getObject(4, UUID.class),
                row.getObject(5, UUID.class),
                row.getString(6),
                row.getString(7),
                row.getObject(8, LocalDateTime.class),
                row.getObject(9, LocalDateTime.class),
                row.getBigDecimal(10));
    }

    private static VehicleAndRider two(ResultSet row, int number) throws SQLException {
        return new VehicleAndRider(row.getObject(1, UUID.class), row.getObject(2, UUID.class));
    }

    @Override
    void check() throws Exception {
        List<Optional<Ride>> all =
                sameAnswers(rides, this::allColumnsRepository, this::allColumnsJdbcClient, this::allColumnsPlainJdbc);
        List<Optional<VehicleAndRider>> two =
                sameAnswers(rides, this::twoColumnsRepository, this::twoColumnsJdbcClient, this::twoColumnsPlainJdbc);
        rides.rewind();
        for (int number = 0; number < all.size(); number++) {
            RideId asked = rides.next();
            Ride ride = all.get(number).orElseThrow();
            require(ride.key().equals(asked), "not the ride " + asked, ride);
            require(
                    two.get(number).equals(Optional.of(new VehicleAndRider(ride.vehicleId(), ride.riderId()))),
                    "two columns that are not those of " + ride,
                    two.get(number));
        }
    }

    @Override
    List<Step> statements(Stage at) {
        RideId ride = next();
        List<Object> key = List.of(ride.city(), ride.id());
        Expectation byKey = Expectation.indexScan("rides", "rides_pkey");
        return List.of(new Step(ALL, key, byKey), new Step(TWO, key, byKey));
    }
}
