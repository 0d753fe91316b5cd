package io.movr.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** What the riders know of a city. All regions share it, because each may send riders there. */
final class City {

    /** Beyond which users and vehicles that come are not remembered, so that a long run takes no more memory. */
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

    /** A vehicle that may be asked for; one that is not available now may be refused. */
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

    /** Returns a vehicle that nobody else will be given; one that may be in use when none is known to be free. */
    synchronized String takeVehicle(SplittableRandom random) {
        return removeAny(free, random).orElseGet(() -> vehicles.get(random.nextInt(vehicles.size())));
    }

    /** Takes a vehicle that a rider has chosen; somebody else may have it already. */
    synchronized void takeVehicle(String id) {
        free.remove(id);
    }

    synchronized void giveBack(String vehicle) {
        free.add(vehicle);
    }

    synchronized void began(ActiveRide ride) {
        rides.add(ride);
    }

    /** Returns a ride that stays under way. */
    synchronized Optional<ActiveRide> anyRide(SplittableRandom random) {
        return rides.isEmpty() ? Optional.empty() : Optional.of(rides.get(random.nextInt(rides.size())));
    }

    /** Returns a ride that the caller ends. */
    synchronized Optional<ActiveRide> takeRide(SplittableRandom random) {
        return removeAny(rides, random);
    }

    /** Takes a ride that the caller has begun and ends. */
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
