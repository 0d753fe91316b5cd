package io.movr.rides;

import java.util.UUID;

/** The primary key of a ride: the city first, because it determines the region of the row. */
public record RideId(String city, UUID id) {}
