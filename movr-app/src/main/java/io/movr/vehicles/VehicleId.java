package io.movr.vehicles;

import java.util.UUID;

/** The primary key of a vehicle: the city first, because it decides where the row lies. */
public record VehicleId(String city, UUID id) {}
