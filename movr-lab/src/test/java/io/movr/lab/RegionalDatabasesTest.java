package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.dataset.Answers;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.environment.Program;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.report.LabResults.Check;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RegionalDatabasesTest {

    private static final Region EAST = new Region("us-east1");
    private static final Region WEST = new Region("us-west1");

    @Test
    void roundTripsAreHeldAgainstTheConfiguredOnes() {
        Check right = RegionalDatabases.roundTrips(Map.of(List.of(EAST, WEST), 68.2), Distances.standard());
        assertThat(right.status()).isEqualTo("ok");
        assertThat(right.detail()).isEqualTo("us-east1 to us-west1 68.2 ms (configured: 66)");
        Map<Double, String> others = Map.of(0.4, "problem", 54.0, "warning", 80.0, "warning", 330.0, "problem");
        others.forEach((milliseconds, status) -> {
            Check off = RegionalDatabases.roundTrips(Map.of(List.of(WEST, EAST), milliseconds), Distances.standard());
            assertThat(off.status()).as("%s ms", milliseconds).isEqualTo(status);
            assertThat(off.remedy()).isNotEmpty();
        });
    }

    @Test
    void aServerThatStopsIsClosedAndReported() {
        EmbeddedPostgres server = EmbeddedPostgres.temporary();
        AtomicInteger closed = new AtomicInteger();
        Cluster cluster = new Cluster() {
            @Override
            public Engine engine() {
                return server.engine();
            }

            @Override
            public String version() {
                return server.version();
            }

            @Override
            public Gateway gateway() {
                return server.gateway();
            }

            @Override
            public Map<Region, Gateway> gateways() {
                return Map.of(EAST, server.gateway());
            }

            @Override
            public boolean embedded() {
                return true;
            }

            @Override
            public void close() {
                closed.incrementAndGet();
                server.close();
            }
        };
        Regions regions = new Regions(new RegionMap(Map.of(EAST, List.of("new york"))), () -> cluster);
        assertThatThrownBy(() -> new RegionalDatabases(regions, request(), geoRead(), new LoadProgress(), step -> {
                    if (step.startsWith("Loading")) {
                        server.close();
                    }
                }))
                .isInstanceOf(UserError.class)
                .hasMessageNotContaining("drop the databases");
        assertThat(closed).hasValue(1);
    }

    private static List<Experiment> geoRead() {
        return BuiltInExperiments.of(List.of("geo-read-new-york"), new Answers(Scale.TINY.spec(1)));
    }

    private static LabRequest request() {
        return new LabRequest(
                List.of("geo-read-new-york"),
                "tiny",
                Scale.TINY.spec(1),
                1,
                30,
                Path.of("results"),
                false,
                false,
                null,
                new Program("test", "test"),
                List.of());
    }

    @Test
    void roundTripsOfOtherLinksAreOnlyReported() {
        Check told = RegionalDatabases.roundTrips(Map.of(List.of(EAST, WEST), 12.34), null);
        assertThat(told.status()).isEqualTo("ok");
        assertThat(told.detail()).isEqualTo("us-east1 to us-west1 12.3 ms; no round trips are configured");
    }
}
