package io.movr.load;

import io.movr.region.Region;

/**
 * A rider who comes.
 *
 * @param region where, whose app instance serves them
 * @param city what they ask about
 * @param remote whether that city lies in another region
 * @param first what they do first
 * @param offsetMillis when, since the run's first moment
 * @param warmup whether what they do does not count
 * @param seed of whatever else is random about them
 */
record Arrival(
        Region region, String city, boolean remote, Operation first, long offsetMillis, boolean warmup, long seed) {}
