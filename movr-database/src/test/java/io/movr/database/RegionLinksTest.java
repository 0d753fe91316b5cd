package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.region.Distances;
import io.movr.region.Region;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RegionLinksTest {

    private static final Region EAST = new Region("us-east1");
    private static final Region WEST = new Region("us-west1");
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Test
    void aRoundTripBetweenRegionsIsMeasuredOnTheirLinkAndACutOneDoesNotAnswer() {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary();
                Links links = new Links()) {
            RegionLinks between = new RegionLinks(Distances.standard());
            between.add(EAST, WEST, links.open(0, "127.0.0.1", server.gateway().port(), Duration.ZERO));
            assertThat(between.pairs()).containsExactly(Set.of(EAST, WEST));
            Duration usual = between.measure(EAST, WEST, LIMIT).orElseThrow();
            // One round trip of 66 ms, not the two that a new connection takes.
            assertThat(usual).isGreaterThanOrEqualTo(Duration.ofMillis(66));
            between.roundTrip(EAST, WEST, Duration.ofMillis(300));
            assertThat(between.measure(EAST, WEST, LIMIT).orElseThrow()).isGreaterThanOrEqualTo(Duration.ofMillis(300));
            between.cut(EAST, WEST);
            assertThat(between.measure(EAST, WEST, Duration.ofMillis(500))).isEmpty();
            between.mend(EAST, WEST);
            assertThat(between.measure(EAST, WEST, LIMIT)).isPresent();
        }
    }
}
