package io.movr.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** The rows of a city that riders know. All regions share it, because each may send riders there. */
final class City {

    /** The maximum of remembered users and vehicles, so that the memory of a long run is bounded. */
    private static final int MAX_REMEMBERED = 20_000;

    private final String name;
    private final List<String> users = new ArrayList<>();
    private final List<String> vehicles = new ArrayList<>();
    private final List<String> free = new ArrayList<>();
    private final List<ActiveRide> rides = new ArrayList<>();

    City(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    synchronized void knowUser(String id) {
        if (users.size() < MAX_REMEMBERED) {
            users.add(id);
        }
    }

    /** Adds a vehicle; a request for one that is not available may be refused. */
    synchronized void knowVehicle(String id, boolean available) {
        if (vehicles.size() < MAX_REMEMBERED) {
            vehicles.add(id);
            if (available) {
                free.add(id);
            }
        }
    }

    synchronized int userCount() {
        return users.size();
    }

    synchronized int vehicleCount() {
        return vehicles.size();
    }

    synchronized String anyUser(SplittableRandom random) {
        return users.get(random.nextInt(users.size()));
    }

    /** Returns a vehicle for exclusive use; if none is known to be free, one that may be in use. */
    synchronized String takeVehicle(SplittableRandom random) {
        return removeAny(free, random).orElseGet(() -> vehicles.get(random.nextInt(vehicles.size())));
    }

    /** Marks a vehicle that a rider has chosen as in use; another rider may have taken it already. */
    synchronized void takeVehicle(String id) {
        free.remove(id);
    }

    synchronized void giveBack(String vehicle) {
        free.add(vehicle);
    }

    synchronized void began(ActiveRide ride) {
        rides.add(ride);
    }

    /** Returns an active ride, which stays active. */
    synchronized Optional<ActiveRide> anyRide(SplittableRandom random) {
        return rides.isEmpty() ? Optional.empty() : Optional.of(rides.get(random.nextInt(rides.size())));
    }

    /** Removes and returns an active ride, which the caller ends. */
    synchronized Optional<ActiveRide> takeRide(SplittableRandom random) {
        return removeAny(rides, random);
    }

    /** Removes a ride that the caller has started and ends; returns whether it was active. */
    synchronized boolean takeRide(ActiveRide ride) {
        return rides.remove(ride);
    }

    synchronized int rideCount() {
        return rides.size();
    }

    private static <T> Optional<T> removeAny(List<T> list, SplittableRandom random) {
        if (list.isEmpty()) {
            return Optional.empty();
        }
        int chosen = random.nextInt(list.size());
        T last = list.remove(list.size() - 1);
        return Optional.of(chosen == list.size() ? last : list.set(chosen, last));
    }
}
