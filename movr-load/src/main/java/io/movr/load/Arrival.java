package io.movr.load;

import io.movr.region.Region;

/**
 * The arrival of a rider.
 *
 * @param region the region whose app instance serves the rider
 * @param city the city that the requests concern
 * @param remote whether that city is in another region
 * @param first the first operation
 * @param offsetMillis the time of arrival since the run's start
 * @param warmup whether the requests are part of the warm-up and not counted
 * @param seed of the rider's other random choices
 */
record Arrival(
        Region region, String city, boolean remote, Operation first, long offsetMillis, boolean warmup, long seed) {}
