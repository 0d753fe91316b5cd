package io.movr.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

    private static final Region EUROPE = new Region("europe-west1");

    private static List<Arrival> arrivals(RegionMap regions, double remoteShare) {
        SplittableRandom random = new SplittableRandom(3);
        ArrivalSchedule schedule =
                ArrivalSchedule.draw(Profile.STEADY, 100, Duration.ZERO, Duration.ofSeconds(200), random);
        List<Arrival> all = new ArrayList<>();
        new Arrivals(EUROPE, regions, Mix.MOVR, remoteShare, schedule, random).forEachRemaining(all::add);
        assertThat(all).hasSize(schedule.count());
        return all;
    }

    @Test
    void theRemoteShareAsksAboutCitiesOfOtherRegions() {
        List<Arrival> all = arrivals(RegionMap.standard(), 0.25);
        assertThat((double) all.stream().filter(Arrival::remote).count() / all.size())
                .isCloseTo(0.25, within(0.02));
        assertThat(all).allMatch(arrival -> arrival.region().equals(EUROPE));
        assertThat(all)
                .allMatch(arrival -> arrival.remote()
                        != RegionMap.standard().citiesOf(EUROPE).contains(arrival.city()));
        assertThat(all.stream().map(Arrival::city).distinct()).hasSize(9);
    }

    @Test
    void nobodyIsRemoteWhereThereIsOneRegion() {
        assertThat(arrivals(new RegionMap(Map.of(EUROPE, List.of("paris"))), 0.5))
                .noneMatch(Arrival::remote);
    }

    @Test
    void theSameSeedGivesTheSameRiders() {
        assertThat(arrivals(RegionMap.standard(), 0.05)).isEqualTo(arrivals(RegionMap.standard(), 0.05));
    }
}
