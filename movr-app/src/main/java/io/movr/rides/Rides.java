package io.movr.rides;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.data.jdbc.repository.query.Modifying;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.repository.Repository;

/** The table {@code rides}: the queries of the service, and the calls that the experiments compare. */
public interface Rides extends Repository<Ride, RideId> {

    /** Experiment pk-lookup, before: all columns. */
    @Query(value = """
            SELECT city, id, vehicle_city, rider_id, vehicle_id, start_address, end_address, start_time, end_time, revenue
            FROM rides WHERE city = :city AND id = :id""", rowMapperClass = RideRow.class)
    Optional<Ride> find(String city, UUID id);

    /** Experiment pk-lookup, after: two columns. */
    @Query(
            value = "SELECT vehicle_id, rider_id FROM rides WHERE city = :city AND id = :id",
            rowMapperClass = VehicleAndRiderRow.class)
    Optional<VehicleAndRider> findVehicleAndRider(String city, UUID id);

    @Query(value = """
            SELECT city, id, vehicle_city, rider_id, vehicle_id, start_address, end_address, start_time, end_time, revenue
            FROM rides WHERE city = :city AND id = :id FOR UPDATE""", rowMapperClass = RideRow.class)
    Optional<Ride> findForUpdate(String city, UUID id);

    /** A rider's rides, the latest first. */
    @Query(value = """
            SELECT city, id, vehicle_city, rider_id, vehicle_id, start_address, end_address, start_time, end_time, revenue
            FROM rides WHERE city = :city AND rider_id = :riderId AND (start_time, id) < (:startTime, :id)
            ORDER BY start_time DESC, id DESC LIMIT :limit""", rowMapperClass = RideRow.class)
    List<Ride> page(String city, UUID riderId, LocalDateTime startTime, UUID id, int limit);

    @Query("SELECT max(end_time) FROM rides WHERE city = :city AND rider_id = :riderId")
    Optional<LocalDateTime> lastEnd(String city, UUID riderId);

    @Modifying
    @Query("""
            INSERT INTO rides (id, city, vehicle_city, rider_id, vehicle_id, start_address, start_time)
            VALUES (:id, :city, :city, :riderId, :vehicleId, :startAddress, :startTime)""")
    void insert(UUID id, String city, UUID riderId, UUID vehicleId, String startAddress, LocalDateTime startTime);

    @Modifying
    @Query("""
            UPDATE rides SET end_address = :endAddress, end_time = :endTime, revenue = :revenue
            WHERE city = :city AND id = :id AND end_time IS NULL""")
    int end(String city, UUID id, String endAddress, LocalDateTime endTime, BigDecimal revenue);

    /** Experiment join-index: reads one day of the index of stage 5, all rides without it. */
    @Query("""
            SELECT count(DISTINCT users.id) FROM users INNER JOIN rides ON rides.rider_id = users.id
            WHERE start_time BETWEEN :from AND :to""")
    long distinctRiders(LocalDateTime from, LocalDateTime to);

    /** Experiment in-list, before: with a subquery. */
    @Query(value = """
            SELECT vehicle_id, max(end_time) AS end_time FROM rides WHERE vehicle_id IN (
                SELECT vehicle_id FROM rides GROUP BY vehicle_id ORDER BY count(*) DESC LIMIT :vehicles)
            GROUP BY vehicle_id""", rowMapperClass = LatestRideRow.class)
    List<LatestRide> latestOfMostUsed(int vehicles);

    /** Experiment in-list, after: the first of two statements. */
    @Query("SELECT vehicle_id FROM rides GROUP BY vehicle_id ORDER BY count(*) DESC LIMIT :vehicles")
    List<UUID> mostUsedVehicles(int vehicles);

    /** Experiment in-list, after: the second of two statements. */
    @Query(value = """
            SELECT vehicle_id, max(end_time) AS end_time FROM rides WHERE vehicle_id IN (:vehicleIds)
            GROUP BY vehicle_id""", rowMapperClass = LatestRideRow.class)
    List<LatestRide> latestOf(List<UUID> vehicleIds);
}
