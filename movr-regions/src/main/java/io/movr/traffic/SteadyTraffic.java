package io.movr.traffic;

import io.movr.UserError;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.sender.HttpSender;
import io.movr.sender.HttpSender.Answer;
import io.movr.sender.Latencies;
import io.movr.sender.OpenModel;
import io.movr.traffic.ServiceRequests.Vehicle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Traffic to the instances of running regions at a low rate, for the console. {@code movr traffic} measures regions.
 * Arrivals are a Poisson process in each region ({@link OpenModel}). Some arrivals start and end a ride, the others
 * list a city's available vehicles.
 */
public final class SteadyTraffic implements AutoCloseable {

    /** The maximum rate, in arrivals per second in each region. */
    public static final double MAX_RATE = 100;

    /** The longest span that {@link #latencies} can look back. */
    private static final Duration MAX_LOOK_BACK = Duration.ofSeconds(90);

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The maximum number of requests to start a ride that are kept for each city. */
    private static final int MAX_STARTED = 20_000;

    private static final int MAX_IN_FLIGHT = 200;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final RegionMap map;
    private final HttpSender sender = new HttpSender();
    private final Map<Region, Client> clients = new ConcurrentHashMap<>();
    private final Map<String, Deque<StartedRide>> started = new ConcurrentHashMap<>();
    private volatile double perSecond;
    private volatile double remoteShare;
    private volatile double writeShare;
    private volatile boolean closed;

    SteadyTraffic(RegionMap map) {
        this.map = map;
    }

    /**
     * A request to start a ride that the service did not refuse.
     *
     * @param ride the id of the ride; {@code null} if the outcome is unknown
     * @param answered the time of the response, or of the timeout
     */
    record StartedRide(UUID rider, UUID vehicle, @Nullable UUID ride, Instant sent, Instant answered) {}

    private record Ride(Vehicle vehicle, String path) {}

    /** The requests that ended in one second. */
    private record Second(long endNanos, Latencies latencies) {}

    /** The clients of a region. */
    private final class Client {

        private final Region region;
        private final ServiceRequests requests;
        private final Random random;
        private final Deque<Second> seconds = new ArrayDeque<>();
        private final Map<String, List<Vehicle>> vehicles = new ConcurrentHashMap<>();
        private final Queue<Ride> toEnd = new ConcurrentLinkedQueue<>();
        private final OpenModel arrivals;

        Client(Region region, String url) {
            this.region = region;
            this.requests = new ServiceRequests(sender, url, LIMIT);
            this.random = new Random(region.name().hashCode());
            this.arrivals = OpenModel.poisson(
                    "steady-traffic-" + region,
                    region.name().hashCode(),
                    MAX_IN_FLIGHT,
                    number -> arrive(),
                    (number, nanos, failure) -> add(nanos, failure));
            arrivals.rate(perSecond);
        }

        private synchronized void add(long nanos, String failure) {
            long now = System.nanoTime();
            Second last = seconds.peekLast();
            if (last == null || last.endNanos() - now <= 0) {
                // Two significant digits keep the histogram of a second small.
                last = new Second(now - Math.floorMod(now, SECOND_NANOS) + SECOND_NANOS, new Latencies(2));
                seconds.add(last);
            }
            last.latencies().add(nanos, failure);
            while (now - seconds.element().endNanos() > MAX_LOOK_BACK.toNanos()) {
                seconds.remove();
            }
        }

        synchronized Latencies within(long fromNanos, long toNanos) {
            Latencies all = new Latencies(2);
            seconds.stream()
                    .filter(second -> second.endNanos() - fromNanos > 0 && second.endNanos() - toNanos <= 0)
                    .forEach(second -> all.addAll(second.latencies()));
            return all;
        }

        private CompletionStage<String> arrive() {
            String city = city();
            Ride left = toEnd.poll();
            if (left != null) {
                return end(left);
            }
            List<Vehicle> known = vehicles.getOrDefault(city, List.of());
            return known.isEmpty() || random.nextDouble() >= writeShare
                    ? list(city)
                    : ride(known.get(random.nextInt(known.size())));
        }

        private String city() {
            List<String> cities = new ArrayList<>(map.citiesOf(region));
            if (random.nextDouble() < remoteShare) {
                List<String> others = new ArrayList<>(map.allCities());
                others.removeAll(cities);
                cities = others.isEmpty() ? cities : others;
            }
            return cities.get(random.nextInt(cities.size()));
        }

        private CompletionStage<String> list(String city) {
            return requests.frontPage(city).thenApply(answer -> {
                if (answer.status() == 200) {
                    vehicles.put(city, ServiceRequests.vehicles(city, answer));
                }
                return answer.failureUnless(200);
            });
        }

        private CompletionStage<String> ride(Vehicle vehicle) {
            Instant sent = Instant.now();
            return requests.startRide(vehicle).thenApply(answer -> {
                Optional<String> path = answer.status() == 201 ? answer.header("Location") : Optional.empty();
                if (path.isPresent() || answer.isUnknown()) {
                    remember(vehicle, path, sent);
                }
                if (path.isPresent() && !closed) {
                    long due = System.nanoTime();
                    var unused = end(new Ride(vehicle, path.get()))
                            .thenAccept(failure -> add(System.nanoTime() - due, failure));
                }
                // Another rider took the vehicle first, which is not an error of the service.
                return answer.status() == 409 ? "" : answer.failureUnless(201);
            });
        }

        private CompletionStage<String> end(Ride ride) {
            return requests.endRide(ride.vehicle(), ride.path()).thenApply(answer -> {
                // A refusal means that an earlier request has ended the ride.
                if (answer.status() == Answer.NOT_SENT || answer.isUnknown()) {
                    toEnd.add(ride);
                }
                return answer.failureUnless(200);
            });
        }
    }

    /** Adds the clients of a region, which send requests to an instance. */
    void open(Region region, String url) {
        clients.put(region, new Client(region, url));
    }

    /**
     * Changes the traffic.
     *
     * @param arrivals the rate in arrivals per second in each region, 0 for none, at most {@value #MAX_RATE}
     * @param remote the share of arrivals that request a city of another region, 0 to 1
     * @param writes the share of arrivals that start and end a ride, 0 to 1
     * @throws UserError if one is out of range
     */
    public synchronized void set(double arrivals, double remote, double writes) {
        if (!(arrivals >= 0 && arrivals <= MAX_RATE)) {
            throw new UserError("A rate of " + arrivals + " is out of range: 0 to 100 arrivals/s in each region");
        }
        if (!(remote >= 0 && remote <= 1)) {
            throw new UserError("A remote share of " + remote + " is out of range: 0 to 1");
        }
        if (!(writes >= 0 && writes <= 1)) {
            throw new UserError("A write share of " + writes + " is out of range: 0 to 1");
        }
        perSecond = arrivals;
        remoteShare = remote;
        writeShare = writes;
        clients.values().forEach(client -> client.arrivals.rate(arrivals));
    }

    /** Returns the rate in arrivals per second in each region; 0 if there is no traffic. */
    public double perSecond() {
        return perSecond;
    }

    /** Returns the share of arrivals that request a city of another region, 0 to 1. */
    public double remoteShare() {
        return remoteShare;
    }

    /** Returns the share of arrivals that start and end a ride, 0 to 1. */
    public double writeShare() {
        return writeShare;
    }

    /**
     * Returns the requests of a region in the seconds that ended within a time span of the last 90 s. Adjacent spans
     * count each request once.
     *
     * @param fromNanos a time of {@link System#nanoTime}
     * @param toNanos a time of {@link System#nanoTime} that has passed
     */
    public Latencies latencies(Region region, long fromNanos, long toNanos) {
        Client client = clients.get(region);
        return client == null ? new Latencies(2) : client.within(fromNanos, toNanos);
    }

    /**
     * Returns the last 20,000 requests of each city to start a ride that were acknowledged or may have been executed.
     */
    Map<String, List<StartedRide>> started() {
        Map<String, List<StartedRide>> rides = new TreeMap<>();
        for (String city : started.keySet()) {
            started.computeIfPresent(city, (same, of) -> {
                rides.put(city, List.copyOf(of));
                return of;
            });
        }
        return rides;
    }

    private void remember(Vehicle vehicle, Optional<String> path, Instant sent) {
        UUID ride = path.map(of -> UUID.fromString(of.substring(of.lastIndexOf('/') + 1)))
                .orElse(null);
        StartedRide request = new StartedRide(
                UUID.fromString(vehicle.owner()), UUID.fromString(vehicle.id()), ride, sent, Instant.now());
        started.compute(vehicle.city(), (same, before) -> {
            Deque<StartedRide> rides = before == null ? new ArrayDeque<>() : before;
            rides.add(request);
            if (rides.size() > MAX_STARTED) {
                rides.remove();
            }
            return rides;
        });
    }

    /** Ends the traffic, and waits for the responses, because a service that stops during requests reports errors. */
    @Override
    public void close() {
        closed = true;
        perSecond = 0;
        clients.values().forEach(client -> client.arrivals.close());
        try {
            sender.awaitAnswers(LIMIT);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
