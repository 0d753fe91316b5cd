package io.movr.lab;

import io.movr.database.Cluster;
import io.movr.region.RegionMap;
import java.util.function.Supplier;

/**
 * The regions in which experiments run.
 *
 * @param map the cities of each region; before rows are placed, all rows are in the first region if the engine keeps them
 *     in one
 * @param clusters starts a cluster with a gateway in each region. Embedded clusters are started once for each stage
 */
public record Regions(RegionMap map, Supplier<Cluster> clusters) {}
