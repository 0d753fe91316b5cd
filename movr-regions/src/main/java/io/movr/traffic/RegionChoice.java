package io.movr.traffic;

import io.movr.region.Distances;
import io.movr.region.RegionMap;

/** The regions and round trips that a user names. */
public interface RegionChoice {

    /** Returns the map that the user has named, or else another one. */
    RegionMap mapOr(RegionMap otherwise);

    /** Returns the round trips between the regions of a map: standard values, unless the user has named others. */
    Distances distances(RegionMap map);

    /** Returns whether the user has named a round trip. */
    boolean hasRoundTrips();
}
