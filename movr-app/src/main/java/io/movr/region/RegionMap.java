package io.movr.region;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The regions with the cities that lie in each: a city's rows are at home in its region.
 *
 * @param cities cities by region, in the order in which they are listed
 */
public record RegionMap(Map<Region, List<String>> cities) {

    public RegionMap {
        Map<Region, List<String>> copy = new LinkedHashMap<>();
        cities.forEach((region, names) -> copy.put(region, List.copyOf(names)));
        cities = copy;
    }

    /** The nine cities of {@code cockroach workload init movr} in its three regions. */
    public static RegionMap standard() {
        Map<Region, List<String>> cities = new LinkedHashMap<>();
        cities.put(new Region("us-east1"), List.of("new york", "boston", "washington dc"));
        cities.put(new Region("us-west1"), List.of("seattle", "san francisco", "los angeles"));
        cities.put(new Region("europe-west1"), List.of("amsterdam", "paris", "rome"));
        return new RegionMap(cities);
    }

    public List<String> allCities() {
        List<String> all = new ArrayList<>();
        cities.values().forEach(all::addAll);
        return all;
    }
}
