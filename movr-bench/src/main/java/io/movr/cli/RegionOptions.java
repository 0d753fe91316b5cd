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
            description =
                    "The cities of a region, once a region, the primary one first (default: MovR's nine cities in"
                            + " us-east1, us-west1 and europe-west1; of 'movr lab' the tutorial's: us-west1, us-west2, us-east1).")
    private Map<String, String> homes = new LinkedHashMap<>();

    /** MovR's own map where no other is given. */
    RegionMap map() {
        return map(RegionMap.standard());
    }

    RegionMap map(RegionMap otherwise) {
        if (homes.isEmpty()) {
            return otherwise;
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
