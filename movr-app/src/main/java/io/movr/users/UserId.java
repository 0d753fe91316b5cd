package io.movr.users;

import java.util.UUID;

/** The primary key of a user: the city first, because it decides where the row lies. */
public record UserId(String city, UUID id) {}
