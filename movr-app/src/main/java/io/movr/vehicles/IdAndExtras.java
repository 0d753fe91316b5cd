package io.movr.vehicles;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The two columns of a vehicle that the published read of a city's bikes asks for. */
public record IdAndExtras(UUID id, @Nullable String ext) {}
