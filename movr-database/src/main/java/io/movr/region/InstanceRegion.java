package io.movr.region;

/**
 * The region of an instance of the service, and with it which cities are local and which are remote.
 *
 * @param map the regions with their cities
 * @param here the region of this instance
 */
public record InstanceRegion(RegionMap map, Region here) {

    /** Whether a city has another home region; also true of a city that is in none. */
    public boolean isRemote(String city) {
        return !map.citiesOf(here).contains(city);
    }

    /** The city under which rows are kept that belong to none: it lies in the primary region. */
    public String cityOfTheRest() {
        return map.citiesOf(map.primary()).get(0);
    }
}
