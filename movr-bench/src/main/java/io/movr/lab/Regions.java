package io.movr.lab;

import io.movr.database.Cluster;
import io.movr.region.RegionMap;
import java.util.function.Supplier;

/**
 * Where the experiments run that need several regions.
 *
 * @param map which city lies where; before rows are placed all of them are in the first region, if the engine keeps them in
 *     one
 * @param clusters starts a cluster with a gateway in each region. Embedded ones are started once a stage
 */
public record Regions(RegionMap map, Supplier<Cluster> clusters) {}
