package io.movr.rides;

import io.movr.datasource.Transactions;
import io.movr.idempotency.IdempotentWrites;
import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.idempotency.IdempotentWrites.Write;
import io.movr.promos.PromoCodeService;
import io.movr.users.UserId;
import io.movr.users.UserService;
import io.movr.vehicles.VehicleId;
import io.movr.vehicles.VehicleService;
import io.movr.web.Page;
import io.movr.web.Problem;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Starts rides, records their locations, and ends them. */
@Service
public class RideService {

    private final Rides rides;
    private final Locations locations;
    private final UserService users;
    private final VehicleService vehicles;
    private final PromoCodeService promoCodes;
    private final Transactions transactions;
    private final IdempotentWrites writes;
    private final RideProperties properties;

    RideService(
            Rides rides,
            Locations locations,
            UserService users,
            VehicleService vehicles,
            PromoCodeService promoCodes,
            Transactions transactions,
            IdempotentWrites writes,
            RideProperties properties) {
        this.rides = rides;
        this.locations = locations;
        this.users = users;
        this.vehicles = vehicles;
        this.promoCodes = promoCodes;
        this.transactions = transactions;
        this.writes = writes;
        this.properties = properties;
    }

    /**
     * Starts a ride, in one transaction: the rider must exist, and the vehicle must be available.
     *
     * @param key the client's idempotency key, {@code null} if it has none
     * @throws Problem when a rule forbids it
     */
    public Answer<RideView> start(@Nullable String key, RideStart start) {
        return writes.once(new Write("start ride", start.city(), key, start), RideView.class, now -> {
            users.require(new UserId(start.city(), start.riderId()));
            String address = vehicles.take(new VehicleId(start.city(), start.vehicleId()));
            UUID id = UUID.randomUUID();
            rides.insert(id, start.city(), start.riderId(), start.vehicleId(), address, now);
            return RideView.of(new Ride(
                    new RideId(start.city(), id),
                    start.city(),
                    start.riderId(),
                    start.vehicleId(),
                    address,
                    null,
                    now,
                    null,
                    null));
        });
    }

    Answer<LocationView> record(RideId id, @Nullable String key, Position position) {
        Write write = new Write("record location", id.city(), key, List.of(id, position));
        return writes.once(write, LocationView.class, now -> {
            requireUnderWay(id);
            locations.insert(id.city(), id.id(), now, position.latitude(), position.longitude());
            return LocationView.of(
                    new Location(new LocationId(id.city(), id.id(), now), position.latitude(), position.longitude()));
        });
    }

    /**
     * Ends a ride, in one transaction: the price depends on the duration and on the rider's promo codes, and the
     * vehicle becomes available at its new location.
     *
     * @param key the client's idempotency key, {@code null} if it has none
     * @throws Problem when a rule forbids it
     */
    public Answer<RideView> end(RideId id, @Nullable String key, RideEnd ending) {
        return writes.once(new Write("end ride", id.city(), key, List.of(id, ending)), RideView.class, now -> {
            Ride ride = requireUnderWay(id);
            UUID riderId = ending.riderId();
            if (!riderId.equals(ride.riderId())) {
                throw RideProblem.NOT_YOUR_RIDE.because("The rider of this ride is not " + riderId);
            }
            LocalDateTime began = ride.startTime() == null ? now : ride.startTime();
            LocalDateTime ended = now.isBefore(began) ? began : now;
            int percentOff =
                    promoCodes.percentOff(new UserId(id.city(), riderId), () -> rides.lastEnd(id.city(), riderId));
            BigDecimal revenue = properties.price(Duration.between(began, ended), percentOff);
            rides.end(id.city(), id.id(), ending.endAddress(), ended, revenue);
            if (ride.vehicleId() != null) {
                vehicles.giveBack(new VehicleId(id.city(), ride.vehicleId()), ending.endAddress());
            }
            return RideView.of(new Ride(
                    id,
                    ride.vehicleCity(),
                    riderId,
                    ride.vehicleId(),
                    ride.startAddress(),
                    ending.endAddress(),
                    ride.startTime(),
                    ended,
                    revenue));
        });
    }

    RideWithTrack show(RideId id) {
        Optional<Ride> ride = transactions.read("show ride", () -> rides.find(id.city(), id.id()));
        RideView view = RideView.of(ride.orElseThrow(() -> unknown(id)));
        List<Location> latest = new ArrayList<>(
                transactions.read("show track", () -> locations.latest(id.city(), id.id(), properties.longestTrack())));
        Collections.reverse(latest);
        return new RideWithTrack(view, latest.stream().map(LocationView::of).toList());
    }

    Page<RideView> list(UserId rider, RideCursor after, int limit) {
        List<Ride> rows = transactions.read(
                "list rides", () -> rides.page(rider.city(), rider.id(), after.startTime(), after.id(), limit + 1));
        return Page.of(rows, limit, RideView::of, ride -> RideCursor.of(ride).toString());
    }

    /** Finds a ride that has not ended, and locks it for the transaction. */
    private Ride requireUnderWay(RideId id) {
        Ride ride = rides.findForUpdate(id.city(), id.id()).orElseThrow(() -> unknown(id));
        if (ride.isEnded()) {
            throw RideProblem.RIDE_ENDED.because("The ride ended at " + ride.endTime() + "Z");
        }
        return ride;
    }

    private static Problem unknown(RideId id) {
        return RideProblem.UNKNOWN_RIDE.because("There is no ride " + id.id() + " in " + id.city());
    }
}
