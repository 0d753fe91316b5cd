package io.movr.region;

import io.movr.UserError;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The regions and the cities in each. The region of a city is the home region of its rows. The first region is the primary one,
 * the home region of rows that belong to no city.
 *
 * @param cities cities by region, in the order in which they are listed; each city in one region
 * @param nodes how many nodes of CockroachDB each region has, at least 1; with fewer than {@value #SAFE_NODES} a region
 *     cannot keep its rows when it loses a node
 */
public record RegionMap(Map<Region, List<String>> cities, int nodes) {

    /** Nodes that a region needs to lose one of them and keep its rows. */
    public static final int SAFE_NODES = 3;

    public RegionMap {
        if (nodes < 1) {
            throw new IllegalArgumentException("A region has at least one node, not " + nodes);
        }
        Map<Region, List<String>> copy = new LinkedHashMap<>();
        Map<String, Region> homes = new HashMap<>();
        cities.forEach((region, names) -> {
            if (names.isEmpty()) {
                throw new IllegalArgumentException("The region " + region + " has no city: list at least one");
            }
            for (String city : names) {
                Region other = homes.put(city, region);
                if (other != null) {
                    throw new IllegalArgumentException("The city '" + city + "' is listed in " + other + " and in "
                            + region + ": a city lies in one region, once");
                }
            }
            copy.put(region, List.copyOf(names));
        });
        if (copy.isEmpty()) {
            throw new IllegalArgumentException("The region map is empty: list at least one region, with its cities");
        }
        cities = Collections.unmodifiableMap(copy);
    }

    /** With three nodes in each region. */
    public RegionMap(Map<Region, List<String>> cities) {
        this(cities, SAFE_NODES);
    }

    /** Returns whether a region can lose a node of CockroachDB and keep its rows. */
    public boolean survivesLossOfNode() {
        return nodes >= SAFE_NODES;
    }

    /**
     * Returns one of the regions.
     *
     * @throws UserError when there is none of that name
     */
    public Region named(String name) {
        return cities.keySet().stream()
                .filter(region -> region.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no region '" + name + "': choose one of "
                        + cities.keySet().stream().map(Region::name).collect(Collectors.joining(", "))));
    }

    /** Returns the same regions and cities, on another number of nodes each. */
    public RegionMap withNodes(int other) {
        return new RegionMap(cities, other);
    }

    /** Returns the nine cities of {@code cockroach workload init movr} in its three regions. */
    public static RegionMap standard() {
        Map<Region, List<String>> cities = new LinkedHashMap<>();
        cities.put(new Region("us-east1"), List.of("new york", "boston", "washington dc"));
        cities.put(new Region("us-west1"), List.of("seattle", "san francisco", "los angeles"));
        cities.put(new Region("europe-west1"), List.of("amsterdam", "paris", "rome"));
        return new RegionMap(cities);
    }

    /**
     * Returns the regions of the tuning tutorial, where us-west2 has the cities of California. The first is us-west1,
     * because the published samples of a read from us-east1 show its rows in the west before they were placed.
     */
    public static RegionMap tutorial() {
        Map<Region, List<String>> cities = new LinkedHashMap<>();
        cities.put(new Region("us-west1"), List.of("seattle"));
        cities.put(new Region("us-west2"), List.of("san francisco", "los angeles"));
        cities.put(new Region("us-east1"), List.of("new york", "boston", "washington dc"));
        return new RegionMap(cities);
    }

    public List<String> allCities() {
        List<String> all = new ArrayList<>();
        cities.values().forEach(all::addAll);
        return all;
    }

    /** Returns the region of a city; empty if the city is unknown. */
    public Optional<Region> regionOf(String city) {
        return cities.entrySet().stream()
                .filter(entry -> entry.getValue().contains(city))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    public Region primary() {
        return cities.keySet().iterator().next();
    }

    public List<String> citiesOf(Region region) {
        return cities.getOrDefault(region, List.of());
    }
}
