package io.movr.cli;

import io.movr.UserError;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.traffic.RegionChoice;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of regions and their cities. */
class RegionOptions implements RegionChoice {

    @Option(
            names = "--home",
            paramLabel = "REGION=CITY,…",
            description =
                    "A region and its cities; once for each region, the primary region first (default: MovR's nine"
                            + " cities in us-east1, us-west1 and europe-west1).")
    private Map<String, String> homes = new LinkedHashMap<>();

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description =
                    "Nodes of CockroachDB: three per region (default) or one per region, which takes a third of the"
                            + " memory.")
    private @Nullable Integer nodes;

    /** Returns the map of the options, or else MovR's own. */
    final RegionMap map() {
        return mapOr(RegionMap.standard());
    }

    @Override
    public final RegionMap mapOr(RegionMap otherwise) {
        RegionMap map = homes.isEmpty() ? otherwise : homes();
        if (nodes == null) {
            return map;
        }
        int regions = map.cities().size();
        if (nodes != regions && nodes != regions * RegionMap.SAFE_NODES) {
            throw new UserError("--nodes " + nodes + " is not possible with " + regions + " regions: choose " + regions
                    + ", one in each, or " + regions * RegionMap.SAFE_NODES);
        }
        return map.withNodes(nodes / regions);
    }

    @Override
    public Distances distances(RegionMap map) {
        return Distances.standard();
    }

    @Override
    public boolean hasRoundTrips() {
        return false;
    }

    private RegionMap homes() {
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
            throw new UserError("--home: " + wrong.getMessage(), wrong);
        }
    }
}
