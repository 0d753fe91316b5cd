package io.movr.benchmarks;

import io.movr.traffic.ServiceRequests;
import io.movr.traffic.ServiceRequests.Vehicle;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Vehicles that are free for a ride. Concurrent rides have different vehicles. Thread-safe. */
final class FreeVehicles {

    private final Queue<Vehicle> free;

    FreeVehicles(Collection<Vehicle> vehicles) {
        this.free = new ConcurrentLinkedQueue<>(vehicles);
    }

    /**
     * Starts a ride with the vehicle whose last ride is the oldest, and ends it. If the service refuses, the vehicle may
     * stay in use, and is not used again.
     *
     * @return completes with the reason of the failure, or with an empty text
     */
    CompletionStage<String> ride(ServiceRequests requests) {
        Vehicle vehicle = free.poll();
        if (vehicle == null) {
            return CompletableFuture.completedFuture("No vehicle is free: their rides have failed or have not ended");
        }
        return requests.startRide(vehicle).thenCompose(started -> {
            if (started.status() != 201) {
                return CompletableFuture.completedFuture(started.failureUnless(201));
            }
            return requests.endRide(vehicle, started.header("Location").orElse(""))
                    .thenApply(ended -> {
                        if (ended.status() == 200) {
                            free.add(vehicle);
                        }
                        return ended.failureUnless(200);
                    });
        });
    }
}
