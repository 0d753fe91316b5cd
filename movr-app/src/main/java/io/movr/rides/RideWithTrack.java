package io.movr.rides;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** A ride with its track. */
@Schema(name = "RideWithTrack")
record RideWithTrack(
        @JsonUnwrapped RideView ride,

        @JsonProperty("vehicle_location_histories")
        @Schema(description = "The latest locations of the ride, in order of time")
        List<LocationView> track) {}
