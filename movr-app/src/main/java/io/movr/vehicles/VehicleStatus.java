package io.movr.vehicles;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** Whether a vehicle can be ridden. */
public enum VehicleStatus {
    /** Ready for a rider. */
    @JsonProperty("available")
    AVAILABLE,
    /** On a ride that has not ended. */
    @JsonProperty("in_use")
    IN_USE,
    /** Nobody knows where. */
    @JsonProperty("lost")
    LOST;

    /** Returns the word in the table. */
    public String sql() {
        return name().toLowerCase(Locale.ROOT);
    }
}
