package io.movr.vehicles;

import io.movr.idempotency.Answers;
import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.web.Page;
import io.movr.web.PageSize;
import io.movr.web.Version;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
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
@Tag(name = "vehicles", description = "Vehicles, with their status and location")
class VehicleController {

    private static final String LOWEST_ID = "00000000-0000-0000-0000-000000000000";

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
            @RequestBody @Valid NewVehicle addition) {
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
            description = "The front page of MovR shows the first page of a city's vehicles with status `available`.")
    Page<VehicleView> list(
            @RequestParam @Parameter(example = "boston") String city,
            @RequestParam(required = false) @Nullable VehicleType type,
            @RequestParam(required = false) @Nullable VehicleStatus status,
            @RequestParam(defaultValue = LOWEST_ID) @Parameter(description = "`next` of the previous page") UUID after,
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
            @RequestBody @Valid VehicleChange change) {
        Answer<VehicleView> answer = vehicles.change(new VehicleId(city, id), Answers.checked(key), ifMatch, change);
        return Answers.done(answer, Version.of(answer.body()));
    }
}
