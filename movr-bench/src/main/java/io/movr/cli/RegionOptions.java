package io.movr.cli;

import io.movr.Refusal;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** Which cities lie in which region. */
final class RegionOptions {

    @Option(
            names = "--home",
            paramLabel = "REGION=CITY,…",
            description = "The cities of a region, once a region, the primary one first (default: MovR's nine cities in"
                    + " us-east1, us-west1 and europe-west1).")
    private Map<String, String> homes = new LinkedHashMap<>();

    RegionMap map() {
        if (homes.isEmpty()) {
            return RegionMap.standard();
        }
        Map<Region, List<String>> cities = new LinkedHashMap<>();
        try {
            homes.forEach((region, names) -> cities.put(
                    new Region(region),
                    Arrays.stream(names.split(",", -1))
                            .map(String::strip)
                            .filter(name -> !name.isEmpty())
                            .toList()));
            return new RegionMap(cities);
        } catch (IllegalArgumentException wrong) {
            throw new Refusal("--home: " + wrong.getMessage(), wrong);
        }
    }
}
