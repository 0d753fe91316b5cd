package io.movr.traffic;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.database.RegionLinks;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.report.TrafficResults.Cell;
import io.movr.schema.Placement;
import io.movr.schema.Stage;
import io.movr.stats.Comparison;
import io.movr.stats.Interval;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Single statements, asked from every region about rows of every region, beside the round trips that they take according
 * to where these rows are.
 */
final class RegionMatrix {

    /** Of a remote row the first execution also connects the servers. */
    private static final int WARM_UPS = 3;

    private static final long POLL_MILLIS = 200;
    private static final Duration LONGEST_STATEMENT = Duration.ofMinutes(1);

    /** A statement of the application, as its repositories have it. */
    enum Operation {
        USER_BY_KEY("a user by its key", "users", "SELECT name, address FROM users WHERE city = ? AND id = ?", 1, 5),
        AVAILABLE_VEHICLES(
                "a city's available vehicles",
                "vehicles",
                "SELECT id, type, current_location FROM vehicles WHERE city = ? AND id > ? AND status = 'available'"
                        + " ORDER BY id LIMIT 25",
                1,
                5),
        /** An UPDATE reads the row, then writes it and commits. */
        RENAME_USER("renaming a user", "users", "UPDATE users SET name = name WHERE city = ? AND id = ?", 2, 3),
        NEW_USER("a new user", "users", "INSERT INTO users (city, id, name) VALUES (?, ?, 'Matrix')", 1, 5);

        private final String title;
        private final String table;
        private final String sql;
        /** Of a CockroachDB gateway to the leaseholder. */
        private final int roundTrips;
        /** That postgres_fdw makes of it: of each transaction, cursor or prepared statement, and commit one. */
        private final int foreignRoundTrips;

        Operation(String title, String table, String sql, int roundTrips, int foreignRoundTrips) {
            this.title = title;
            this.table = table;
            this.sql = sql;
            this.roundTrips = roundTrips;
            this.foreignRoundTrips = foreignRoundTrips;
        }

        String table() {
            return table;
        }

        int roundTrips() {
            return roundTrips;
        }

        int foreignRoundTrips() {
            return foreignRoundTrips;
        }

        boolean writes() {
            return this == RENAME_USER || this == NEW_USER;
        }
    }

    private record Place(Region gateway, Region home, Operation operation) {}

    /**
     * A cell with the tail of its samples.
     *
     * @param p99Ms by nearest rank: the slowest of up to 100 samples
     */
    record Timed(Cell cell, double p99Ms) {}

    private final Cluster cluster;
    private final RegionMap map;
    private final int samples;
    private final List<Operation> operations;
    private volatile boolean stopping;
    /** Those that were made here, by home, of which none is to stay. */
    private final Map<Region, Queue<UUID>> made = new LinkedHashMap<>();

    RegionMatrix(Cluster cluster, RegionMap map, int samples) {
        this(cluster, map, samples, List.of(Operation.values()));
    }

    RegionMatrix(Cluster cluster, RegionMap map, int samples, List<Operation> operations) {
        this.cluster = cluster;
        this.map = map;
        this.samples = samples;
        this.operations = operations;
        map.cities().keySet().forEach(home -> made.put(home, new ConcurrentLinkedQueue<>()));
    }

    /**
     * Measures every cell at the stage that the schema is at, the gateways side by side: what they do is waiting, most of
     * the time. The users that it makes are removed again, also when it fails.
     *
     * @param progress is told the share that is done
     */
    List<Cell> measure(Stage stage, DoubleConsumer progress) throws InterruptedException {
        return timed(stage, progress).stream().map(Timed::cell).toList();
    }

    /** As {@link #measure}. */
    List<Timed> timed(Stage stage, DoubleConsumer progress) throws InterruptedException {
        List<Region> all = List.copyOf(map.cities().keySet());
        Map<Region, List<UUID>> users = new LinkedHashMap<>();
        try (Connection connection = gateway(map.primary()).connect("movr-matrix")) {
            for (Region home : all) {
                users.put(home, someUsers(connection, city(home), all.size()));
            }
        } catch (SQLException failed) {
            throw unmeasured(failed);
        }
        Throwable failure = null;
        try {
            Map<Place, double[]> measured = measure(all, users, progress);
            // After measuring, so that a lease that moved meanwhile shows up as a cell other than predicted.
            RoundTrips roundTrips = new RoundTrips(
                    cluster.engine(), placement(), cluster.links().map(RegionLinks::distances));
            List<Timed> cells = new ArrayList<>();
            measured.forEach((place, took) -> cells.add(new Timed(cell(stage, place, took, roundTrips), p99(took))));
            return cells;
        } catch (RuntimeException | InterruptedException failed) {
            failure = failed;
            throw failed;
        } finally {
            tidy(failure);
        }
    }

    private Placement placement() {
        try {
            return Placement.of(cluster, map).orElse(new Placement(List.of()));
        } catch (SQLException failed) {
            throw unmeasured(failed);
        }
    }

    private Map<Place, double[]> measure(List<Region> all, Map<Region, List<UUID>> users, DoubleConsumer progress)
            throws InterruptedException {
        LongAdder done = new LongAdder();
        ExecutorService threads = Executors.newFixedThreadPool(map.cities().size());
        try {
            List<Future<Map<Place, double[]>>> measuring = new ArrayList<>();
            for (int number = 0; number < all.size(); number++) {
                // A user for each gateway, because two that write the same one would wait for each other.
                Map<Region, UUID> own = new LinkedHashMap<>();
                for (Region home : all) {
                    own.put(home, Objects.requireNonNull(users.get(home)).get(number));
                }
                Region from = all.get(number);
                measuring.add(threads.submit(() -> measure(from, own, done)));
            }
            double rounds = (double) all.size() * (WARM_UPS + samples);
            Map<Place, double[]> measured = new LinkedHashMap<>();
            for (Future<Map<Place, double[]>> of : measuring) {
                while (!of.isDone()) {
                    progress.accept(done.sum() / rounds);
                    TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
                }
                measured.putAll(of.get());
            }
            return measured;
        } catch (ExecutionException failed) {
            throw unmeasured(Objects.requireNonNullElse(failed.getCause(), failed));
        } finally {
            // What is under way may still make a user.
            stopping = true;
            threads.shutdown();
            threads.awaitTermination(LONGEST_STATEMENT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static UserError unmeasured(Throwable failed) {
        return new UserError("The region matrix cannot be measured: " + UserError.firstLine(failed), failed);
    }

    private Gateway gateway(Region region) {
        return Objects.requireNonNull(cluster.gateways().get(region));
    }

    private Map<Place, double[]> measure(Region from, Map<Region, UUID> users, LongAdder done) throws SQLException {
        Map<Place, double[]> measured = new LinkedHashMap<>();
        try (Connection connection = gateway(from).connect("movr-matrix")) {
            for (int round = 0; round < WARM_UPS + samples && !stopping; round++) {
                for (Map.Entry<Region, UUID> home : users.entrySet()) {
                    for (Operation operation : operations) {
                        double took = run(connection, operation, home.getKey(), home.getValue());
                        if (round >= WARM_UPS) {
                            Place place = new Place(from, home.getKey(), operation);
                            measured.computeIfAbsent(place, cell -> new double[samples])[round - WARM_UPS] = took;
                        }
                    }
                }
                done.increment();
            }
        }
        return measured;
    }

    private String city(Region region) {
        return map.citiesOf(region).get(0);
    }

    private static List<UUID> someUsers(Connection connection, String city, int count) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT id FROM users WHERE city = ? ORDER BY id LIMIT ?")) {
            statement.setString(1, city);
            statement.setInt(2, count);
            try (ResultSet row = statement.executeQuery()) {
                List<UUID> found = new ArrayList<>();
                while (row.next()) {
                    found.add(row.getObject(1, UUID.class));
                }
                if (found.size() < count) {
                    throw new UserError("There are only " + found.size() + " users in " + city + ": load more rows");
                }
                return found;
            }
        }
    }

    private double run(Connection connection, Operation operation, Region home, UUID user) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(operation.sql)) {
            statement.setString(1, city(home));
            statement.setObject(
                    2,
                    switch (operation) {
                        case USER_BY_KEY, RENAME_USER -> user;
                        case AVAILABLE_VEHICLES -> new UUID(0, 0);
                        case NEW_USER -> newUser(home);
                    });
            long begun = System.nanoTime();
            if (operation.writes()) {
                statement.executeUpdate();
            } else {
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        rows.getString(1);
                    }
                }
            }
            return (System.nanoTime() - begun) / 1e6;
        }
    }

    private UUID newUser(Region home) {
        UUID id = UUID.randomUUID();
        // Before it is made: whether it was, nobody knows when the connection breaks.
        Objects.requireNonNull(made.get(home)).add(id);
        return id;
    }

    private void tidy(@Nullable Throwable failure) {
        for (Map.Entry<Region, Queue<UUID>> home : made.entrySet()) {
            try {
                tidy(home.getKey(), home.getValue());
            } catch (SQLException | RuntimeException failed) {
                UserError left = new UserError(
                        "Up to " + home.getValue().size() + " users named 'Matrix' are left in " + city(home.getKey())
                                + ": " + UserError.firstLine(failed),
                        failed);
                if (failure == null) {
                    throw left;
                }
                failure.addSuppressed(left);
            }
        }
    }

    private void tidy(Region home, Queue<UUID> ids) throws SQLException {
        if (ids.isEmpty()) {
            return;
        }
        try (Connection connection = gateway(home).connect("movr-matrix");
                PreparedStatement statement =
                        connection.prepareStatement("DELETE FROM users WHERE city = ? AND id = ANY (?)")) {
            statement.setString(1, city(home));
            statement.setArray(2, connection.createArrayOf("uuid", ids.toArray()));
            statement.executeUpdate();
        }
        ids.clear();
    }

    private static double p99(double[] took) {
        double[] sorted = took.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(0.99 * sorted.length) - 1];
    }

    private static Cell cell(Stage stage, Place place, double[] took, RoundTrips roundTrips) {
        Interval median = Comparison.median(List.of(took));
        OptionalDouble expected = roundTrips.expectedMs(place.operation(), place.gateway(), place.home());
        OptionalInt count = roundTrips.count(place.operation(), place.gateway(), place.home());
        return new Cell(
                stage.id(),
                place.operation().title,
                place.gateway().name(),
                place.home().name(),
                median,
                took.length,
                count.isPresent() ? count.getAsInt() : null,
                expected.isPresent() ? expected.getAsDouble() : null,
                expected.isPresent() ? RoundTrips.agrees(median.estimate(), expected.getAsDouble()) : null);
    }
}
