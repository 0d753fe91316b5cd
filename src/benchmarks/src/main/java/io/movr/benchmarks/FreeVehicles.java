package io.movr.benchmarks;

import io.movr.traffic.ServiceRequests;
import io.movr.traffic.ServiceRequests.Vehicle;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Vehicles to ride, of which no two rides have the same one at once. Threads share it. */
final class FreeVehicles {

    private final Queue<Vehicle> free;

    FreeVehicles(Collection<Vehicle> vehicles) {
        this.free = new ConcurrentLinkedQueue<>(vehicles);
    }

    /**
     * Starts a ride with the vehicle that was not ridden for the longest time, and ends it. If the service refuses, the
     * vehicle may be in use for ever, and is not ridden again.
     *
     * @return completes with the reason why it failed, or with an empty text
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
