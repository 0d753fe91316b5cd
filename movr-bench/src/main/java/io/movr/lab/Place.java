package io.movr.lab;

import io.movr.database.Gateway;

/**
 * Where one side of an experiment runs.
 *
 * @param measured what the timed statements are sent to
 * @param nearby the same rows on the shortest way, for what is not timed: preparing, checking, taking back
 */
record Place(Gateway measured, Gateway nearby) {

    static Place at(Gateway gateway) {
        return new Place(gateway, gateway);
    }
}
