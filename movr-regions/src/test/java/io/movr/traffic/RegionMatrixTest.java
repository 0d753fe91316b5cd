package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Gateway;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.report.TrafficResults.Cell;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Measures the matrix on one server that all regions share. */
class RegionMatrixTest {

    private static final RegionMap MAP = RegionMap.standard();

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedPostgres.temporary();
        new BulkLoader(server.engine(), server.gateway(), new LoadProgress())
                .load(Scale.TINY.spec(1), 1, IfFilled.KEEP);
        Schema.of(server, MAP).migrateTo(Stage.UNUSED_INDEX_DROPPED, progress -> {});
        execute("INSERT INTO users (city, id, name) VALUES ('" + city() + "', gen_random_uuid(), 'Matrix')");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String city() {
        return MAP.citiesOf(MAP.primary()).get(0);
    }

    private static Cluster regions() {
        Map<Region, Gateway> gateways = new LinkedHashMap<>();
        MAP.cities().keySet().forEach(region -> gateways.put(region, server.gateway()));
        return Cluster.at(gateways);
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = server.gateway().connect("test");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long users(String where) throws SQLException {
        try (Connection connection = server.gateway().connect("test");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM users WHERE " + where)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void onlyCreatedUsersAreDeletedAndUnknownDistancesGiveNoPrediction() throws Exception {
        long before = users("true");
        List<Cell> cells = new RegionMatrix(regions(), MAP, 3).measure(Stage.UNUSED_INDEX_DROPPED, progress -> {});
        assertThat(cells).hasSize(3 * 3 * 4).allSatisfy(cell -> {
            assertThat(cell.samples()).isEqualTo(3);
            assertThat(cell.medianMs().estimate()).isPositive();
            assertThat(cell.expectedMs()).isNull();
            assertThat(cell.agrees()).isNull();
        });
        assertThat(users("name = 'Matrix'")).as("that of somebody else").isEqualTo(1);
        assertThat(users("true")).isEqualTo(before);
    }

    @Test
    void createdUsersAreDeletedAfterAFailure() throws Exception {
        long before = users("true");
        // The sixth INSERT fails.
        execute("CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF (SELECT count(*) FROM users"
                + " WHERE name = 'Matrix') > 5 THEN RAISE 'no more users'; END IF; RETURN NEW; END $$");
        execute("CREATE TRIGGER refuse BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION refuse()");
        try {
            RegionMatrix matrix = new RegionMatrix(regions(), MAP, 3);
            assertThatThrownBy(() -> matrix.measure(Stage.UNUSED_INDEX_DROPPED, progress -> {}))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("no more users");
        } finally {
            execute("DROP TRIGGER refuse ON users");
            execute("DROP FUNCTION refuse()");
        }
        assertThat(users("true")).isEqualTo(before);
    }
}
