package io.movr.vehicles;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.UUID;
import org.springframework.jdbc.core.RowMapper;

/** Reads a row as a {@link Vehicle}. */
final class VehicleRow implements RowMapper<Vehicle> {

    @Override
    public Vehicle mapRow(ResultSet row, int number) throws SQLException {
        return new Vehicle(
                new VehicleId(row.getString("city"), row.getObject("id", UUID.class)),
                row.getString("type"),
                row.getObject("owner_id", UUID.class),
                row.getObject("creation_time", LocalDateTime.class),
                row.getString("status"),
                row.getString("current_location"),
                row.getString("ext"));
    }
}
