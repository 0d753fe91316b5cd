package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Probe;
import org.junit.jupiter.api.Test;

/** The search for the highest rate, on services whose limit is known. */
class RateSearchTest {

    private static Probe probe(double rate, boolean kept) {
        return new Probe(rate, rate, kept ? 100 : 900, 0, kept, kept ? "" : "p99 was 900 ms", null);
    }

    private static Capacity upTo(double limit, double first) throws InterruptedException {
        return RateSearch.search("baseline", 0.99, 200, first, rate -> probe(rate, rate <= limit));
    }

    @Test
    void theLimitIsFoundFromBelowAndFromAbove() throws Exception {
        for (double first : new double[] {2, 30, 1_000}) {
            Capacity found = upTo(137, first);
            assertThat(found.highestKept()).isBetween(137 / RateSearch.CLOSE_ENOUGH, 137.0);
            assertThat(found.lowestBroken()).isBetween(137.0, 137 * RateSearch.CLOSE_ENOUGH);
            assertThat(found.reason()).contains("kept it twice", "p99 was 900 ms");
            assertThat(found.probes()).hasSizeLessThanOrEqualTo(RateSearch.MOST_PROBES);
        }
    }

    @Test
    void aServiceThatKeepsNothingIsSaid() throws Exception {
        Capacity found = upTo(0, 30);
        assertThat(found.highestKept()).isZero();
        assertThat(found.reason()).contains("not even 1.0 arrivals a second keep it");
    }

    @Test
    void aLoadGeneratorThatIsTheLimitEndsTheSearch() throws Exception {
        Capacity found = RateSearch.search(
                "baseline",
                0.99,
                200,
                30,
                rate -> rate > 100 ? new Probe(rate, 90, 300, 0, false, "late", "it was late") : probe(rate, true));
        assertThat(found.highestKept()).isEqualTo(60);
        assertThat(found.lowestBroken()).isNull();
        assertThat(found.reason()).contains("the load generator is the limit", "it was late");
    }

    @Test
    void oneLuckyProbeIsNotBelieved() throws Exception {
        boolean[] lucky = {true};
        Capacity found = RateSearch.search("baseline", 0.99, 200, 128, rate -> {
            boolean kept = rate <= 64 || (rate == 128 && lucky[0]);
            lucky[0] = lucky[0] && rate != 128;
            return probe(rate, kept);
        });
        assertThat(found.highestKept()).isBetween(64 / RateSearch.CLOSE_ENOUGH, 64.0);
    }
}
