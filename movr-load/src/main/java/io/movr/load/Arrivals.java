package io.movr.load;

import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;

/** The arrivals of a region, in the order in which they are due. The same seed gives the same riders. */
final class Arrivals implements Iterator<Arrival> {

    private final Region region;
    private final List<String> homeCities;
    private final List<String> otherCities;
    private final Mix mix;
    private final double remoteShare;
    private final ArrivalSchedule schedule;
    private final SplittableRandom random;
    private int next;

    /**
     * Creates the arrivals of one region.
     *
     * @param remoteShare the share of riders who ask about a city of another region, 0 to 1; none does where there is
     *     no other region
     */
    Arrivals(
            Region region,
            RegionMap regions,
            Mix mix,
            double remoteShare,
            ArrivalSchedule schedule,
            SplittableRandom random) {
        this.region = region;
        this.homeCities = regions.citiesOf(region);
        this.otherCities = regions.allCities().stream()
                .filter(city -> !homeCities.contains(city))
                .toList();
        this.mix = mix;
        this.remoteShare = remoteShare;
        this.schedule = schedule;
        this.random = random;
    }

    @Override
    public boolean hasNext() {
        return next < schedule.count();
    }

    @Override
    public Arrival next() {
        if (!hasNext()) {
            throw new NoSuchElementException("All " + schedule.count() + " riders of " + region + " have arrived");
        }
        return arriving(schedule.offsetMillis(next++));
    }

    /** Returns one more rider, who arrives at that moment whatever the schedule says. */
    synchronized Arrival arriving(long offset) {
        boolean remote = random.nextDouble() < remoteShare && !otherCities.isEmpty();
        List<String> cities = remote ? otherCities : homeCities;
        String city = cities.get(random.nextInt(cities.size()));
        return new Arrival(
                region, city, remote, mix.draw(random), offset, schedule.isWarmup(offset), random.nextLong());
    }
}
