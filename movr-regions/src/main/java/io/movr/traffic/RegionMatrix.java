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
 * The latencies of single statements from each region on rows of each region, with the round trips expected from the
 * placement of the rows.
 */
final class RegionMatrix {

    /** The first execution on a remote row also connects the servers. */
    private static final int WARM_UPS = 3;

    private static final long POLL_MILLIS = 200;
    private static final Duration MAX_STATEMENT = Duration.ofMinutes(1);

    /** A statement of the repositories of the service. */
    enum Operation {
        USER_BY_KEY("a user by its key", "users", "SELECT name, address FROM users WHERE city = ? AND id = ?", 1, 5),
        AVAILABLE_VEHICLES(
                "a city's available vehicles",
                "vehicles",
                "SELECT id, type, current_location FROM vehicles WHERE city = ? AND id > ? AND status = 'available'"
                        + " ORDER BY id LIMIT 25",
                1,
                5),
        /** An UPDATE reads the row, and then writes it and commits. */
        RENAME_USER("renaming a user", "users", "UPDATE users SET name = name WHERE city = ? AND id = ?", 2, 3),
        NEW_USER("a new user", "users", "INSERT INTO users (city, id, name) VALUES (?, ?, 'Matrix')", 1, 5);

        private final String title;
        private final String table;
        private final String sql;
        /** The round trips between a CockroachDB gateway and the leaseholder. */
        private final int roundTrips;
        /**
         * The round trips of postgres_fdw: one each for the transaction, the steps of the cursor or prepared
         * statement, and the commit.
         */
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

    private record CellKey(Region gateway, Region home, Operation operation) {}

    /**
     * A cell with the tail of its samples.
     *
     * @param p99Ms the p99 in milliseconds by nearest rank, which is the maximum of up to 100 samples
     */
    record MeasuredCell(Cell cell, double p99Ms) {}

    private final Cluster cluster;
    private final RegionMap map;
    private final int samples;
    private final List<Operation> operations;
    private volatile boolean stopping;
    /** The users created by this matrix, by home region, which are deleted at the end. */
    private final Map<Region, Queue<UUID>> createdUsers = new LinkedHashMap<>();

    RegionMatrix(Cluster cluster, RegionMap map, int samples) {
        this(cluster, map, samples, List.of(Operation.values()));
    }

    RegionMatrix(Cluster cluster, RegionMap map, int samples, List<Operation> operations) {
        this.cluster = cluster;
        this.map = map;
        this.samples = samples;
        this.operations = operations;
        map.cities().keySet().forEach(home -> createdUsers.put(home, new ConcurrentLinkedQueue<>()));
    }

    /**
     * Measures every cell at the current stage of the schema. Gateways run concurrently, because their statements
     * mostly wait for the network. Created users are deleted, also after a failure.
     *
     * @param progress receives the completed share, 0 to 1
     */
    List<Cell> measure(Stage stage, DoubleConsumer progress) throws InterruptedException {
        return measureWithTail(stage, progress).stream().map(MeasuredCell::cell).toList();
    }

    /** Measures every cell as {@link #measure}, and keeps the tail. */
    List<MeasuredCell> measureWithTail(Stage stage, DoubleConsumer progress) throws InterruptedException {
        List<Region> all = List.copyOf(map.cities().keySet());
        Map<Region, List<UUID>> users = new LinkedHashMap<>();
        try (Connection connection = gateway(map.primary()).connect("movr-matrix")) {
            for (Region home : all) {
                users.put(home, readUsers(connection, city(home), all.size()));
            }
        } catch (SQLException failed) {
            throw failure(failed);
        }
        Throwable failure = null;
        try {
            Map<CellKey, double[]> measured = measure(all, users, progress);
            // Read after the measurement, so that a moved lease shows as a cell that differs from its prediction.
            RoundTrips roundTrips = new RoundTrips(
                    cluster.engine(), placement(), cluster.links().map(RegionLinks::distances));
            List<MeasuredCell> cells = new ArrayList<>();
            measured.forEach((key, milliseconds) ->
                    cells.add(new MeasuredCell(cell(stage, key, milliseconds, roundTrips), p99(milliseconds))));
            return cells;
        } catch (RuntimeException | InterruptedException failed) {
            failure = failed;
            throw failed;
        } finally {
            deleteCreatedUsers(failure);
        }
    }

    private Placement placement() {
        try {
            return Placement.of(cluster, map).orElse(new Placement(List.of()));
        } catch (SQLException failed) {
            throw failure(failed);
        }
    }

    private Map<CellKey, double[]> measure(List<Region> all, Map<Region, List<UUID>> users, DoubleConsumer progress)
            throws InterruptedException {
        LongAdder done = new LongAdder();
        ExecutorService threads = Executors.newFixedThreadPool(map.cities().size());
        try {
            List<Future<Map<CellKey, double[]>>> measuring = new ArrayList<>();
            for (int number = 0; number < all.size(); number++) {
                // Each gateway has its own user, because concurrent writes of the same user would wait for each
                // other.
                Map<Region, UUID> own = new LinkedHashMap<>();
                for (Region home : all) {
                    own.put(home, Objects.requireNonNull(users.get(home)).get(number));
                }
                Region from = all.get(number);
                measuring.add(threads.submit(() -> measure(from, own, done)));
            }
            double rounds = (double) all.size() * (WARM_UPS + samples);
            Map<CellKey, double[]> measured = new LinkedHashMap<>();
            for (Future<Map<CellKey, double[]>> of : measuring) {
                while (!of.isDone()) {
                    progress.accept(done.sum() / rounds);
                    TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
                }
                measured.putAll(of.get());
            }
            return measured;
        } catch (ExecutionException failed) {
            throw failure(Objects.requireNonNullElse(failed.getCause(), failed));
        } finally {
            // A running statement may still create a user.
            stopping = true;
            threads.shutdown();
            threads.awaitTermination(MAX_STATEMENT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static UserError failure(Throwable failed) {
        return new UserError("The region matrix cannot be measured: " + UserError.firstLine(failed), failed);
    }

    private Gateway gateway(Region region) {
        return Objects.requireNonNull(cluster.gateways().get(region));
    }

    private Map<CellKey, double[]> measure(Region from, Map<Region, UUID> users, LongAdder done) throws SQLException {
        Map<CellKey, double[]> measured = new LinkedHashMap<>();
        try (Connection connection = gateway(from).connect("movr-matrix")) {
            for (int round = 0; round < WARM_UPS + samples && !stopping; round++) {
                for (Map.Entry<Region, UUID> home : users.entrySet()) {
                    for (Operation operation : operations) {
                        double milliseconds = run(connection, operation, home.getKey(), home.getValue());
                        if (round >= WARM_UPS) {
                            CellKey key = new CellKey(from, home.getKey(), operation);
                            measured.computeIfAbsent(key, cell -> new double[samples])[round - WARM_UPS] = milliseconds;
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

    private static List<UUID> readUsers(Connection connection, String city, int count) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("SELECT id FROM users WHERE city = ? ORDER BY id LIMIT ?")) {
            statement.setString(1, city);
            statement.setInt(2, count);
            try (ResultSet row = statement.executeQuery()) {
                List<UUID> users = new ArrayList<>();
                while (row.next()) {
                    users.add(row.getObject(1, UUID.class));
                }
                if (users.size() < count) {
                    throw new UserError("There are only " + users.size() + " users in " + city + ": load more rows");
                }
                return users;
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
            long startNanos = System.nanoTime();
            if (operation.writes()) {
                statement.executeUpdate();
            } else {
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        rows.getString(1);
                    }
                }
            }
            return (System.nanoTime() - startNanos) / 1e6;
        }
    }

    private UUID newUser(Region home) {
        UUID id = UUID.randomUUID();
        // Recorded before the INSERT, because its outcome is unknown if the connection breaks.
        Objects.requireNonNull(createdUsers.get(home)).add(id);
        return id;
    }

    private void deleteCreatedUsers(@Nullable Throwable failure) {
        for (Map.Entry<Region, Queue<UUID>> home : createdUsers.entrySet()) {
            try {
                deleteCreatedUsers(home.getKey(), home.getValue());
            } catch (SQLException | RuntimeException failed) {
                UserError left = new UserError(
                        "Up to " + home.getValue().size() + " users named 'Matrix' were not deleted in "
                                + city(home.getKey()) + ": " + UserError.firstLine(failed),
                        failed);
                if (failure == null) {
                    throw left;
                }
                failure.addSuppressed(left);
            }
        }
    }

    private void deleteCreatedUsers(Region home, Queue<UUID> ids) throws SQLException {
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

    private static double p99(double[] milliseconds) {
        double[] sorted = milliseconds.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.ceil(0.99 * sorted.length) - 1];
    }

    private static Cell cell(Stage stage, CellKey key, double[] milliseconds, RoundTrips roundTrips) {
        Interval median = Comparison.median(List.of(milliseconds));
        OptionalDouble expected = roundTrips.expectedMs(key.operation(), key.gateway(), key.home());
        OptionalInt count = roundTrips.count(key.operation(), key.gateway(), key.home());
        return new Cell(
                stage.id(),
                key.operation().title,
                key.gateway().name(),
                key.home().name(),
                median,
                milliseconds.length,
                count.isPresent() ? count.getAsInt() : null,
                expected.isPresent() ? expected.getAsDouble() : null,
                expected.isPresent() ? RoundTrips.agrees(median.estimate(), expected.getAsDouble()) : null);
    }
}
