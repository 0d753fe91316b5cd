package io.movr.vehicles;

import io.movr.datasource.Transactions;
import io.movr.idempotency.IdempotentWrites;
import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.idempotency.IdempotentWrites.Write;
import io.movr.users.UserId;
import io.movr.users.UserService;
import io.movr.web.Page;
import io.movr.web.Problem;
import io.movr.web.Version;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/** Adds vehicles, finds them, and maintains their status: a vehicle is in use exactly while it is on a ride. */
@Service
public class VehicleService {

    private final Vehicles vehicles;
    private final UserService users;
    private final Transactions transactions;
    private final IdempotentWrites writes;
    private final JsonMapper json;

    VehicleService(
            Vehicles vehicles, UserService users, Transactions transactions, IdempotentWrites writes, JsonMapper json) {
        this.vehicles = vehicles;
        this.users = users;
        this.transactions = transactions;
        this.writes = writes;
        this.json = json;
    }

    Answer<VehicleView> add(@Nullable String key, NewVehicle addition) {
        VehicleExtras extras = addition.ext() == null ? VehicleExtras.NONE : addition.ext();
        extras.misplaced(addition.type()).ifPresent(field -> {
            throw VehicleProblem.EXTRAS_OF_ANOTHER_TYPE.because(
                    "A " + addition.type().sql() + " has no " + field);
        });
        return writes.once(new Write("add vehicle", addition.city(), key, addition), VehicleView.class, now -> {
            users.require(new UserId(addition.city(), addition.ownerId()));
            VehicleId id = new VehicleId(addition.city(), UUID.randomUUID());
            String ext = vehicles.insert(
                    id.id(),
                    id.city(),
                    addition.type().sql(),
                    addition.ownerId(),
                    now,
                    addition.currentLocation(),
                    json.writeValueAsString(extras));
            Vehicle vehicle = new Vehicle(
                    id,
                    addition.type().sql(),
                    addition.ownerId(),
                    now,
                    VehicleStatus.AVAILABLE.sql(),
                    addition.currentLocation(),
                    ext);
            return VehicleView.of(vehicle);
        });
    }

    VehicleView show(VehicleId id) {
        return transactions
                .read("show vehicle", () -> vehicles.find(id.city(), id.id()))
                .map(VehicleView::of)
                .orElseThrow(() -> unknown(id));
    }

    Page<VehicleView> list(
            String city, @Nullable VehicleType type, @Nullable VehicleStatus status, UUID after, int limit) {
        String wantedType = type == null ? "" : type.sql();
        String wantedStatus = status == null ? "" : status.sql();
        List<Vehicle> rows = transactions.read(
                "list vehicles",
                () -> vehicles.page(city, type == null, wantedType, status == null, wantedStatus, after, limit + 1));
        return Page.of(
                rows, limit, VehicleView::of, vehicle -> vehicle.key().id().toString());
    }

    Answer<VehicleView> change(VehicleId id, @Nullable String key, @Nullable String ifMatch, VehicleChange change) {
        if (change.status() == VehicleStatus.IN_USE) {
            throw VehicleProblem.STATUS_NOT_SETTABLE.because("in_use cannot be set: start a ride with the vehicle");
        }
        Write write = new Write("change vehicle", id.city(), key, Arrays.asList(id, change, ifMatch));
        return writes.once(write, VehicleView.class, now -> {
            Vehicle vehicle = vehicles.findForUpdate(id.city(), id.id()).orElseThrow(() -> unknown(id));
            Version.of(VehicleView.of(vehicle)).require(ifMatch);
            if (change.status() != null && VehicleStatus.IN_USE.sql().equals(vehicle.status())) {
                throw VehicleProblem.VEHICLE_IN_USE.because("The vehicle is on a ride and cannot become "
                        + change.status().sql());
            }
            Vehicle changed = new Vehicle(
                    id,
                    vehicle.type(),
                    vehicle.ownerId(),
                    vehicle.creationTime(),
                    change.status() == null ? vehicle.status() : change.status().sql(),
                    change.currentLocation() == null ? vehicle.currentLocation() : change.currentLocation(),
                    vehicle.ext());
            vehicles.change(id.city(), id.id(), changed.status(), changed.currentLocation());
            return VehicleView.of(changed);
        });
    }

    /**
     * Takes a vehicle for a ride, within the caller's transaction: of concurrent requests one succeeds.
     *
     * @return its location
     * @throws Problem if it is not available, or does not exist
     */
    public String take(VehicleId id) {
        return vehicles.take(id.city(), id.id()).orElseThrow(() -> {
            Vehicle vehicle = vehicles.find(id.city(), id.id())
                    .orElseThrow(() -> unknown(id).namedInBody());
            return VehicleProblem.VEHICLE_NOT_AVAILABLE.because("The vehicle is " + vehicle.status());
        });
    }

    /** Makes a vehicle available again where its ride ended, within the caller's transaction. */
    public void giveBack(VehicleId id, String location) {
        vehicles.giveBack(id.city(), id.id(), location);
    }

    private static Problem unknown(VehicleId id) {
        return VehicleProblem.UNKNOWN_VEHICLE.because("There is no vehicle " + id.id() + " in " + id.city());
    }
}
