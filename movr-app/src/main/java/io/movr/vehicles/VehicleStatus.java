package io.movr.vehicles;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** The status of a vehicle. */
public enum VehicleStatus {
    /** Available for a ride. */
    @JsonProperty("available")
    AVAILABLE,
    /** On a ride that has not ended. */
    @JsonProperty("in_use")
    IN_USE,
    /** Its location is unknown. */
    @JsonProperty("lost")
    LOST;

    /** Returns its text in the table. */
    public String sql() {
        return name().toLowerCase(Locale.ROOT);
    }
}
