package io.movr.lab;

import static io.movr.database.plan.Access.FULL_INDEX_SCAN;
import static io.movr.database.plan.Access.FULL_SCAN;
import static io.movr.database.plan.Access.INDEX_ONLY_SCAN;
import static io.movr.database.plan.Access.INDEX_SCAN;

import io.movr.database.Rows;
import io.movr.database.plan.Expectation;
import io.movr.dataset.Answers;
import io.movr.dataset.Scale;
import io.movr.lab.Experiment.Side;
import io.movr.schema.Stage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The built-in experiments. A single statement that reads is a folder of resources, {@code experiments/ID}, which is read as
 * the folders of users are. What runs several statements, looks at what it has written or needs regions is written here.
 */
final class Experiments {

    private static final String NAME_INDEX = "users_name_idx";
    private static final List<String> IN_JAVA = List.of("in-list", "bulk-insert", "unused-index", "returning-id");
    private static final long SEED = 1;
    private static final String READ_NEW_YORK = "geo-read-new-york";
    private static final String WRITE_NEW_YORK = "geo-write-new-york";
    private static final String WRITE_LOS_ANGELES = "geo-write-los-angeles";
    private static final String BEFORE_PLACEMENT =
            "On embedded PostgreSQL all rows are in the first region before. A CockroachDB of several regions has each"
                    + " range's leaseholder somewhere, and a write also waits for a majority of replicas, before and after:"
                    + " one server commits by itself, which takes a tenth of that time within a region.";
    private static final int BULK = 100;
    private static final int MOST_USED = 5;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

    private Experiments() {}

    /** The ids of all, in the order of the tutorial. */
    static List<String> ids() {
        return Stream.concat(ofOneRegion().stream(), Stream.of(READ_NEW_YORK, WRITE_NEW_YORK, WRITE_LOS_ANGELES))
                .toList();
    }

    /** The ids of those that need one region only. */
    static List<String> ofOneRegion() {
        return Stream.concat(Folders.BY_ID.keySet().stream(), IN_JAVA.stream()).toList();
    }

    /** Builds experiments with the answers that a dataset must give. */
    static List<Experiment> of(List<String> wanted, Answers answers) {
        return ids().stream()
                .filter(wanted::contains)
                .map(id -> experiment(id, answers))
                .toList();
    }

    /** Read when they are first asked for. */
    private static final class Folders {

        private static final Map<String, Path> BY_ID = inOrderOfStages();

        private static Map<String, Path> inOrderOfStages() {
            Map<String, Path> folders = new LinkedHashMap<>();
            BuiltInFolders.all().stream()
                    .map(folder -> Map.entry(read(folder, () -> new Answers(Scale.TINY.spec(SEED))), folder))
                    .sorted(Map.Entry.comparingByKey(Comparator.comparing((Experiment one) -> stage(one.before()))
                            .thenComparing(one -> stage(one.after()))
                            .thenComparing(Experiment::id)))
                    .forEach(one -> folders.put(one.getKey().id(), one.getValue()));
            return folders;
        }

        /** Its place among the stages; what makes a schema of its own comes last. */
        private static int stage(Side side) {
            return side.contents().stage().map(Stage::ordinal).orElse(Integer.MAX_VALUE);
        }

        /** Nothing but the answers depends on the rows. */
        private static Experiment read(Path folder, Supplier<Answers> answers) {
            return ExperimentFolder.read(folder, false, SEED, answers).builtIn();
        }
    }

    private static Experiment experiment(String id, Answers answers) {
        Path folder = Folders.BY_ID.get(id);
        if (folder != null) {
            return Folders.read(folder, () -> answers);
        }
        return switch (id) {
            case "in-list" -> inList(answers);
            case "bulk-insert" -> bulkInsert();
            case "unused-index" -> unusedIndex(answers);
            case "returning-id" -> returningId();
            case READ_NEW_YORK -> readAtHome(answers);
            case WRITE_NEW_YORK ->
                writeAtHome(
                        WRITE_NEW_YORK,
                        "A new user of New York from us-east1: rows anywhere against rows placed by city",
                        List.of("new york", "New Yorker", "111 East Street", "1736352379937347"));
            case WRITE_LOS_ANGELES ->
                writeAtHome(
                        WRITE_LOS_ANGELES,
                        "A new user of Los Angeles from us-west2: rows anywhere against rows placed by city",
                        List.of("los angeles", "Los Angel", "111 West Street", "9822222379937347"));
            default -> throw new IllegalStateException("No experiment " + id);
        };
    }

    private static Experiment inList(Answers answers) {
        String mostUsed = "SELECT vehicle_id FROM rides GROUP BY vehicle_id ORDER BY count(*) DESC LIMIT " + MOST_USED;
        String subquery = "SELECT vehicle_id, max(end_time) FROM rides WHERE vehicle_id IN (" + mostUsed
                + ") GROUP BY vehicle_id";
        String explicit = "SELECT vehicle_id, max(end_time) FROM rides WHERE vehicle_id IN ("
                + String.join(", ", Collections.nCopies(MOST_USED, "?")) + ") GROUP BY vehicle_id";
        Map<UUID, LocalDateTime> latest = answers.latestRidesOfMostUsedVehicles(MOST_USED);
        List<List<String>> expected = latest.entrySet().stream()
                .map(entry -> List.of(entry.getKey().toString(), TIME.format(entry.getValue())))
                .toList();
        Expectation whole = Expectation.anyOf("rides", FULL_SCAN, FULL_INDEX_SCAN, INDEX_SCAN);
        Operation before = new Read(subquery, List.of(), whole, expected);
        Operation after = new Operation() {
            @Override
            public List<Step> steps() {
                return List.of(
                        new Step(mostUsed, List.of(), Expectation.anyOf("rides", FULL_SCAN, FULL_INDEX_SCAN)),
                        new Step(
                                explicit,
                                List.copyOf(latest.keySet()),
                                Expectation.anyOf("rides", FULL_SCAN, INDEX_SCAN)));
            }

            @Override
            public List<List<String>> run(Connection connection) throws SQLException {
                List<UUID> vehicles = new ArrayList<>();
                for (List<String> row : Rows.query(connection, mostUsed, List.of())) {
                    vehicles.add(UUID.fromString(row.get(0)));
                }
                return Rows.query(connection, explicit, vehicles);
            }

            @Override
            public Optional<String> complaint(List<List<String>> answer, Connection connection) {
                return differing(answer, expected);
            }
        };
        return new Experiment(
                "in-list",
                "Latest ride of the five most used vehicles: IN (subquery) against two statements with explicit values",
                "Planners of 2018 read a table once more for each row of an IN (subquery). Today's turn it into a semi"
                        + " join: measure before you split a statement.",
                List.of("Both sides find the five vehicles by counting all rides. PostgreSQL plans the subquery as a"
                        + " join, so the published reason for splitting it is gone; given explicit values it may"
                        + " choose the index that begins with the city and skip from city to city (since version 18)."),
                new Side("IN (subquery)", Stage.JOIN_INDEX, before),
                new Side("two statements", Stage.JOIN_INDEX, after));
    }

    private static Experiment bulkInsert() {
        List<Object> row = List.of("new york", "Max Roach", "411 Drum Street", "173635282937347");
        String one = "INSERT INTO users VALUES (gen_random_uuid(), ?, ?, ?, ?)";
        String all = "INSERT INTO users VALUES "
                + String.join(", ", Collections.nCopies(BULK, "(gen_random_uuid(), ?, ?, ?, ?)"));
        List<Object> rows =
                Collections.nCopies(BULK, row).stream().flatMap(List::stream).collect(Collectors.toList());
        return new Experiment(
                "bulk-insert",
                "100 users: 100 INSERTs against one INSERT of 100 rows",
                "Every statement of its own is a round trip and a durable commit. One statement with many rows pays for"
                        + " them once.",
                List.of("The time is that of all 100 rows. Each run's rows are deleted again, outside the time."),
                new Side(
                        "100 INSERTs of one row",
                        Stage.JOIN_INDEX,
                        new Insert("Max Roach", BULK, List.of(new Step(one, row, Expectation.insert("users")))) {
                            @Override
                            public List<List<String>> run(Connection connection) throws SQLException {
                                int inserted = 0;
                                for (int number = 0; number < BULK; number++) {
                                    inserted += Rows.update(connection, one, row);
                                }
                                return List.of(List.of(Integer.toString(inserted)));
                            }
                        }),
                new Side(
                        "one INSERT of 100 rows",
                        Stage.JOIN_INDEX,
                        new Insert("Max Roach", BULK, List.of(new Step(all, rows, Expectation.insert("users")))) {
                            @Override
                            public List<List<String>> run(Connection connection) throws SQLException {
                                return List.of(List.of(Integer.toString(Rows.update(connection, all, rows))));
                            }
                        }));
    }

    private static Experiment unusedIndex(Answers answers) {
        long names = answers.countOfNamesBeginningWith("C");
        return new Experiment(
                "unused-index",
                "UPDATE of " + names + " names: with against without the covering index on name",
                "Every index is written with every row that it covers. One that no query needs is all cost.",
                List.of(
                        "The same statement runs on both sides. (The tutorial renamed other rows the second time.)"
                                + " Names are put back after each run, outside the time.",
                        "Without the index the rows to rename are found by a full scan, and PostgreSQL can update them"
                                + " in place on their page (heap-only tuples)."),
                new Side(
                        "with the index",
                        Stage.JOIN_INDEX,
                        new Rename(names, new Expectation("users", Set.of(INDEX_SCAN, INDEX_ONLY_SCAN), NAME_INDEX))),
                new Side(
                        "without the index",
                        Stage.UNUSED_INDEX_DROPPED,
                        new Rename(names, Expectation.fullScan("users"))));
    }

    private static Experiment returningId() {
        List<Object> toni =
                List.of("new york", "Toni Brooks", "800 Camden Lane, Brooklyn, NY 11218", "98244843845134960");
        List<Object> brian = new ArrayList<>(toni);
        brian.set(1, "Brian Brooks");
        String insert = "INSERT INTO users VALUES (gen_random_uuid(), ?, ?, ?, ?)";
        String select = "SELECT id FROM users WHERE name = ?";
        String returning = insert + " RETURNING id";
        return new Experiment(
                "returning-id",
                "A new user's id: INSERT then SELECT id against INSERT … RETURNING id",
                "What a statement has written it can also return. That saves a round trip, and here a scan.",
                List.of("Each run's row is deleted again, outside the time."),
                new Side(
                        "INSERT, then SELECT id",
                        Stage.UNUSED_INDEX_DROPPED,
                        new Insert(
                                "Toni Brooks",
                                1,
                                List.of(
                                        new Step(insert, toni, Expectation.insert("users")),
                                        new Step(select, List.of("Toni Brooks"), Expectation.fullScan("users")))) {
                            @Override
                            public List<List<String>> run(Connection connection) throws SQLException {
                                Rows.update(connection, insert, toni);
                                return Rows.query(connection, select, List.of("Toni Brooks"));
                            }
                        }),
                new Side(
                        "INSERT … RETURNING id",
                        Stage.UNUSED_INDEX_DROPPED,
                        new Insert(
                                "Brian Brooks", 1, List.of(new Step(returning, brian, Expectation.insert("users")))) {
                            @Override
                            public List<List<String>> run(Connection connection) throws SQLException {
                                return Rows.query(connection, returning, brian);
                            }
                        }));
    }

    private static Experiment readAtHome(Answers answers) {
        String city = "new york";
        String sql = "SELECT id, ext FROM vehicles WHERE city = ? AND type = 'bike' AND status = 'in_use'";
        Set<String> bikes = answers.vehicles(city, "bike", "in_use");
        Operation read = new Operation() {
            @Override
            public List<Step> steps() {
                return List.of(new Step(sql, List.of(city), Expectation.anyOf("vehicles", FULL_SCAN, INDEX_SCAN)));
            }

            @Override
            public List<List<String>> run(Connection connection) throws SQLException {
                return Rows.query(connection, sql, List.of(city));
            }

            @Override
            public Optional<String> complaint(List<List<String>> answer, Connection connection) {
                Set<String> found = answer.stream().map(row -> row.get(0)).collect(Collectors.toSet());
                return found.equals(bikes) && answer.size() == bikes.size()
                        ? Optional.empty()
                        : Optional.of("expected " + bikes.size() + " bikes, got " + answer.size());
            }
        };
        return new Experiment(
                READ_NEW_YORK,
                "Bikes in use in New York from us-east1: rows anywhere against rows placed by city",
                "A row that is far away costs a round trip, whatever the statement. Rows that are placed where they are"
                        + " asked for cost none.",
                List.of(BEFORE_PLACEMENT),
                city,
                new Side("rows anywhere", Stage.UNUSED_INDEX_DROPPED, read),
                new Side("rows of New York in us-east1", Stage.GEO_PARTITIONED, read));
    }

    private static Experiment writeAtHome(String id, String title, List<String> user) {
        String city = user.get(0);
        return new Experiment(
                id,
                title,
                "A write goes to the leaseholder of its row, and from there to a majority of the replicas: both are near"
                        + " when the rows of a city are placed in its region.",
                List.of(BEFORE_PLACEMENT, "Each run's row is deleted again, outside the time."),
                city,
                new Side("rows anywhere", Stage.UNUSED_INDEX_DROPPED, new NewUser(user)),
                new Side("rows of the city in its region", Stage.GEO_PARTITIONED, new NewUser(user)));
    }

    private static Optional<String> differing(List<List<String>> answer, List<List<String>> expected) {
        if (answer.size() == expected.size() && new HashSet<>(answer).equals(new HashSet<>(expected))) {
            return Optional.empty();
        }
        return Optional.of("expected " + brief(expected) + ", got " + brief(answer));
    }

    private static String brief(List<List<String>> rows) {
        String text = rows.size() + (rows.size() == 1 ? " row " : " rows ") + rows;
        return text.length() > 300 ? text.substring(0, 300) + "…" : text;
    }

    /** One statement that only reads. */
    record Read(String sql, List<?> parameters, Expectation plan, List<List<String>> expected) implements Operation {

        @Override
        public List<Step> steps() {
            return List.of(new Step(sql, parameters, plan));
        }

        @Override
        public List<List<String>> run(Connection connection) throws SQLException {
            return Rows.query(connection, sql, parameters);
        }

        @Override
        public Optional<String> complaint(List<List<String>> answer, Connection connection) {
            return differing(answer, expected);
        }
    }

    /**
     * Inserts a user of one city, and deletes them again.
     *
     * @param columns city, name, address and card
     */
    record NewUser(List<String> columns) implements Operation {

        private static final String SQL = "INSERT INTO users VALUES (gen_random_uuid(), ?, ?, ?, ?)";
        private static final String OF_CITY = " FROM users WHERE city = ? AND name = ?";

        @Override
        public List<Step> steps() {
            return List.of(new Step(SQL, columns, Expectation.insert("users")));
        }

        @Override
        public boolean writes() {
            return true;
        }

        @Override
        public List<List<String>> run(Connection connection) throws SQLException {
            return List.of(List.of(Integer.toString(Rows.update(connection, SQL, columns))));
        }

        @Override
        public Optional<String> complaint(List<List<String>> answer, Connection connection) throws SQLException {
            List<List<String>> one = List.of(List.of("1"));
            List<List<String>> there = Rows.query(connection, "SELECT count(*)" + OF_CITY, columns.subList(0, 2));
            return differing(answer, one).or(() -> differing(there, one));
        }

        @Override
        public void reset(Connection connection) throws SQLException {
            Rows.update(connection, "DELETE" + OF_CITY, columns.subList(0, 2));
        }
    }

    /** Inserts users of a name that nobody else has, and deletes them again. */
    private abstract static class Insert implements Operation {

        private final String name;
        private final int rows;
        private final List<Step> steps;

        Insert(String name, int rows, List<Step> steps) {
            this.name = name;
            this.rows = rows;
            this.steps = steps;
        }

        @Override
        public List<Step> steps() {
            return steps;
        }

        @Override
        public boolean writes() {
            return true;
        }

        @Override
        public Optional<String> complaint(List<List<String>> answer, Connection connection) throws SQLException {
            List<List<String>> ids = Rows.query(connection, "SELECT id FROM users WHERE name = ?", List.of(name));
            // Many rows answer with their number, one with its id.
            List<List<String>> expected = rows == 1 ? ids : List.of(List.of(Integer.toString(ids.size())));
            return ids.size() == rows
                    ? differing(answer, expected)
                    : Optional.of("expected " + rows + " new rows, found " + ids.size());
        }

        @Override
        public void reset(Connection connection) throws SQLException {
            Rows.update(connection, "DELETE FROM users WHERE name = ?", List.of(name));
            Rows.vacuum(connection, "users");
        }
    }

    /** Renames all whose names begin with C, and gives them their names back. */
    record Rename(long names, Expectation plan) implements Operation {

        private static final String SQL = "UPDATE users SET name = 'Carl Kimball' WHERE name LIKE 'C%'";

        @Override
        public List<Step> steps() {
            return List.of(new Step(SQL, List.of(), plan));
        }

        @Override
        public boolean writes() {
            return true;
        }

        @Override
        public void prepare(Connection connection) throws SQLException {
            Rows.execute(
                    connection,
                    "CREATE TABLE IF NOT EXISTS names_before AS SELECT city, id, name FROM users WHERE name LIKE 'C%'");
            Rows.execute(connection, "ANALYZE names_before");
        }

        @Override
        public List<List<String>> run(Connection connection) throws SQLException {
            return List.of(List.of(Integer.toString(Rows.update(connection, SQL, List.of()))));
        }

        @Override
        public Optional<String> complaint(List<List<String>> answer, Connection connection) throws SQLException {
            List<List<String>> expected = List.of(List.of(Long.toString(names)));
            List<List<String>> renamed =
                    Rows.query(connection, "SELECT count(*) FROM users WHERE name = ?", List.of("Carl Kimball"));
            return differing(answer, expected).or(() -> differing(renamed, expected));
        }

        @Override
        public void reset(Connection connection) throws SQLException {
            Rows.execute(
                    connection,
                    "UPDATE users SET name = names_before.name FROM names_before"
                            + " WHERE users.city = names_before.city AND users.id = names_before.id");
            Rows.vacuum(connection, "users");
        }
    }
}
