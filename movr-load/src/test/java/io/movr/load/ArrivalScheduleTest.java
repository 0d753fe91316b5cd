package io.movr.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArrivalScheduleTest {

    private static final Duration WARMUP = Duration.ofSeconds(10);
    private static final Duration DURATION = Duration.ofSeconds(200);

    private static ArrivalSchedule draw(Profile profile, long seed) {
        return ArrivalSchedule.draw(profile, 50, WARMUP, DURATION, new SplittableRandom(seed));
    }

    private static long between(ArrivalSchedule schedule, long fromSecond, long toSecond) {
        long count = 0;
        for (int arrival = 0; arrival < schedule.count(); arrival++) {
            long second = schedule.offsetMillis(arrival) / 1_000;
            count += second >= fromSecond && second < toSecond ? 1 : 0;
        }
        return count;
    }

    @ParameterizedTest
    @EnumSource
    void arrivalsAscendAndLieInTheRun(Profile profile) {
        ArrivalSchedule schedule = draw(profile, 1);
        for (int arrival = 1; arrival < schedule.count(); arrival++) {
            assertThat(schedule.offsetMillis(arrival)).isGreaterThanOrEqualTo(schedule.offsetMillis(arrival - 1));
        }
        assertThat(schedule.offsetMillis(schedule.count() - 1)).isLessThan(210_000);
        assertThat(schedule.isWarmup(9_999)).isTrue();
        assertThat(schedule.isWarmup(10_000)).isFalse();
    }

    @Test
    void aSteadyRateIsTheSameThroughout() {
        ArrivalSchedule schedule = draw(Profile.STEADY, 1);
        assertThat((double) schedule.count()).isCloseTo(210 * 50, within(500.0));
        assertThat((double) between(schedule, 10, 110)).isCloseTo((double) between(schedule, 110, 210), within(500.0));
    }

    @Test
    void aRampBeginsAtATenthAndEndsAtTheRate() {
        ArrivalSchedule schedule = draw(Profile.RAMP, 1);
        assertThat((double) between(schedule, 10, 20)).isCloseTo(50 + 50 * 0.225, within(40.0));
        assertThat((double) between(schedule, 200, 210)).isCloseTo(490, within(90.0));
    }

    @Test
    void aBurstIsThreeTimesTheRateForTwoOfTenSeconds() {
        ArrivalSchedule schedule = draw(Profile.BURST, 1);
        long inBursts = 0;
        for (long second = 10; second < 210; second += 10) {
            inBursts += between(schedule, second + 8, second + 10);
        }
        assertThat((double) inBursts).isCloseTo(20 * 2 * 150, within(350.0));
        assertThat((double) between(schedule, 10, 210) - inBursts).isCloseTo(160 * 50, within(400.0));
    }

    @Test
    void gapsAreThoseOfIndependentRiders() {
        ArrivalSchedule schedule = draw(Profile.STEADY, 1);
        long longGaps = 0;
        for (int arrival = 1; arrival < schedule.count(); arrival++) {
            longGaps += schedule.offsetMillis(arrival) - schedule.offsetMillis(arrival - 1) > 20 ? 1 : 0;
        }
        // Of exponential gaps a share of 1/e is longer than the mean.
        assertThat((double) longGaps / schedule.count()).isCloseTo(Math.exp(-1), within(0.03));
    }

    @Test
    void theSameSeedGivesTheSameMoments() {
        ArrivalSchedule one = draw(Profile.BURST, 7);
        ArrivalSchedule other = draw(Profile.BURST, 7);
        assertThat(one.count()).isEqualTo(other.count());
        assertThat(one.offsetMillis(100)).isEqualTo(other.offsetMillis(100));
        assertThat(one.offsetMillis(100)).isNotEqualTo(draw(Profile.BURST, 8).offsetMillis(100));
    }

    @Test
    void stepsCountEveryArrivalOnce() {
        ArrivalSchedule schedule = draw(Profile.RAMP, 1);
        int[] counts = schedule.countsBySteps(Duration.ofSeconds(4));
        assertThat(counts).hasSize(53);
        assertThat(Arrays.stream(counts).sum()).isEqualTo(schedule.count());
        assertThat((long) counts[5]).isEqualTo(between(schedule, 20, 24));
    }
}
