package io.movr.load;

import io.movr.region.Region;

/** A request that has ended, as a line of {@code requests.csv}. */
record RequestRecord(
        long dueEpochMillis,
        Region region,
        Operation operation,
        String city,
        boolean remote,
        boolean warmup,
        long latencyMicros,
        long serviceMicros,
        Outcome outcome) {

    static final String HEADER = "due_ms,region,operation,remote,phase,latency_us,service_us,outcome,city";

    String line() {
        return dueEpochMillis + "," + region + "," + operation.label() + "," + remote + ","
                + (warmup ? "warmup" : "steady") + "," + latencyMicros + "," + serviceMicros + "," + outcome.text()
                + "," + city;
    }
}
