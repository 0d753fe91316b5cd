package io.movr.rides;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A ride as the table holds it, where everything but the key may be missing.
 *
 * @param vehicleCity the same city, for the foreign key
 * @param startTime in UTC
 * @param endTime in UTC; a ride without one is under way
 * @param revenue in the currency of the city, two decimals
 */
@Table("rides")
public record Ride(
        @Id @Embedded.Empty RideId key,
        @Nullable String vehicleCity,
        @Nullable UUID riderId,
        @Nullable UUID vehicleId,
        @Nullable String startAddress,
        @Nullable String endAddress,
        @Nullable LocalDateTime startTime,
        @Nullable LocalDateTime endTime,
        @Nullable BigDecimal revenue) {

    boolean isEnded() {
        return endTime != null;
    }
}
