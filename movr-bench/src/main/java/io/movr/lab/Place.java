package io.movr.lab;

import io.movr.database.Gateway;
import io.movr.database.RegionLinks;
import org.jspecify.annotations.Nullable;

/**
 * Where one side of an experiment runs.
 *
 * @param measured what the timed statements are sent to
 * @param nearby the same rows on the shortest way, for what is not timed: preparing, checking, taking back
 * @param links of which the distance is taken away while connections are opened and warmed up; {@code null} if it stays
 */
record Place(Gateway measured, Gateway nearby, @Nullable RegionLinks links) {

    static Place at(Gateway gateway) {
        return new Place(gateway, gateway, null);
    }
}
