package io.movr.benchmarks;

import io.movr.traffic.ServiceRequests;
import io.movr.traffic.ServiceRequests.Vehicle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Vehicles that are free for a ride. Concurrent rides have different vehicles. Thread-safe. */
final class FreeVehicles {

    /** The longest wait of a request of a benchmark for a vehicle. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Queue<Vehicle> free;
    private final Queue<CompletableFuture<Optional<Vehicle>>> waiting = new ArrayDeque<>();
    private final Duration patience;

    /** @param patience how long a ride waits for a vehicle, at most */
    FreeVehicles(Collection<Vehicle> vehicles, Duration patience) {
        this.free = new ArrayDeque<>(vehicles);
        this.patience = patience;
    }

    /**
     * Starts a ride with the vehicle whose last ride is the oldest, and ends it. If the service refuses, the vehicle may
     * stay in use, and is not used again.
     *
     * @return completes with the reason of the failure, or with an empty text
     */
    CompletionStage<String> ride(ServiceRequests requests) {
        return take().thenCompose(vehicle -> vehicle.map(taken -> ride(requests, taken))
                .orElseGet(() -> CompletableFuture.completedFuture(
                        "No vehicle is free: their rides have failed or have not ended")));
    }

    private CompletableFuture<String> ride(ServiceRequests requests, Vehicle vehicle) {
        return requests.startRide(vehicle).thenCompose(started -> {
            if (started.status() != 201) {
                return CompletableFuture.completedFuture(started.failureUnless(201));
            }
            return requests.endRide(vehicle, started.header("Location").orElse(""))
                    .thenApply(ended -> {
                        if (ended.status() == 200) {
                            give(vehicle);
                        }
                        return ended.failureUnless(200);
                    });
        });
    }

    private synchronized CompletableFuture<Optional<Vehicle>> take() {
        Vehicle vehicle = free.poll();
        if (vehicle != null) {
            return CompletableFuture.completedFuture(Optional.of(vehicle));
        }
        CompletableFuture<Optional<Vehicle>> next = new CompletableFuture<Optional<Vehicle>>()
                .completeOnTimeout(Optional.empty(), patience.toMillis(), TimeUnit.MILLISECONDS);
        waiting.add(next);
        return next;
    }

    /** Gives a vehicle to the ride that has waited longest, unless that has given up. */
    private synchronized void give(Vehicle vehicle) {
        for (CompletableFuture<Optional<Vehicle>> next = waiting.poll(); next != null; next = waiting.poll()) {
            if (next.complete(Optional.of(vehicle))) {
                return;
            }
        }
        free.add(vehicle);
    }
}
