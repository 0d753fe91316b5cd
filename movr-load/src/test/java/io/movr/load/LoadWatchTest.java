package io.movr.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoadWatchTest {

    @Test
    void aGeneratorThatKeepsUpIsNoBottleneck() {
        assertThat(LoadWatch.bottlenecks(0.9, 4, 12, 40, 0.2)).isEmpty();
        // The grain of the timers is more than a tenth of a fast service's median, and says nothing.
        assertThat(LoadWatch.bottlenecks(1.2, 4, 3, 9, 0.2)).isEmpty();
    }

    @Test
    void ridersWhoBeginLateMakeItOne() {
        assertThat(LoadWatch.bottlenecks(1, 60, 12, 500, 0.2))
                .singleElement()
                .asString()
                .contains("60.0 ms late");
        assertThat(LoadWatch.bottlenecks(1, 15, 12, 25, 0.2))
                .singleElement()
                .asString()
                .contains("p99 latency");
        assertThat(LoadWatch.bottlenecks(4, 9, 12, 40, 0.2))
                .singleElement()
                .asString()
                .contains("every other rider");
    }

    @Test
    void aBusyProcessMakesItOne() {
        assertThat(LoadWatch.bottlenecks(1, 4, 12, 40, 0.8))
                .singleElement()
                .asString()
                .contains("80% of all");
    }
}
