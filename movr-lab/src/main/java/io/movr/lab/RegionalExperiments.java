package io.movr.lab;

import static io.movr.database.plan.Access.FULL_SCAN;
import static io.movr.database.plan.Access.INDEX_SCAN;

import io.movr.database.Rows;
import io.movr.database.plan.Expectation;
import io.movr.dataset.Answers;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The experiments whose statements are sent in a region, before and after the rows of each city are moved to its region. */
final class RegionalExperiments {

    private static final String READ_NEW_YORK = "geo-read-new-york";
    private static final String WRITE_NEW_YORK = "geo-write-new-york";
    private static final String WRITE_LOS_ANGELES = "geo-write-los-angeles";
    private static final String BEFORE_PLACEMENT =
            "On embedded PostgreSQL all rows are in the first region before. A CockroachDB of several regions has each"
                    + " range's leaseholder somewhere, and a write also waits for a majority of replicas, before and after:"
                    + " one server commits by itself, which takes a tenth of that time within a region.";

    private RegionalExperiments() {}

    static List<String> ids() {
        return List.of(READ_NEW_YORK, WRITE_NEW_YORK, WRITE_LOS_ANGELES);
    }

    /** Makes an experiment, with the answers that a dataset must give. */
    static Experiment of(String id, Answers answers) {
        return switch (id) {
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

    /**
     * The operation that inserts a user of a city, and deletes the user again.
     *
     * @param columns the city, the name, the address and the card
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
            Optional<String> wrongAnswer = ExpectedAnswers.of(() -> one, false).complaint(0, answer);
            return wrongAnswer.isPresent()
                    ? wrongAnswer
                    : ExpectedAnswers.of(() -> one, false).complaint(0, there);
        }

        @Override
        public void reset(Connection connection) throws SQLException {
            Rows.update(connection, "DELETE" + OF_CITY, columns.subList(0, 2));
        }
    }
}
