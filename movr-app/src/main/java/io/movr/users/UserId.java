package io.movr.users;

import java.util.UUID;

/** The primary key of a user: the city first, because it determines the region of the row. */
public record UserId(String city, UUID id) {}
