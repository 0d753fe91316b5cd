package io.movr.vehicles;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.springframework.jdbc.core.RowMapper;

/** Reads a row as a {@link IdAndExtras}. */
final class IdAndExtrasRow implements RowMapper<IdAndExtras> {

    @Override
    public IdAndExtras mapRow(ResultSet row, int number) throws SQLException {
        return new IdAndExtras(row.getObject("id", UUID.class), row.getString("ext"));
    }
}
