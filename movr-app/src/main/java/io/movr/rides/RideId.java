package io.movr.rides;

import java.util.UUID;

/** The primary key of a ride: the city first, because it decides where the row lies. */
public record RideId(String city, UUID id) {}
