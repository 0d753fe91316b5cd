package io.movr.cli;

import io.movr.UserError;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of regions, their cities, and the round trips between them. */
final class DistantRegionOptions extends RegionOptions {

    @Option(
            names = "--rtt",
            paramLabel = "A:B=MS",
            description = "Round trip between two regions, such as 90ms; once for each pair (default: as in the"
                    + " published samples).")
    private List<String> roundTrips = List.of();

    @Override
    public Distances distances(RegionMap map) {
        Distances distances = super.distances(map);
        for (String given : roundTrips) {
            RegionPair pair = RegionPair.withRoundTrip(given, "--rtt us-east1:europe-west1=90ms");
            Region one = map.named(pair.one());
            Region other = map.named(pair.other());
            try {
                distances = distances.with(one, other, pair.roundTrip());
            } catch (IllegalArgumentException wrong) {
                throw new UserError("--rtt: " + wrong.getMessage(), wrong);
            }
        }
        return distances;
    }

    @Override
    public boolean hasRoundTrips() {
        return !roundTrips.isEmpty();
    }
}
