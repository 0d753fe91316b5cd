package io.movr.rides;

import java.time.LocalDateTime;
import java.util.List;
import java.util.UUID;
import org.springframework.data.jdbc.repository.query.Modifying;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.repository.Repository;

/** The table {@code vehicle_location_histories}. */
interface Locations extends Repository<Location, LocationId> {

    @Query(value = """
            SELECT city, ride_id, "timestamp", lat, long FROM vehicle_location_histories
            WHERE city = :city AND ride_id = :rideId ORDER BY "timestamp" DESC LIMIT :limit""", rowMapperClass = LocationRow.class)
    List<Location> latest(String city, UUID rideId, int limit);

    @Modifying
    @Query("""
            INSERT INTO vehicle_location_histories (city, ride_id, "timestamp", lat, long)
            VALUES (:city, :rideId, :timestamp, :latitude, :longitude)""")
    void insert(String city, UUID rideId, LocalDateTime timestamp, double latitude, double longitude);
}
