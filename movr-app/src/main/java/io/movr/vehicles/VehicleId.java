package io.movr.vehicles;

import java.util.UUID;

/** The primary key of a vehicle: the city first, because it determines the region of the row. */
public record VehicleId(String city, UUID id) {}
