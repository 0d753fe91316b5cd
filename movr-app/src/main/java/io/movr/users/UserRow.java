package io.movr.users;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.springframework.jdbc.core.RowMapper;

/** Reads a row as a {@link User}. */
final class UserRow implements RowMapper<User> {

    @Override
    public User mapRow(ResultSet row, int number) throws SQLException {
        return new User(
                new UserId(row.getString("city"), row.getObject("id", UUID.class)),
                row.getString("name"),
                row.getString("address"),
                row.getString("credit_card"));
    }
}
