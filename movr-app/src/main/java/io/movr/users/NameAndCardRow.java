package io.movr.users;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.springframework.jdbc.core.RowMapper;

/** Reads a row as a {@link NameAndCard}. */
final class NameAndCardRow implements RowMapper<NameAndCard> {

    @Override
    public NameAndCard mapRow(ResultSet row, int number) throws SQLException {
        return new NameAndCard(row.getString("name"), row.getString("credit_card"));
    }
}
