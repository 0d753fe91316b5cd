package io.movr.rides;

import java.time.LocalDateTime;
import java.util.UUID;

/** The primary key of a location: its ride and its time, in UTC. */
record LocationId(String city, UUID rideId, LocalDateTime timestamp) {}
