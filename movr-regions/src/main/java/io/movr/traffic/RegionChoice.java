package io.movr.traffic;

import io.movr.region.Distances;
import io.movr.region.RegionMap;

/** The regions that a user names, and how far apart they are. */
public interface RegionChoice {

    /** Returns the map that the user has named, or else another one. */
    RegionMap mapOr(RegionMap otherwise);

    /** Returns the round trips between the regions of a map: the standard ones, except those that the user has named. */
    Distances distances(RegionMap map);

    /** Whether the user has named a round trip. */
    boolean hasRoundTrips();
}
