package io.movr.lab;

import io.movr.database.Gateway;
import io.movr.database.RegionLinks;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the database on which a side of an experiment runs.
 *
 * @param measured the gateway that the timed statements are sent to
 * @param nearby the gateway to the same rows with the shortest distance, for what is not timed: preparing, checking, resetting
 * @param links the links whose delay is removed while connections are opened and warmed up; {@code null} if it stays
 */
record Endpoints(Gateway measured, Gateway nearby, @Nullable RegionLinks links) {

    static Endpoints at(Gateway gateway) {
        return new Endpoints(gateway, gateway, null);
    }
}
