package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Probe;
import io.movr.traffic.TrafficPlan.Objective;
import org.junit.jupiter.api.Test;

/** Searches for the highest rate of simulated services with a known limit. */
class RateSearchTest {

    private static final Objective OBJECTIVE = new Objective(0.99, 200);
    private static final double LEAST = 2;

    private static Probe probe(double rate, boolean kept) {
        return new Probe(
                rate,
                rate,
                kept ? 100.0 : 900.0,
                kept ? 1 : 0.5,
                0,
                kept,
                kept ? "" : "50% were answered in time",
                null);
    }

    private static Capacity search(double first, RateSearch.Prober prober) throws InterruptedException {
        return RateSearch.search("baseline", OBJECTIVE, first, LEAST, prober);
    }

    private static Capacity upTo(double limit, double first) throws InterruptedException {
        return search(first, rate -> probe(rate, rate <= limit));
    }

    @Test
    void theLimitIsFoundFromBelowAndFromAbove() throws Exception {
        for (double first : new double[] {2, 30, 1_000}) {
            Capacity found = upTo(137, first);
            assertThat(found.highestKept()).isBetween(137 / RateSearch.MAX_RATIO, 137.0);
            assertThat(found.lowestBroken()).isBetween(137.0, 137 * RateSearch.MAX_RATIO);
            assertThat(found.reason()).contains("kept it twice", "broke it: 50% were answered in time");
            assertThat(found.probes()).hasSizeLessThan(RateSearch.MAX_PROBES);
        }
    }

    @Test
    void aServiceThatMeetsNoRateIsReportedAfterTwoProbes() throws Exception {
        Capacity found = upTo(0, 30);
        assertThat(found.highestKept()).isNull();
        assertThat(found.lowestBroken()).isEqualTo(LEAST);
        assertThat(found.reason()).contains("2.0 arrivals a second break it");
        assertThat(found.probes()).hasSize(2);
    }

    @Test
    void aLoadGeneratorThatIsTheLimitEndsTheSearch() throws Exception {
        Capacity found = search(
                30,
                rate -> rate > 100
                        ? new Probe(rate, 90, 300.0, 0.9, 0, false, "late", "it was late")
                        : probe(rate, true));
        assertThat(found.highestKept()).isEqualTo(60);
        assertThat(found.lowestBroken()).isNull();
        assertThat(found.reason()).contains("the load generator is the limit", "it was late");
        assertThat(found.probes()).extracting(Probe::rate).containsExactly(30.0, 60.0, 120.0, 120.0);
    }

    @Test
    void aRateAtWhichTheLoadGeneratorWasLateIsRepeated() throws Exception {
        boolean[] heldUp = {false};
        Capacity found = search(30, rate -> {
            if (rate > 100 && !heldUp[0]) {
                heldUp[0] = true;
                return new Probe(rate, 90, 300.0, 0.9, 0, false, "late", "it was late");
            }
            return probe(rate, rate <= 137);
        });
        assertThat(found.highestKept()).isBetween(137 / RateSearch.MAX_RATIO, 137.0);
        assertThat(found.reason()).contains("kept it twice");
    }

    @Test
    void aProbeThatMeetsTheObjectiveByChanceIsRepeated() throws Exception {
        boolean[] lucky = {true};
        Capacity found = search(128, rate -> {
            boolean kept = rate <= 64 || (rate == 128 && lucky[0]);
            lucky[0] = lucky[0] && rate != 128;
            return probe(rate, kept);
        });
        assertThat(found.highestKept()).isBetween(64 / RateSearch.MAX_RATIO, 64.0);
        assertThat(found.lowestBroken()).isBetween(64.0, 64 * RateSearch.MAX_RATIO);
    }

    @Test
    void aServiceThatMeetsTheObjectiveByChanceEndsTheSearch() throws Exception {
        int[] probes = {0};
        Capacity found = search(30, rate -> probe(rate, ++probes[0] % 2 == 0));
        assertThat(found.probes()).hasSizeLessThanOrEqualTo(RateSearch.MAX_PROBES);
        assertThat(found.reason()).isNotEmpty();
    }

    @Test
    void aServiceWithoutALimitEndsTheSearchToo() throws Exception {
        Capacity found = upTo(Double.MAX_VALUE, 30);
        assertThat(found.probes()).hasSize(RateSearch.MAX_PROBES);
        assertThat(found.reason()).contains("no end after 16 probes");
    }
}
