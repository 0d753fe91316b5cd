package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.report.LabResults.Check;
import java.util.List;
import java.util.Map;
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
    void roundTripsOfOtherLinksAreOnlyTold() {
        Check told = RegionalDatabases.roundTrips(Map.of(List.of(EAST, WEST), 12.34), null);
        assertThat(told.status()).isEqualTo("ok");
        assertThat(told.detail()).isEqualTo("us-east1 to us-west1 12.3 ms; nobody has said what they should be");
    }
}
