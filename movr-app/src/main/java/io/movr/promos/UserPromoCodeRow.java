package io.movr.promos;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.UUID;
import org.springframework.jdbc.core.RowMapper;

/** Reads a row as a {@link UserPromoCode}. */
final class UserPromoCodeRow implements RowMapper<UserPromoCode> {

    @Override
    public UserPromoCode mapRow(ResultSet row, int number) throws SQLException {
        return new UserPromoCode(
                new UserPromoCodeId(row.getString("city"), row.getObject("user_id", UUID.class), row.getString("code")),
                row.getObject("timestamp", LocalDateTime.class),
                row.getObject("usage_count", Long.class));
    }
}
