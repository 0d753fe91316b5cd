package io.movr.region;

/**
 * The region of an instance of the service. It decides which cities are local and which are remote.
 *
 * @param map the regions with their cities
 * @param here the region of this instance
 */
public record InstanceRegion(RegionMap map, Region here) {

    /** Returns whether a city has another home region; true also for an unknown city. */
    public boolean isRemote(String city) {
        return !map.citiesOf(here).contains(city);
    }

    /** Returns the city of rows that belong to no city. It is in the primary region. */
    public String primaryCity() {
        return map.citiesOf(map.primary()).get(0);
    }
}
