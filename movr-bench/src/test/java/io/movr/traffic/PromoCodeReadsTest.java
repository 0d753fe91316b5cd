package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Gateway;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.report.TrafficResults.PromoReads;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Promo codes on one server that all regions share. */
class PromoCodeReadsTest {

    private static final RegionMap MAP = RegionMap.standard();

    @Test
    void everyRegionReadsWhatTheApplicationReadsAndNothingIsLeft() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary()) {
            Schema.of(server, MAP).migrateTo(Stage.BASELINE, progress -> {});
            Map<Region, Gateway> gateways = new LinkedHashMap<>();
            MAP.cities().keySet().forEach(region -> gateways.put(region, server.gateway()));
            List<String> said = new ArrayList<>();
            List<PromoReads> all = new PromoCodeReads(Cluster.at(gateways), MAP, Duration.ofSeconds(1), said::add)
                    .measure(Stage.BASELINE);
            assertThat(all).singleElement().satisfies(mode -> {
                assertThat(mode.mode()).isEqualTo("primary");
                assertThat(mode.exact()).isTrue();
                assertThat(mode.isWrong()).isFalse();
                assertThat(mode.writes()).isPositive();
                assertThat(mode.regions()).hasSize(3).allSatisfy(region -> {
                    assertThat(region.reads()).isPositive();
                    assertThat(region.stale()).isZero();
                });
            });
            assertThat(said).containsExactly("Promo codes read in every region at baseline: primary");
            try (Connection connection = server.gateway().connect("test");
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("SELECT count(*) FROM promo_codes")) {
                assertThat(row.next()).isTrue();
                assertThat(row.getLong(1)).isZero();
            }
        }
    }
}
