package io.movr.rides;

import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Column;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A location of a vehicle on a ride.
 *
 * @param latitude in degrees, north positive
 * @param longitude in degrees, east positive
 */
@Table("vehicle_location_histories")
record Location(
        @Id @Embedded.Empty LocationId key,
        @Column("lat") @Nullable Double latitude,
        @Column("long") @Nullable Double longitude) {}
