package io.movr.testing;

import static io.movr.testing.MovrAssertions.assertThatPlan;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.database.EmbeddedPostgres;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class OnPostgresTest extends OnEngine {

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws SQLException {
        server = EmbeddedPostgres.temporary();
        gateway = server.gateway();
        createTables();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    String drawnScan() {
        return "\"Node Type\": \"Seq Scan\"";
    }

    @Test
    void postgresRecommendsNoIndexForAnythingSoNothingIsAssertedOfThat() throws SQLException {
        PlanAssert plan = assertThatPlan(connection, BY_NOTE, "note 7");
        assertThatThrownBy(plan::recommendsNoIndex)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("PostgreSQL recommends no indexes");
    }
}
