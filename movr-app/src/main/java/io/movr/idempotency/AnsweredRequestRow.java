package io.movr.idempotency;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import org.springframework.jdbc.core.RowMapper;

/** Reads a row as a {@link AnsweredRequest}. */
final class AnsweredRequestRow implements RowMapper<AnsweredRequest> {

    @Override
    public AnsweredRequest mapRow(ResultSet row, int number) throws SQLException {
        return new AnsweredRequest(
                new IdempotencyKey(row.getString("city"), row.getString("key")),
                row.getString("operation"),
                row.getString("request_hash"),
                row.getString("response"),
                row.getObject("creation_time", LocalDateTime.class));
    }
}
