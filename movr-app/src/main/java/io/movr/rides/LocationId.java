package io.movr.rides;

import java.time.LocalDateTime;
import java.util.UUID;

/** The primary key of a location: its ride, and when the vehicle was there, in UTC. */
record LocationId(String city, UUID rideId, LocalDateTime timestamp) {}
