package io.movr.rides;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.springframework.jdbc.core.RowMapper;

/** Reads a row as a {@link VehicleAndRider}. */
final class VehicleAndRiderRow implements RowMapper<VehicleAndRider> {

    @Override
    public VehicleAndRider mapRow(ResultSet row, int number) throws SQLException {
        return new VehicleAndRider(row.getObject("vehicle_id", UUID.class), row.getObject("rider_id", UUID.class));
    }
}
