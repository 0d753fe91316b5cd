package io.movr.load;

import io.movr.UserError;
import io.movr.database.Gateway;
import java.nio.file.Path;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares a run's ledger with the database: every acknowledged write exists exactly once, every write with an unknown outcome
 * at most once, and no other row of the run exists.
 *
 * <p>Rows are found by the idempotency key that the run wrote into them (a user's address, a vehicle's brand, a ride's end
 * address, a promo code's name), locations by ride and position, uses of promo codes by their count. A ride has no room for a
 * key: of a rider with one vehicle there may be as many rides in the time of the run as the ledger says. That time is in the
 * service's own table of keys, which are kept for a day.
 */
public final class LedgerCheck {

    private static final int BATCH = 1_000;

    private final Connection connection;
    private final Ledger ledger;
    private final String like;
    private final List<String> faults = new ArrayList<>();

    private LedgerCheck(Connection connection, Ledger ledger, String prefix) {
        this.connection = connection;
        this.ledger = ledger;
        this.like = prefix + "%";
    }

    /**
     * Checks a ledger.
     *
     * @param gateway leads to the database with all regions' rows
     * @param file {@code ledger.csv} of a run that has ended
     * @return the missing, duplicate and unexpected rows, a sentence each; empty if there are none
     * @throws UserError when the file is no ledger or the database cannot be reached
     */
    public static List<String> check(Gateway gateway, Path file) throws SQLException {
        Ledger ledger = Ledger.read(file);
        if (ledger.prefix().isEmpty()) {
            return List.of();
        }
        try (Connection connection = gateway.connect()) {
            LedgerCheck check =
                    new LedgerCheck(connection, ledger, ledger.prefix().get());
            check.all();
            return List.copyOf(check.faults);
        }
    }

    /** Checks ledgers: the arguments are the database's address and the files. Exits with 1 if a ledger has faults. */
    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            System.err.println("Give the database's address and the ledgers: jdbc:postgresql://… ledger.csv");
            System.exit(2);
        }
        try {
            int faults = 0;
            for (String file : List.of(arguments).subList(1, arguments.length)) {
                for (String fault : check(new Gateway(arguments[0]), Path.of(file))) {
                    System.out.println(file + ": " + fault);
                    faults++;
                }
            }
            System.out.println(faults == 0 ? "Every write is there as the ledger says" : faults + " faults");
            System.exit(faults == 0 ? 0 : 1);
        } catch (UserError | SQLException failed) {
            System.err.println(UserError.firstLine(failed));
            System.exit(2);
        }
    }

    private void all() throws SQLException {
        marked(Operation.CREATE_PROMO_CODE, null, "SELECT code, code FROM promo_codes WHERE code LIKE ?");
        for (String city : new TreeSet<>(ledger.cities())) {
            marked(Operation.ADD_USER, city, "SELECT address, id FROM users WHERE city = ? AND address LIKE ?");
            marked(
                    Operation.ADD_VEHICLE,
                    city,
                    "SELECT ext ->> 'brand', id FROM vehicles WHERE city = ? AND ext ->> 'brand' LIKE ?");
            marked(Operation.END_RIDE, city, "SELECT end_address, id FROM rides WHERE city = ? AND end_address LIKE ?");
            starts(city);
            locations(city);
            applications(city);
        }
    }

    /** Checks rows that have the idempotency key in a column. */
    private void marked(Operation kind, @Nullable String city, String sql) throws SQLException {
        Map<String, List<String>> rows = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int parameter = 1;
            if (city != null) {
                statement.setString(parameter++, city);
            }
            statement.setString(parameter, like);
            try (ResultSet found = statement.executeQuery()) {
                while (found.next()) {
                    rows.computeIfAbsent(found.getString(1), key -> new ArrayList<>())
                            .add(found.getString(2));
                }
            }
        }
        for (LedgerEntry entry : city == null ? ledger.of(kind) : ledger.of(kind, city)) {
            List<String> ids = rows.getOrDefault(entry.key(), List.of());
            rows.remove(entry.key());
            if (ids.size() > 1) {
                faults.add(named(entry) + " was done " + ids.size() + " times: " + ids);
            } else if (entry.acknowledged() && ids.isEmpty()) {
                faults.add(named(entry) + " was acknowledged and is missing: " + entry.id());
            } else if (entry.acknowledged() && !ids.get(0).equals(entry.id())) {
                faults.add(named(entry) + " was acknowledged as " + entry.id() + " and is " + ids.get(0));
            }
        }
        rows.forEach((key, ids) -> faults.add(
                kind.label() + " " + key + (city == null ? "" : " in " + city) + " is there and not in the ledger"));
    }

    private void starts(String city) throws SQLException {
        List<LedgerEntry> entries = ledger.of(Operation.START_RIDE, city);
        Map<String, Integer> allowed = new HashMap<>();
        for (List<LedgerEntry> batch :
                batches(entries.stream().filter(LedgerEntry::acknowledged).toList())) {
            Map<String, String> pairs = new HashMap<>();
            query(
                    "SELECT id, rider_id, vehicle_id FROM rides WHERE city = ? AND id = ANY (?)",
                    city,
                    batch.stream().map(LedgerEntry::id).toList(),
                    row -> pairs.put(row.getString(1), row.getString(2) + "@" + row.getString(3)));
            for (LedgerEntry entry : batch) {
                String pair = pairs.get(entry.id());
                if (pair == null) {
                    faults.add(named(entry) + " was acknowledged and is missing: " + entry.id());
                } else {
                    allowed.merge(pair, 1, Integer::sum);
                }
            }
        }
        entries.stream()
                .filter(entry -> !entry.acknowledged())
                .forEach(entry -> allowed.merge(entry.id(), 1, Integer::sum));
        if (!allowed.isEmpty()) {
            countStarts(
                    city,
                    allowed,
                    entries.stream().filter(LedgerEntry::acknowledged).count());
        }
    }

    private void countStarts(String city, Map<String, Integer> allowed, long acknowledged) throws SQLException {
        LocalDateTime from;
        LocalDateTime to;
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT min(creation_time), max(creation_time) FROM idempotency_keys WHERE city = ? AND key LIKE ?")) {
            statement.setString(1, city);
            statement.setString(2, like);
            try (ResultSet times = statement.executeQuery()) {
                times.next();
                from = times.getObject(1, LocalDateTime.class);
                to = times.getObject(2, LocalDateTime.class);
            }
        }
        if (from == null || to == null) {
            if (acknowledged == 0) {
                return;
            }
            faults.add("The service has forgotten the run's keys in " + city
                    + ", so that rides which began twice cannot be found: check a ledger within a day");
            return;
        }
        Map<String, List<String>> began = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT rider_id, vehicle_id, id FROM rides WHERE city = ? AND start_time BETWEEN ? AND ?")) {
            statement.setString(1, city);
            statement.setObject(2, from);
            statement.setObject(3, to);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String pair = row.getString(1) + "@" + row.getString(2);
                    if (allowed.containsKey(pair)) {
                        began.computeIfAbsent(pair, rides -> new ArrayList<>()).add(row.getString(3));
                    }
                }
            }
        }
        began.forEach((pair, ids) -> {
            int most = allowed.getOrDefault(pair, 0);
            if (ids.size() > most) {
                faults.add("start_ride of " + pair + " in " + city + " was done " + ids.size() + " times instead of "
                        + most + ": " + ids);
            }
        });
    }

    private void locations(String city) throws SQLException {
        List<LedgerEntry> entries = ledger.of(Operation.UPDATE_LOCATION, city);
        List<String> rides = entries.stream()
                .map(entry -> entry.id().substring(0, entry.id().indexOf('@')))
                .distinct()
                .toList();
        Map<String, Integer> found = new HashMap<>();
        for (List<String> batch : batches(rides)) {
            query(
                    "SELECT ride_id, lat, long FROM vehicle_location_histories WHERE city = ? AND ride_id = ANY (?)",
                    city,
                    batch,
                    row -> found.merge(
                            row.getString(1) + "@" + row.getDouble(2) + ":" + row.getDouble(3), 1, Integer::sum));
        }
        counted(Operation.UPDATE_LOCATION, city, entries, found);
    }

    private void applications(String city) throws SQLException {
        Map<String, Integer> found = new HashMap<>();
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT user_id, code, usage_count FROM user_promo_codes WHERE city = ? AND code LIKE ?")) {
            statement.setString(1, city);
            statement.setString(2, like);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    found.put(row.getString(1) + "@" + row.getString(2), row.getInt(3));
                }
            }
        }
        counted(Operation.APPLY_PROMO_CODE, city, ledger.of(Operation.APPLY_PROMO_CODE, city), found);
    }

    /** Checks writes that may concern the same row. */
    private void counted(Operation kind, String city, List<LedgerEntry> entries, Map<String, Integer> found) {
        Map<String, List<LedgerEntry>> byId = entries.stream().collect(Collectors.groupingBy(LedgerEntry::id));
        byId.forEach((id, same) -> {
            int least = (int) same.stream().filter(LedgerEntry::acknowledged).count();
            int times = found.getOrDefault(id, 0);
            found.remove(id);
            if (times < least) {
                faults.add(kind.label() + " " + id + " in " + city + " was acknowledged " + least
                        + " times and is there " + times + " times");
            } else if (times > same.size()) {
                faults.add(kind.label() + " " + id + " in " + city + " was done " + times + " times instead of "
                        + same.size());
            }
        });
        found.forEach(
                (id, times) -> faults.add(kind.label() + " " + id + " in " + city + " is there and not in the ledger"));
    }

    private void query(String sql, String city, List<String> ids, RowReader reader) throws SQLException {
        Array array = connection.createArrayOf(
                "uuid", ids.stream().map(UUID::fromString).toArray());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, city);
            statement.setArray(2, array);
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    reader.read(row);
                }
            }
        } finally {
            array.free();
        }
    }

    private static <T> List<List<T>> batches(List<T> all) {
        List<List<T>> batches = new ArrayList<>();
        for (int from = 0; from < all.size(); from += BATCH) {
            batches.add(all.subList(from, Math.min(all.size(), from + BATCH)));
        }
        return batches;
    }

    private static String named(LedgerEntry entry) {
        return entry.kind() + " " + entry.key() + " in " + entry.city();
    }

    private interface RowReader {
        void read(ResultSet row) throws SQLException;
    }
}
