package io.movr.vehicles;

import java.time.LocalDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A vehicle as the table holds it, where everything but the key may be missing.
 *
 * @param ownerId a user of the same city
 * @param creationTime in UTC
 * @param status a {@link VehicleStatus}, if no other program wrote something else
 * @param ext JSON whose fields depend on the type, see {@link VehicleExtras}
 */
@Table("vehicles")
public record Vehicle(
        @Id @Embedded.Empty VehicleId key,
        @Nullable String type,
        @Nullable UUID ownerId,
        @Nullable LocalDateTime creationTime,
        @Nullable String status,
        @Nullable String currentLocation,
        @Nullable String ext) {}
