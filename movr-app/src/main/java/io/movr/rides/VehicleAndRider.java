package io.movr.rides;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Two columns of a ride, which is all that experiment pk-lookup asks for on its faster side. */
public record VehicleAndRider(
        @Nullable UUID vehicleId, @Nullable UUID riderId) {}
