package io.movr.testing;

import static io.movr.testing.MovrAssertions.assertThatPlan;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.database.LocalCockroach;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("full")
class OnCockroachTest extends OnEngine {

    private static LocalCockroach server;

    @BeforeAll
    static void start() throws SQLException {
        assumeTrue(LocalCockroach.onPath().isPresent(), "There is no program 'cockroach' on the path");
        server = LocalCockroach.ofOneNode(null);
        gateway = server.gateway();
        createTables();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    String drawnScan() {
        return "table: orders@orders_pkey";
    }

    @Test
    void anIndexThatTheServerRecommendsIsNamed() throws SQLException {
        assertThatPlan(connection, BY_CUSTOMER, 7).recommendsNoIndex();
        PlanAssert plan = assertThatPlan(connection, BY_NOTE, "note 7");
        assertThatThrownBy(plan::recommendsNoIndex)
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("Expected: no recommended index", "Found: CREATE INDEX");
    }
}
