package io.movr.load;

import java.util.Locale;

/** What riders ask of the service. */
enum Operation {
    LIST_VEHICLES,
    ADD_USER,
    ADD_VEHICLE,
    START_RIDE,
    UPDATE_LOCATION,
    END_RIDE,
    CREATE_PROMO_CODE,
    APPLY_PROMO_CODE;

    /** Returns how reports and files name it, such as {@code start_ride}. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean isWrite() {
        return this != LIST_VEHICLES;
    }
}
