package io.movr.traffic;

import io.movr.UserError;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.stats.LatencyClasses;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import org.apache.commons.statistics.descriptive.Quantile;
import org.apache.commons.statistics.descriptive.Quantile.EstimationMethod;
import org.jspecify.annotations.Nullable;

/**
 * A modest stream of requests to the instances of running regions, to be looked at rather than measured with: {@code movr
 * traffic} is for that. Arrivals are a Poisson process in each region (an open model), and latency counts from the moment
 * at which a request was due. Some arrivals start and end a ride, the others list a city's available vehicles.
 */
public final class SteadyTraffic implements AutoCloseable {

    /** Arrivals per second in each region, at most. */
    public static final double HIGHEST_RATE = 100;

    /** Longest span that {@link #over} can look back. */
    private static final Duration KEPT = Duration.ofSeconds(90);

    /** Rides of a city whose request is remembered. */
    private static final int MOST_STARTED = 20_000;

    private static final int MOST_UNANSWERED = 200;
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final long LONGEST_NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final Pattern VEHICLE =
            Pattern.compile("\"id\":\"([0-9a-f-]{36})\",\"type\":\"[a-z]+\",\"owner_id\":\"([0-9a-f-]{36})\"");

    private static final Quantile NEAREST_RANK = Quantile.withDefaults().with(EstimationMethod.HF1);

    private final RegionMap map;
    private final Map<Region, Client> clients = new ConcurrentHashMap<>();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final Random random = new Random(1);
    private final Map<String, Deque<StartedRide>> started = new ConcurrentHashMap<>();
    private volatile double perSecond;
    private volatile double remoteShare;
    private volatile double writeShare;
    private volatile boolean closed;
    private @Nullable Thread thread;

    SteadyTraffic(RegionMap map) {
        this.map = map;
    }

    /**
     * What was answered within a span of time.
     *
     * @param answers requests that were answered with success
     * @param errors requests that failed, were refused or were not answered within 10 s; they are in no percentile
     * @param p50Ms {@code null} if there is no answer; by nearest rank, like the others
     */
    public record Window(
            long answers,
            long errors,
            @Nullable Double p50Ms,
            @Nullable Double p95Ms,
            @Nullable Double p99Ms) {}

    /**
     * A request to start a ride that was not refused.
     *
     * @param ride {@code null} if it is not known whether there is one
     * @param answered or given up
     */
    record StartedRide(UUID rider, UUID vehicle, @Nullable UUID ride, Instant sent, Instant answered) {}

    private record Answer(long atNanos, double millis, boolean failed) {}

    private record Vehicle(String city, String id, String owner) {}

    private record Ride(Vehicle vehicle, String location) {}

    /** What is sent from one region. */
    private static final class Client {

        private final String url;
        private final Deque<Answer> answers = new ArrayDeque<>();
        private final AtomicInteger unanswered = new AtomicInteger();
        private final Map<String, List<Vehicle>> vehicles = new ConcurrentHashMap<>();
        private final Queue<Ride> toEnd = new ConcurrentLinkedQueue<>();
        private long next;

        Client(String url) {
            this.url = url;
        }

        synchronized void add(long due, boolean failed) {
            long now = System.nanoTime();
            answers.add(new Answer(now, (now - due) / 1e6, failed));
            while (now - answers.element().atNanos() > KEPT.toNanos()) {
                answers.remove();
            }
        }

        private List<Answer> within(long from, long to) {
            return answers.stream()
                    .filter(answer -> answer.atNanos() - from >= 0 && answer.atNanos() - to < 0)
                    .toList();
        }

        private static DoubleStream answeredMillis(List<Answer> answers) {
            return answers.stream().filter(answer -> !answer.failed()).mapToDouble(Answer::millis);
        }

        synchronized Window over(long from, long to) {
            List<Answer> within = within(from, to);
            double[] millis = answeredMillis(within).toArray();
            int errors = within.size() - millis.length;
            if (millis.length == 0) {
                return new Window(0, errors, null, null, null);
            }
            double[] percentiles = NEAREST_RANK.evaluate(millis, 0.5, 0.95, 0.99);
            return new Window(millis.length, errors, percentiles[0], percentiles[1], percentiles[2]);
        }

        synchronized SortedMap<Integer, Integer> counts(long from, long to) {
            return LatencyClasses.counts(answeredMillis(within(from, to)));
        }
    }

    /** Has a region take part, with an instance that listens at an address. */
    void open(Region region, String url) {
        clients.put(region, new Client(url));
    }

    /**
     * Starts, changes or ends what is sent.
     *
     * @param arrivals per second in each region; 0 for none, at most {@value #HIGHEST_RATE}
     * @param remote the share of arrivals that are about a city of another region, 0 to 1
     * @param writes the share of arrivals that start and end a ride, 0 to 1
     * @throws UserError if one is out of range
     */
    public synchronized void set(double arrivals, double remote, double writes) {
        if (!(arrivals >= 0 && arrivals <= HIGHEST_RATE)) {
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
        if (thread == null && arrivals > 0) {
            Thread sending = new Thread(this::send, "steady-traffic");
            sending.setDaemon(true);
            sending.start();
            thread = sending;
        }
    }

    /** Arrivals per second in each region; 0 if none are sent. */
    public double perSecond() {
        return perSecond;
    }

    /** The share of arrivals that are about a city of another region. */
    public double remoteShare() {
        return remoteShare;
    }

    /** The share of arrivals that start and end a ride. */
    public double writeShare() {
        return writeShare;
    }

    /** What clients of a region were answered between two times of {@link System#nanoTime}, up to 90 s ago. */
    public Window over(Region region, long fromNanos, long toNanos) {
        Client client = clients.get(region);
        return client == null ? new Window(0, 0, null, null, null) : client.over(fromNanos, toNanos);
    }

    /** The rides whose start was acknowledged or may have happened, by city: of each city the last 20,000. */
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

    /** How many answers within a span of time are of each of the {@link LatencyClasses}. */
    public SortedMap<Integer, Integer> counts(Region region, long fromNanos, long toNanos) {
        Client client = clients.get(region);
        return client == null ? new TreeMap<>() : client.counts(fromNanos, toNanos);
    }

    /** Ends it, once what has been sent is answered: a service that stops with requests in progress complains of them. */
    @Override
    public void close() {
        Thread sending;
        synchronized (this) {
            closed = true;
            perSecond = 0;
            sending = thread;
        }
        if (sending == null) {
            return;
        }
        try {
            sending.join(LIMIT.toMillis());
            long end = System.nanoTime() + LIMIT.toNanos();
            while (clients.values().stream().anyMatch(client -> client.unanswered.get() > 0)
                    && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void send() {
        double rate = 0;
        while (!closed) {
            double now = perSecond;
            if (now == 0) {
                rate = 0;
                LockSupport.parkNanos(LONGEST_NAP_NANOS);
                continue;
            }
            if (now != rate) {
                rate = now;
                clients.values().forEach(client -> client.next = System.nanoTime() + gapNanos());
            }
            long time = System.nanoTime();
            long nap = LONGEST_NAP_NANOS;
            for (Map.Entry<Region, Client> client : clients.entrySet()) {
                while (client.getValue().next - time <= 0) {
                    arrive(client.getKey(), client.getValue(), client.getValue().next);
                    client.getValue().next += gapNanos();
                }
                nap = Math.min(nap, client.getValue().next - time);
            }
            LockSupport.parkNanos(nap);
        }
    }

    private long gapNanos() {
        double rate = perSecond;
        return rate == 0 ? LONGEST_NAP_NANOS : Math.round(-Math.log(1 - random.nextDouble()) / rate * 1e9);
    }

    private void arrive(Region region, Client client, long due) {
        List<String> cities = new ArrayList<>(map.citiesOf(region));
        if (random.nextDouble() < remoteShare) {
            List<String> others = new ArrayList<>(map.allCities());
            others.removeAll(cities);
            cities = others.isEmpty() ? cities : others;
        }
        String city = cities.get(random.nextInt(cities.size()));
        if (client.unanswered.get() >= MOST_UNANSWERED) {
            client.add(due, true);
            return;
        }
        Ride left = client.toEnd.poll();
        if (left != null) {
            end(client, left, due);
            return;
        }
        List<Vehicle> known = client.vehicles.getOrDefault(city, List.of());
        if (known.isEmpty() || random.nextDouble() >= writeShare) {
            list(client, city, due);
        } else {
            ride(client, known.get(random.nextInt(known.size())), due);
        }
    }

    private void list(Client client, String city, long due) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(client.url + "/api/vehicles?status=available&city="
                        + URLEncoder.encode(city, StandardCharsets.UTF_8).replace("+", "%20")))
                .timeout(LIMIT)
                .build();
        send(client, request, (answer, failure) -> {
            boolean done = failure == null && answer.statusCode() == 200;
            client.add(due, !done);
            if (done) {
                List<Vehicle> seen = new ArrayList<>();
                Matcher matcher = VEHICLE.matcher(answer.body());
                while (matcher.find()) {
                    seen.add(new Vehicle(city, matcher.group(1), matcher.group(2)));
                }
                client.vehicles.put(city, seen);
            }
        });
    }

    private void ride(Client client, Vehicle vehicle, long due) {
        String body = "{\"city\": \"" + vehicle.city() + "\", \"rider_id\": \"" + vehicle.owner()
                + "\", \"vehicle_id\": \"" + vehicle.id() + "\"}";
        Instant sent = Instant.now();
        send(client, post(client.url + "/api/rides", body), (answer, failure) -> {
            Optional<String> location = failure == null && answer.statusCode() == 201
                    ? answer.headers().firstValue("Location")
                    : Optional.empty();
            client.add(due, location.isEmpty() && !isRefusal(answer, failure));
            if (location.isPresent() || failure != null || answer.statusCode() >= 500) {
                UUID ride = location.map(path -> UUID.fromString(path.substring(path.lastIndexOf('/') + 1)))
                        .orElse(null);
                remember(
                        vehicle.city(),
                        new StartedRide(
                                UUID.fromString(vehicle.owner()),
                                UUID.fromString(vehicle.id()),
                                ride,
                                sent,
                                Instant.now()));
            }
            if (!closed) {
                location.ifPresent(path -> end(client, new Ride(vehicle, path), System.nanoTime()));
            }
        });
    }

    /** Whether somebody else was faster with that vehicle: an answer, and no error of the service. */
    private static boolean isRefusal(HttpResponse<String> answer, @Nullable Throwable failure) {
        return failure == null && answer.statusCode() == 409;
    }

    private void remember(String city, StartedRide ride) {
        started.compute(city, (same, before) -> {
            Deque<StartedRide> rides = before == null ? new ArrayDeque<>() : before;
            rides.add(ride);
            if (rides.size() > MOST_STARTED) {
                rides.remove();
            }
            return rides;
        });
    }

    private void end(Client client, Ride ride, long due) {
        String body = "{\"rider_id\": \"" + ride.vehicle().owner() + "\", \"end_address\": \"1 Main Street\"}";
        HttpRequest request = post(client.url + ride.location() + "/end", body);
        send(client, request, (answer, failure) -> {
            boolean done = failure == null && answer.statusCode() == 200;
            client.add(due, !done);
            // One that has ended, though nobody was told, is done.
            if (!done && (failure != null || answer.statusCode() >= 500)) {
                client.toEnd.add(ride);
            }
        });
    }

    private static HttpRequest post(String url, String body) {
        return HttpRequest.newBuilder(URI.create(url))
                .timeout(LIMIT)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", UUID.randomUUID().toString())
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private void send(Client client, HttpRequest request, BiConsumer<HttpResponse<String>, Throwable> then) {
        client.unanswered.incrementAndGet();
        var unused = http.sendAsync(request, BodyHandlers.ofString()).whenComplete((answer, failure) -> {
            client.unanswered.decrementAndGet();
            then.accept(answer, failure);
        });
    }
}
