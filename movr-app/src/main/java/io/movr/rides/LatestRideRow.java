package io.movr.rides;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.UUID;
import org.springframework.jdbc.core.RowMapper;

/** Reads a row as a {@link LatestRide}. */
final class LatestRideRow implements RowMapper<LatestRide> {

    @Override
    public LatestRide mapRow(ResultSet row, int number) throws SQLException {
        return new LatestRide(row.getObject("vehicle_id", UUID.class), row.getObject("end_time", LocalDateTime.class));
    }
}
