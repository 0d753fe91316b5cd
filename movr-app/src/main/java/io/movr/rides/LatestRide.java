package io.movr.rides;

import java.time.LocalDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** When the latest ride of a vehicle ended, in UTC. */
public record LatestRide(@Nullable UUID vehicleId, @Nullable LocalDateTime endTime) {}
