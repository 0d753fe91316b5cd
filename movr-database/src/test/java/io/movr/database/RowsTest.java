package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.TestDatabase;
import io.movr.database.Rows.Untyped;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowsTest {

    @Test
    void aTextThatLooksLikeNullIsNotReadAsNull() throws SQLException {
        try (Connection connection = TestDatabase.fresh().gateway().connect()) {
            assertThat(Rows.query(connection, "SELECT NULL, '\\N', '\\\\N', 'N', '\\n', 'a\\N'", List.of()))
                    .containsExactly(List.of("\\N", "\\\\N", "\\\\\\N", "N", "\\n", "a\\N"));
        }
    }

    @Test
    void whatWasReadIsWrittenAsItWas() throws SQLException {
        try (Connection connection = TestDatabase.fresh().gateway().connect()) {
            Rows.execute(connection, "CREATE TABLE notes (id INT, note VARCHAR)");
            List<String> notes = List.of("\\N", "\\\\N", "\\\\\\N", "N", "\\x", "");
            for (int id = 0; id < notes.size(); id++) {
                Rows.run(connection, "INSERT INTO notes VALUES (?, ?)", List.of(id, new Untyped(notes.get(id))));
            }
            assertThat(Rows.one(connection, "SELECT count(*) FROM notes WHERE note IS NULL"))
                    .isEqualTo("1");
            assertThat(Rows.query(connection, "SELECT note FROM notes ORDER BY id", List.of()).stream()
                            .map(row -> row.get(0)))
                    .isEqualTo(notes);
        }
    }
}
