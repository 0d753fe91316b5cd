package io.movr.rides;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.UUID;
import org.springframework.jdbc.core.RowMapper;

/** Reads a row as a {@link Location}. */
final class LocationRow implements RowMapper<Location> {

    @Override
    public Location mapRow(ResultSet row, int number) throws SQLException {
        return new Location(
                new LocationId(
                        row.getString("city"),
                        row.getObject("ride_id", UUID.class),
                        row.getObject("timestamp", LocalDateTime.class)),
                row.getObject("lat", Double.class),
                row.getObject("long", Double.class));
    }
}
