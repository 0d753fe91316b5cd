package io.movr.staleness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Gateway;
import io.movr.database.LocalCockroach;
import io.movr.database.Rows;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.report.TrafficResults.PromoReads;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Promo codes on one server that all regions share. */
class PromoCodeReadsTest {

    private static final RegionMap MAP = RegionMap.standard();

    private final List<String> said = new ArrayList<>();

    private List<PromoReads> measureOn(Cluster server) throws Exception {
        new Schema(server.engine(), server.gateway(), MAP).migrateTo(Stage.BASELINE);
        Map<Region, Gateway> gateways = new LinkedHashMap<>();
        MAP.cities().keySet().forEach(region -> gateways.put(region, server.gateway()));
        List<PromoReads> all =
                new PromoCodeReads(server.engine(), gateways, Duration.ofSeconds(1), said::add).measure(Stage.BASELINE);
        try (Connection connection = server.gateway().connect()) {
            assertThat(Rows.one(connection, "SELECT count(*) FROM promo_codes")).isEqualTo("0");
        }
        assertThat(all).allSatisfy(mode -> {
            assertThat(mode.writes()).isPositive();
            assertThat(mode.isWrong()).isFalse();
            assertThat(mode.regions())
                    .hasSize(3)
                    .allSatisfy(region -> assertThat(region.reads()).isPositive());
        });
        return all;
    }

    @Test
    void everyRegionReadsWhatTheApplicationReadsAndNothingIsLeft() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary()) {
            assertThat(measureOn(server))
                    .extracting(PromoReads::mode, PromoReads::exact)
                    .containsExactly(tuple("primary", true));
            assertThat(said).containsExactly("Promo codes read in every region at baseline: primary");
        }
    }

    @Tag("full")
    @Test
    void followerReadsAreOldAndWhatTheLeaseholderAnswersIsNot() throws Exception {
        assumeTrue(LocalCockroach.onPath().isPresent(), "There is no program 'cockroach' on the path");
        try (LocalCockroach server = LocalCockroach.ofOneNode(null)) {
            List<PromoReads> all = measureOn(server);
            assertThat(all)
                    .extracting(PromoReads::mode, PromoReads::exact)
                    .containsExactly(
                            tuple("leaseholder", true),
                            tuple("follower-read", false),
                            tuple("bounded-staleness", false));
            assertThat(all.get(1).regions()).allSatisfy(region -> {
                assertThat(region.stale()).isPositive();
                assertThat(region.ageMaxMs()).isPositive();
            });
        }
    }
}
