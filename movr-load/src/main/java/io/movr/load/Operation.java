package io.movr.load;

import java.util.Locale;

/** An operation of the service. */
enum Operation {
    LIST_VEHICLES,
    ADD_USER,
    ADD_VEHICLE,
    START_RIDE,
    UPDATE_LOCATION,
    END_RIDE,
    CREATE_PROMO_CODE,
    APPLY_PROMO_CODE;

    /** Returns its name in reports and files, such as {@code start_ride}. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean isWrite() {
        return this != LIST_VEHICLES;
    }
}
