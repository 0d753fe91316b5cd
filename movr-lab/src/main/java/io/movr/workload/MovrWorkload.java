package io.movr.workload;

import io.movr.UserError;
import io.movr.database.SqlState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * MovR's own traffic over JDBC, by the statements of {@code cockroach workload run movr}: columns are named, and a ride
 * that ends gets its revenue. It runs at every stage of the schema.
 */
public final class MovrWorkload implements Workload {

    private static final int MAX_LOCATIONS = 10;
    private static final String UNDEFINED_TABLE = "42P01";
    private static final String UNIQUE_VIOLATION = "23505";

    /** The counts that each operation must increase, and their minimum increase by one operation. */
    private static final Map<Integer, String> COUNTS = Map.of(
            MovrMix.UPDATE_ACTIVE_RIDES, "SELECT count(*) FROM vehicle_location_histories",
            MovrMix.START_RIDE, "SELECT count(*) FROM rides",
            MovrMix.END_RIDE, "SELECT count(*) FROM rides WHERE end_time IS NOT NULL",
            MovrMix.ADD_USER, "SELECT count(*) FROM users",
            MovrMix.APPLY_PROMO_CODE, "SELECT count(*) FROM user_promo_codes",
            MovrMix.ADD_VEHICLE, "SELECT count(*) FROM vehicles",
            MovrMix.CREATE_PROMO_CODE, "SELECT count(*) FROM promo_codes");

    private final MovrMix mix;
    private final double readShare;
    private final List<String> wantedCities;
    private final AtomicLongArray changed = new AtomicLongArray(MovrMix.OPERATIONS.size());
    private final LongAdder unknown = new LongAdder();
    private final AtomicLong lastMoment = new AtomicLong();
    private final Map<Integer, Long> before = new HashMap<>();
    private final Map<String, City> cities = new LinkedHashMap<>();
    private final List<String> promoCodes = new ArrayList<>();

    /** The known rows of a city. */
    private record City(String name, CityRows users, CityRows vehicles, CityRows activeRides) {}

    /**
     * A mix of operations.
     *
     * @param readShare the share of operations that only read, 0 to 1
     * @param cities whose rows are read and written; none is all
     */
    public MovrWorkload(MovrMix mix, double readShare, List<String> cities) {
        if (!(readShare >= 0 && readShare <= 1)) {
            throw new UserError("--read-only-percentage " + readShare + " is out of range: 0 to 1");
        }
        this.mix = mix;
        this.readShare = readShare;
        this.wantedCities = List.copyOf(cities);
    }

    @Override
    public String name() {
        return "movr-" + mix.id();
    }

    @Override
    public List<String> operations() {
        return MovrMix.OPERATIONS;
    }

    /** Returns a time later than all former ones, because a ride has one location at a time. */
    private LocalDateTime nextMoment() {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        long moment = lastMoment.updateAndGet(last -> Math.max(last + 1, now));
        return LocalDateTime.ofInstant(Instant.EPOCH.plus(moment, ChronoUnit.MICROS), ZoneOffset.UTC);
    }

    @Override
    public List<String> tables() {
        return List.of("user_promo_codes", "promo_codes", "vehicle_location_histories", "rides", "vehicles", "users");
    }

    /** Does nothing: the rows are a dataset, which its loader writes. */
    @Override
    public void init(Connection connection, Consumer<String> progress) {}

    @Override
    public void prepare(Connection connection) throws SQLException {
        cities.clear();
        promoCodes.clear();
        try {
            read(
                    connection,
                    "SELECT city, id FROM users",
                    (city, id) -> city.users().add(id));
            read(
                    connection,
                    "SELECT city, id FROM vehicles",
                    (city, id) -> city.vehicles().add(id));
            read(
                    connection,
                    "SELECT city, id FROM rides WHERE end_time IS NULL",
                    (city, id) -> city.activeRides().add(id));
            try (Statement statement = connection.createStatement();
                    ResultSet codes =
                            statement.executeQuery("SELECT code FROM promo_codes ORDER BY code LIMIT 10000")) {
                while (codes.next()) {
                    promoCodes.add(codes.getString(1));
                }
            }
            for (Map.Entry<Integer, String> count : COUNTS.entrySet()) {
                before.put(count.getKey(), Workload.number(connection, count.getValue()));
            }
        } catch (SQLException failed) {
            if (UNDEFINED_TABLE.equals(SqlState.of(failed))) {
                throw new UserError("There are no tables of MovR yet: run the step init first", failed);
            }
            throw failed;
        }
        wantedCities.forEach(city -> {
            if (!cities.containsKey(city)) {
                throw new UserError(
                        "There are no rows of the city '" + city + "': choose " + String.join(", ", cities.keySet()));
            }
        });
        if (!wantedCities.isEmpty()) {
            cities.keySet().retainAll(wantedCities);
        }
        cities.values()
                .removeIf(city -> city.users().isEmpty() || city.vehicles().isEmpty());
        if (cities.isEmpty() || promoCodes.isEmpty()) {
            throw new UserError("MovR's tables are empty: run the step init first");
        }
    }

    private interface Row {
        void of(City city, UUID id);
    }

    private void read(Connection connection, String sql, Row row) throws SQLException {
        boolean autoCommit = connection.getAutoCommit();
        // Only in a transaction does the driver fetch in parts, which bounds its memory.
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(1_000);
            try (ResultSet rows = statement.executeQuery(sql)) {
                while (rows.next()) {
                    String name = rows.getString(1);
                    City city = cities.computeIfAbsent(
                            name, unseen -> new City(name, new CityRows(), new CityRows(), new CityRows()));
                    row.of(city, rows.getObject(2, UUID.class));
                }
            }
        } finally {
            connection.rollback();
            connection.setAutoCommit(autoCommit);
        }
    }

    @Override
    public Session session(long seed) {
        return new MovrSession(List.copyOf(cities.values()), new SplittableRandom(seed));
    }

    /** Holds the number of rows of each table against what was acknowledged. */
    @Override
    public List<String> check(Connection connection) throws SQLException {
        List<String> faults = new ArrayList<>();
        for (Map.Entry<Integer, String> count : COUNTS.entrySet()) {
            int operation = count.getKey();
            long added = Workload.number(connection, count.getValue()) - before.getOrDefault(operation, 0L);
            long acknowledged = changed.get(operation);
            long possible = acknowledged + unknown.sum() * MAX_LOCATIONS;
            if (added < acknowledged || added > possible) {
                faults.add(String.format(
                        Locale.ROOT,
                        "%s was acknowledged for %,d rows, and %,d were added",
                        MovrMix.OPERATIONS.get(operation),
                        acknowledged,
                        added));
            }
        }
        return faults;
    }

    private final class MovrSession implements Session {

        private static final int NONE = -1;

        private final List<City> all;
        private final SplittableRandom random;
        private final Map<String, PreparedStatement> prepared = new HashMap<>();
        private @Nullable Connection connection;
        private City city;
        private int operation;
        private int next = NONE;
        private UUID user = new UUID(0, 0);
        private UUID row = new UUID(0, 0);
        private List<UUID> rides = List.of();
        private String code = "";

        MovrSession(List<City> all, SplittableRandom random) {
            this.all = all;
            this.random = random;
            this.city = all.get(0);
        }

        @Override
        public void open(Connection opened) throws SQLException {
            opened.setAutoCommit(true);
            connection = opened;
            prepared.clear();
        }

        @Override
        public int draw() {
            operation = drawOperation();
            city = all.get(random.nextInt(all.size()));
            switch (operation) {
                case MovrMix.UPDATE_ACTIVE_RIDES -> {
                    rides = city.activeRides().last(MAX_LOCATIONS);
                    if (rides.isEmpty()) {
                        // The city has no active ride: the write comes at once.
                        operation = next;
                        next = NONE;
                        return drawRows();
                    }
                }
                default -> {
                    return drawRows();
                }
            }
            return operation;
        }

        private int drawOperation() {
            if (next != NONE) {
                int now = next;
                next = NONE;
                return now;
            }
            if (random.nextDouble() < readShare) {
                return MovrMix.READ_VEHICLES;
            }
            int write = mix.write(random.nextDouble());
            if (!mix.reportsLocations()) {
                return write;
            }
            next = write;
            return MovrMix.UPDATE_ACTIVE_RIDES;
        }

        private int drawRows() {
            if (operation == MovrMix.END_RIDE) {
                UUID ride = city.activeRides().take(random);
                if (ride != null) {
                    row = ride;
                    return operation;
                }
                // Without active rides, a ride starts.
                operation = MovrMix.START_RIDE;
            }
            user = anyOf(city.users());
            row = operation == MovrMix.START_RIDE ? anyOf(city.vehicles()) : newId();
            code = operation == MovrMix.CREATE_PROMO_CODE
                    ? "run_" + newId()
                    : promoCodes.get(random.nextInt(promoCodes.size()));
            return operation;
        }

        private UUID anyOf(CityRows rows) {
            UUID id = rows.any(random);
            if (id == null) {
                throw new IllegalStateException("A city has no rows");
            }
            return id;
        }

        /** Returns a new id, not from the seed: a second run would insert the same rows again. */
        private static UUID newId() {
            ThreadLocalRandom fresh = ThreadLocalRandom.current();
            return new UUID(fresh.nextLong(), fresh.nextLong());
        }

        @Override
        public void execute() throws SQLException {
            switch (operation) {
                case MovrMix.READ_VEHICLES -> readVehicles();
                case MovrMix.UPDATE_ACTIVE_RIDES -> updateActiveRides();
                case MovrMix.START_RIDE -> startRide();
                case MovrMix.END_RIDE -> endRide();
                case MovrMix.ADD_USER -> {
                    one(
                            "INSERT INTO users (id, city, name, address, credit_card) VALUES (?, ?, ?, ?, ?)",
                            row,
                            city.name(),
                            "Max Roach",
                            "411 Drum Street",
                            "173635282937347");
                    city.users().add(row);
                }
                case MovrMix.APPLY_PROMO_CODE -> applyPromoCode();
                case MovrMix.ADD_VEHICLE -> {
                    one(
                            "INSERT INTO vehicles (id, city, type, owner_id, creation_time, status, current_location, ext)"
                                    + " VALUES (?, ?, ?, ?, now(), ?, ?, CAST(? AS JSONB))",
                            row,
                            city.name(),
                            "scooter",
                            user,
                            "available",
                            "411 Drum Street",
                            "{\"color\": \"red\"}");
                    city.vehicles().add(row);
                }
                case MovrMix.CREATE_PROMO_CODE ->
                    one(
                            "INSERT INTO promo_codes (code, description, creation_time, expiration_time, rules)"
                                    + " VALUES (?, ?, now(), now() + INTERVAL '30 days', CAST(? AS JSONB))",
                            code,
                            "A new promo code",
                            "{\"type\": \"percent_discount\", \"value\": \"10%\"}");
                default -> throw new IllegalStateException("There is no operation " + operation);
            }
        }

        @Override
        public void giveUp(boolean mayBeDone) {
            if (mayBeDone) {
                unknown.increment();
            }
            if (operation == MovrMix.END_RIDE) {
                city.activeRides().add(row);
            }
        }

        private PreparedStatement statement(String sql, Object... values) throws SQLException {
            PreparedStatement statement = prepared.get(sql);
            if (statement == null) {
                Connection open = connection;
                if (open == null) {
                    throw new IllegalStateException("open was not called");
                }
                statement = open.prepareStatement(sql);
                prepared.put(sql, statement);
            }
            for (int value = 0; value < values.length; value++) {
                statement.setObject(value + 1, values[value]);
            }
            return statement;
        }

        /** Writes one row. */
        private void one(String sql, Object... values) throws SQLException {
            int rows = statement(sql, values).executeUpdate();
            if (rows != 1) {
                throw new WrongAnswer(rows + " rows were written instead of one");
            }
            changed.incrementAndGet(operation);
        }

        private void readVehicles() throws SQLException {
            try (ResultSet vehicles = statement("SELECT city, id FROM vehicles WHERE city = ?", city.name())
                    .executeQuery()) {
                int seen = 0;
                while (vehicles.next()) {
                    seen++;
                }
                if (seen == 0) {
                    throw new WrongAnswer("The vehicles of " + city.name() + " are missing");
                }
            }
        }

        private void updateActiveRides() throws SQLException {
            PreparedStatement insert = statement("INSERT INTO vehicle_location_histories"
                    + " (city, ride_id, \"timestamp\", lat, long) VALUES (?, ?, ?, ?, ?)");
            for (UUID ride : rides) {
                insert.setObject(1, city.name());
                insert.setObject(2, ride);
                insert.setObject(3, nextMoment());
                insert.setObject(4, random.nextDouble(-90, 90));
                insert.setObject(5, random.nextDouble(-180, 180));
                insert.addBatch();
            }
            insert.executeBatch();
            changed.addAndGet(operation, rides.size());
        }

        private void startRide() throws SQLException {
            UUID ride = newId();
            one(
                    "INSERT INTO rides (id, city, vehicle_city, rider_id, vehicle_id, start_address, start_time)"
                            + " VALUES (?, ?, ?, ?, ?, ?, now())",
                    ride,
                    city.name(),
                    city.name(),
                    user,
                    row,
                    "411 Drum Street");
            city.activeRides().add(ride);
        }

        private void endRide() throws SQLException {
            one(
                    "UPDATE rides SET end_address = ?, end_time = now(), revenue = 9.99 WHERE city = ? AND id = ?",
                    "411 Drum Street",
                    city.name(),
                    row);
        }

        private void applyPromoCode() throws SQLException {
            try (ResultSet answer = statement(
                            "SELECT count(*) FROM user_promo_codes WHERE city = ? AND user_id = ? AND code = ?",
                            city.name(),
                            user,
                            code)
                    .executeQuery()) {
                if (!answer.next()) {
                    throw new WrongAnswer("A count has no row");
                }
                if (answer.getLong(1) > 0) {
                    return;
                }
            }
            try {
                one(
                        "INSERT INTO user_promo_codes (city, user_id, code, \"timestamp\", usage_count)"
                                + " VALUES (?, ?, ?, now(), 1)",
                        city.name(),
                        user,
                        code);
            } catch (SQLException failed) {
                // Another worker applied the same code at the same time, which counts as success.
                if (!UNIQUE_VIOLATION.equals(SqlState.of(failed))) {
                    throw failed;
                }
            }
        }
    }
}
