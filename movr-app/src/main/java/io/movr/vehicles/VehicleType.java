package io.movr.vehicles;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** The kinds of vehicles. */
public enum VehicleType {
    @JsonProperty("bike")
    BIKE,
    @JsonProperty("scooter")
    SCOOTER,
    @JsonProperty("skateboard")
    SKATEBOARD;

    /** Returns its text in the table. */
    public String sql() {
        return name().toLowerCase(Locale.ROOT);
    }
}
