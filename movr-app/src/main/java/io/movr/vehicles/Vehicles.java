package io.movr.vehicles;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.jdbc.repository.query.Modifying;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.repository.Repository;

/** The table {@code vehicles}: the queries of the service, and the calls that the experiments compare. */
public interface Vehicles extends Repository<Vehicle, VehicleId> {

    @Query(value = """
            SELECT city, id, type, owner_id, creation_time, status, current_location, CAST(ext AS VARCHAR) AS ext
            FROM vehicles WHERE city = :city AND id = :id""", rowMapperClass = VehicleRow.class)
    Optional<Vehicle> find(String city, UUID id);

    @Query(value = """
            SELECT city, id, type, owner_id, creation_time, status, current_location, CAST(ext AS VARCHAR) AS ext
            FROM vehicles WHERE city = :city AND id = :id FOR UPDATE""", rowMapperClass = VehicleRow.class)
    Optional<Vehicle> findForUpdate(String city, UUID id);

    /** MovR's front page and the following pages, in the order of the primary key, so that no sort is needed. */
    @Query(value = """
            SELECT city, id, type, owner_id, creation_time, status, current_location, CAST(ext AS VARCHAR) AS ext
            FROM vehicles WHERE city = :city AND id > :after AND (:everyStatus OR status = :status)
                AND (:everyType OR type = :type)
            ORDER BY id LIMIT :limit""", rowMapperClass = VehicleRow.class)
    List<Vehicle> page(
            String city, boolean everyType, String type, boolean everyStatus, String status, UUID after, int limit);

    /** Experiments geo-read-*: the vehicles of a city that are being ridden. */
    @Query(value = """
            SELECT id, CAST(ext AS VARCHAR) AS ext FROM vehicles
            WHERE city = :city AND type = :type AND status = 'in_use'""", rowMapperClass = IdAndExtrasRow.class)
    List<IdAndExtras> inUse(String city, String type);

    /** Inserts a vehicle, and returns {@code ext} as the database writes it. */
    @Query("""
            INSERT INTO vehicles (id, city, type, owner_id, creation_time, status, current_location, ext)
            VALUES (:id, :city, :type, :ownerId, :creationTime, 'available', :currentLocation, CAST(:ext AS JSONB))
            RETURNING CAST(ext AS VARCHAR)""")
    String insert(
            UUID id,
            String city,
            String type,
            UUID ownerId,
            LocalDateTime creationTime,
            String currentLocation,
            String ext);

    @Modifying
    @Query("""
            UPDATE vehicles SET status = :status, current_location = :currentLocation
            WHERE city = :city AND id = :id""")
    int change(String city, UUID id, @Nullable String status, @Nullable String currentLocation);

    /** Takes a vehicle if it is available, and returns its location. */
    @Query("""
            UPDATE vehicles SET status = 'in_use' WHERE city = :city AND id = :id AND status = 'available'
            RETURNING coalesce(current_location, '')""")
    Optional<String> take(String city, UUID id);

    @Modifying
    @Query("""
            UPDATE vehicles SET status = 'available', current_location = :location
            WHERE city = :city AND id = :id AND status = 'in_use'""")
    int giveBack(String city, UUID id, String location);
}
