package io.movr.promos;

import java.util.UUID;

/** The primary key of the uses that a user has made of a code: they lie in the user's city. */
record UserPromoCodeId(String city, UUID userId, String code) {}
