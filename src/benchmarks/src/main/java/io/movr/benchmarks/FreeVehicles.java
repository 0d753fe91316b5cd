package io.movr.benchmarks;

import io.movr.benchmarks.ServiceRequests.Vehicle;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Vehicles to ride, of which no two rides have the same one at once. Threads share it. */
final class FreeVehicles {

    /** So long a request of a benchmark waits for a vehicle. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private final BlockingQueue<Vehicle> free;
    private final Duration patience;

    /** @param patience how long a ride waits for a vehicle, at most */
    FreeVehicles(Collection<Vehicle> vehicles, Duration patience) {
        this.free = new LinkedBlockingQueue<>(vehicles);
        this.patience = patience;
    }

    /**
     * Starts a ride with the vehicle that was not ridden for the longest time, and ends it.
     *
     * @throws IOException if no vehicle became free, or if the service refuses; the vehicle may be in use for ever then,
     *     and is not ridden again
     */
    void ride(ServiceRequests requests) throws IOException {
        Vehicle vehicle;
        try {
            vehicle = free.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for a vehicle");
        }
        if (vehicle == null) {
            throw new IOException("No vehicle is free: their rides have failed or have not ended");
        }
        requests.ride(vehicle);
        free.add(vehicle);
    }
}
