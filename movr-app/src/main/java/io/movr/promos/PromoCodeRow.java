package io.movr.promos;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import org.springframework.jdbc.core.RowMapper;

/** Reads a row as a {@link PromoCode}. */
final class PromoCodeRow implements RowMapper<PromoCode> {

    @Override
    public PromoCode mapRow(ResultSet row, int number) throws SQLException {
        return new PromoCode(
                row.getString("code"),
                row.getString("description"),
                row.getObject("creation_time", LocalDateTime.class),
                row.getObject("expiration_time", LocalDateTime.class),
                row.getString("rules"));
    }
}
