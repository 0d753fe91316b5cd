package io.movr.vehicles;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.movr.idempotency.Answers;
import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.web.CityRequest;
import io.movr.web.Page;
import io.movr.web.PageSize;
import io.movr.web.RawJson;
import io.movr.web.Text;
import io.movr.web.Version;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.NotNull;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /api/vehicles}. */
@RestController
@RequestMapping("/api/vehicles")
@Tag(name = "vehicles", description = "What can be ridden")
class VehicleController {

    private static final String LOWEST_ID = "00000000-0000-0000-0000-000000000000";

    /** A vehicle that its owner offers. */
    @Schema(name = "Addition")
    record Addition(
            @NotNull @Schema(example = "boston") String city,

            @NotNull @JsonProperty("owner_id") @Schema(example = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a")
            UUID ownerId,

            @NotNull VehicleType type,

            @NotNull @Text(max = 200) @JsonProperty("current_location") @Schema(example = "64110 Richard Crescent")
            String currentLocation,

            @Valid @Nullable VehicleExtras ext)
            implements CityRequest {}

    /** What changes of a vehicle; what is left out stays. */
    @Schema(name = "Change")
    record Change(
            @Nullable VehicleStatus status,

            @Text(max = 200) @JsonProperty("current_location") @Schema(example = "64110 Richard Crescent") @Nullable
            String currentLocation) {

        @AssertTrue(message = "must change something: status, current_location or both")
        @Schema(hidden = true)
        boolean isAnything() {
            return status != null || currentLocation != null;
        }
    }

    /** A vehicle as it is shown. */
    @Schema(name = "Vehicle")
    record VehicleView(
            @Schema(example = "boston") String city,
            UUID id,
            @Schema(example = "bike") @Nullable String type,

            @JsonProperty("owner_id") @Nullable UUID ownerId,
            @JsonProperty("creation_time") @Nullable Instant creationTime,
            @Schema(example = "available") @Nullable String status,

            @JsonProperty("current_location") @Schema(example = "64110 Richard Crescent") @Nullable
            String currentLocation,

            @Schema(
                    implementation = Object.class,
                    types = "object",
                    description = "What else is known, depending on the type",
                    example = "{\"brand\": \"Kona\", \"color\": \"red\"}")
            @Nullable
            RawJson ext) {

        static VehicleView of(Vehicle vehicle) {
            return new VehicleView(
                    vehicle.key().city(),
                    vehicle.key().id(),
                    vehicle.type(),
                    vehicle.ownerId(),
                    vehicle.creationTime() == null
                            ? null
                            : vehicle.creationTime().toInstant(ZoneOffset.UTC),
                    vehicle.status(),
                    vehicle.currentLocation(),
                    vehicle.ext() == null ? null : new RawJson(vehicle.ext()));
        }
    }

    private final VehicleService vehicles;
    private final PageSize pageSize;

    VehicleController(VehicleService vehicles, PageSize pageSize) {
        this.vehicles = vehicles;
        this.pageSize = pageSize;
    }

    @PostMapping
    @ApiResponse(responseCode = "201", useReturnTypeSchema = true)
    @Operation(operationId = "addVehicle", summary = "Add a vehicle")
    ResponseEntity<VehicleView> add(
            @RequestHeader(name = Answers.KEY, required = false) @Nullable String key,
            @RequestBody @Valid Addition addition) {
        Answer<VehicleView> answer = vehicles.add(Answers.checked(key), addition);
        return Answers.created(
                answer,
                Version.of(answer.body()),
                "vehicles",
                answer.body().city(),
                answer.body().id());
    }

    @GetMapping("/{city}/{id}")
    @Operation(operationId = "showVehicle", summary = "Show a vehicle")
    ResponseEntity<VehicleView> show(@PathVariable @Parameter(example = "boston") String city, @PathVariable UUID id) {
        VehicleView vehicle = vehicles.show(new VehicleId(city, id));
        return Answers.shown(vehicle, Version.of(vehicle));
    }

    @GetMapping
    @Operation(
            operationId = "listVehicles",
            summary = "List a city's vehicles, by id",
            description = "MovR's front page is the first page of those that are available.")
    Page<VehicleView> list(
            @RequestParam @Parameter(example = "boston") String city,
            @RequestParam(required = false) @Nullable VehicleType type,
            @RequestParam(required = false) @Nullable VehicleStatus status,
            @RequestParam(defaultValue = LOWEST_ID) @Parameter(description = "`next` of the page before") UUID after,
            @RequestParam(required = false) @Nullable Integer limit) {
        return vehicles.list(city, type, status, after, pageSize.of(limit));
    }

    @PatchMapping("/{city}/{id}")
    @Operation(operationId = "changeVehicle", summary = "Set a vehicle's status and location")
    ResponseEntity<VehicleView> change(
            @PathVariable @Parameter(example = "boston") String city,
            @PathVariable UUID id,
            @RequestHeader(name = Answers.KEY, required = false) @Nullable String key,
            @RequestHeader(name = "If-Match", required = false) @Nullable String ifMatch,
            @RequestBody @Valid Change change) {
        Answer<VehicleView> answer = vehicles.change(new VehicleId(city, id), Answers.checked(key), ifMatch, change);
        return Answers.done(answer, Version.of(answer.body()));
    }
}
