package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.region.Region;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class OtherDatabaseTest {

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.temporary();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void everyGatewayLeadsToItAndTheServersStayWhenItIsClosed() throws SQLException {
        Map<Region, Gateway> gateways = new LinkedHashMap<>();
        gateways.put(new Region("east"), server.gateway());
        gateways.put(new Region("west"), server.gateway());
        Cluster cluster = Cluster.at(gateways);
        try (Cluster made = OtherDatabase.create(cluster, "movr_after")) {
            execute(made.gateway(), "CREATE TABLE memo AS SELECT 42 AS number");
        }
        try (Cluster found = OtherDatabase.of(cluster, "movr_after")) {
            assertThat(found.gateways().keySet()).containsExactly(new Region("east"), new Region("west"));
            for (Gateway gateway : found.gateways().values()) {
                try (Connection connection = gateway.connect()) {
                    assertThat(Rows.query(connection, "SELECT number FROM memo", List.of()))
                            .containsExactly(List.of("42"));
                }
            }
        }
        execute(server.gateway(), "DROP DATABASE movr_after");
    }

    private static void execute(Gateway gateway, String sql) throws SQLException {
        try (Connection connection = gateway.connect()) {
            Rows.execute(connection, sql);
        }
    }

    /** What a cluster learns to do later, its other database must not forget: a default of the interface would do nothing. */
    @Test
    void whateverAClusterDoesIsDoneByItsServers() {
        assertThat(Arrays.stream(OtherDatabase.class.getDeclaredMethods()).map(Method::getName))
                .containsAll(Arrays.stream(Cluster.class.getDeclaredMethods())
                        .filter(method -> !Modifier.isStatic(method.getModifiers()))
                        .map(Method::getName)
                        .filter(name -> !name.equals("servers"))
                        .toList());
    }

    @Test
    void oneThatIsMissingIsRefused() {
        assertThatThrownBy(() -> OtherDatabase.of(server, "nowhere"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("database \"nowhere\" does not exist");
    }
}
