package io.movr.traffic;

import io.movr.Refusal;
import io.movr.database.Cluster;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.RegionLinks;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.report.TrafficResults.Cell;
import io.movr.schema.Stage;
import io.movr.stats.Comparison;
import io.movr.stats.Interval;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleConsumer;

/**
 * Single statements, asked from every region about rows of every region, beside the round trips that the design says they
 * take.
 */
final class RegionMatrix {

    /** Of a remote row the first execution also connects the servers. */
    private static final int WARM_UPS = 3;

    private static final long POLL_MILLIS = 200;
    private static final long SEED = 1;
    private static final double TOLERANCE = 0.15;
    private static final double TOLERANCE_MS = 6;

    /** A statement of the application, as its repositories have it. */
    private enum Operation {
        USER_BY_KEY("a user by its key", "SELECT name, address FROM users WHERE city = ? AND id = ?", 5),
        AVAILABLE_VEHICLES(
                "a city's available vehicles",
                "SELECT id, type, current_location FROM vehicles WHERE city = ? AND id > ? AND status = 'available'"
                        + " ORDER BY id LIMIT 25",
                5),
        RENAME_USER("renaming a user", "UPDATE users SET name = name WHERE city = ? AND id = ?", 3),
        NEW_USER("a new user", "INSERT INTO users (city, id, name) VALUES (?, ?, 'Matrix')", 5);

        private final String title;
        private final String sql;
        /** That postgres_fdw makes of it: of each transaction, cursor or prepared statement, and commit one. */
        private final int foreignRoundTrips;

        Operation(String title, String sql, int foreignRoundTrips) {
            this.title = title;
            this.sql = sql;
            this.foreignRoundTrips = foreignRoundTrips;
        }

        boolean writes() {
            return this == RENAME_USER || this == NEW_USER;
        }
    }

    private record Place(Region gateway, Region home, Operation operation) {}

    private final Cluster cluster;
    private final RegionMap map;
    private final int samples;

    RegionMatrix(Cluster cluster, RegionMap map, int samples) {
        this.cluster = cluster;
        this.map = map;
        this.samples = samples;
    }

    /**
     * Measures every cell at the stage that the schema is at, the gateways side by side: what they do is waiting, most of
     * the time.
     *
     * @param progress is told the share that is done
     */
    List<Cell> measure(Stage stage, DoubleConsumer progress) throws InterruptedException {
        List<Region> all = List.copyOf(map.cities().keySet());
        Map<Region, List<UUID>> users = new LinkedHashMap<>();
        try (Connection connection = gateway(map.primary()).connect("movr-matrix")) {
            for (Region home : all) {
                users.put(home, someUsers(connection, city(home), all.size()));
            }
        } catch (SQLException failed) {
            throw unmeasured(failed);
        }
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
            List<Cell> cells = new ArrayList<>();
            for (Future<Map<Place, double[]>> of : measuring) {
                while (!of.isDone()) {
                    progress.accept(done.sum() / rounds);
                    TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
                }
                of.get().forEach((place, took) -> cells.add(cell(stage, place, took)));
            }
            for (Region home : map.cities().keySet()) {
                tidy(home);
            }
            return cells;
        } catch (ExecutionException failed) {
            throw unmeasured(Objects.requireNonNullElse(failed.getCause(), failed));
        } catch (SQLException failed) {
            throw unmeasured(failed);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Refusal unmeasured(Throwable failed) {
        return new Refusal("The region matrix cannot be measured: " + Refusal.firstLine(failed), failed);
    }

    private Gateway gateway(Region region) {
        return Objects.requireNonNull(cluster.gateways().get(region));
    }

    private Map<Place, double[]> measure(Region from, Map<Region, UUID> users, LongAdder done) throws SQLException {
        Map<Place, double[]> measured = new LinkedHashMap<>();
        try (Connection connection = gateway(from).connect("movr-matrix")) {
            for (int round = 0; round < WARM_UPS + samples; round++) {
                for (Map.Entry<Region, UUID> home : users.entrySet()) {
                    for (Operation operation : Operation.values()) {
                        double took = run(connection, operation, city(home.getKey()), home.getValue());
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
                    throw new Refusal("There are only " + found.size() + " users in " + city + ": load more rows");
                }
                return found;
            }
        }
    }

    private static double run(Connection connection, Operation operation, String city, UUID user) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(operation.sql)) {
            statement.setString(1, city);
            statement.setObject(
                    2,
                    switch (operation) {
                        case USER_BY_KEY, RENAME_USER -> user;
                        case AVAILABLE_VEHICLES -> new UUID(0, 0);
                        case NEW_USER -> UUID.randomUUID();
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

    private void tidy(Region home) throws SQLException {
        try (Connection connection = gateway(home).connect("movr-matrix");
                PreparedStatement statement =
                        connection.prepareStatement("DELETE FROM users WHERE city = ? AND name = 'Matrix'")) {
            statement.setString(1, city(home));
            statement.executeUpdate();
        }
    }

    private Cell cell(Stage stage, Place place, double[] took) {
        List<double[]> each = new ArrayList<>();
        for (double sample : took) {
            each.add(new double[] {sample});
        }
        Interval median = Comparison.median(each, SEED);
        Region rows = stage.isBefore(Stage.GEO_PARTITIONED) ? map.primary() : place.home();
        int roundTrips = place.gateway().equals(rows) ? 0 : roundTrips(stage, place.operation());
        double expected = roundTrips * roundTripMs(place.gateway(), rows) + survival(stage, place);
        return new Cell(
                stage.id(),
                place.operation().title,
                place.gateway().name(),
                place.home().name(),
                median,
                took.length,
                roundTrips,
                expected,
                Math.abs(median.estimate() - expected) <= Math.max(TOLERANCE_MS, TOLERANCE * expected));
    }

    private int roundTrips(Stage stage, Operation operation) {
        boolean foreign = cluster.engine() == Engine.POSTGRESQL && !stage.isBefore(Stage.GEO_PARTITIONED);
        return foreign ? operation.foreignRoundTrips : 1;
    }

    /** Where a region may fail, a write also waits for the nearest other one. */
    private double survival(Stage stage, Place place) {
        if (stage.isBefore(Stage.REGION_SURVIVAL) || !place.operation().writes()) {
            return 0;
        }
        return map.cities().keySet().stream()
                .filter(other -> !other.equals(place.home()))
                .mapToDouble(other -> roundTripMs(place.home(), other))
                .min()
                .orElse(0);
    }

    private double roundTripMs(Region one, Region other) {
        return cluster.links()
                        .map(RegionLinks::distances)
                        .orElseGet(Distances::standard)
                        .roundTrip(one, other)
                        .toNanos()
                / 1e6;
    }
}
