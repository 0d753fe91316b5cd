package io.movr.rides;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.UUID;
import org.springframework.jdbc.core.RowMapper;

/** Reads a row as a {@link Ride}. */
final class RideRow implements RowMapper<Ride> {

    @Override
    public Ride mapRow(ResultSet row, int number) throws SQLException {
        return new Ride(
                new RideId(row.getString("city"), row.getObject("id", UUID.class)),
                row.getString("vehicle_city"),
                row.getObject("rider_id", UUID.class),
                row.getObject("vehicle_id", UUID.class),
                row.getString("start_address"),
                row.getString("end_address"),
                row.getObject("start_time", LocalDateTime.class),
                row.getObject("end_time", LocalDateTime.class),
                row.getBigDecimal("revenue"));
    }
}
