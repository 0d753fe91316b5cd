package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Links;
import io.movr.database.RegionLinks;
import io.movr.database.Rows;
import io.movr.database.plan.Expectation;
import io.movr.environment.StatementTimeout;
import io.movr.lab.Samples.Sample;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class MeasurementTest {

    private static final Region EAST = new Region("us-east1");
    private static final Region WEST = new Region("us-west1");
    private static final int ONE_WAY_MILLIS = 4;

    private static EmbeddedPostgres database;

    @BeforeAll
    static void start() {
        database = EmbeddedPostgres.temporary();
    }

    @AfterAll
    static void stop() {
        database.close();
    }

    /** Whatever it is, nobody gets as far as to run it. */
    private static final Operation NEVER = new Operation() {
        @Override
        public List<Step> steps() {
            return List.of();
        }

        @Override
        public List<List<String>> run(Connection connection) {
            throw new AssertionError();
        }

        @Override
        public Optional<String> complaint(List<List<String>> answer, Connection connection) {
            throw new AssertionError();
        }
    };

    @Test
    void aSideThatCannotBeReachedLeavesNoConnectionOfTheOthers() throws Exception {
        Gateway nobody = new Gateway("jdbc:postgresql://127.0.0.1:1/none");
        Experiment experiment = new Experiment(
                "x", "x", "x", List.of(), new Side("x", Stage.BASELINE, NEVER), new Side("y", Stage.BASELINE, NEVER));
        for (Endpoints after : List.of(
                new Endpoints(database.gateway(), nobody, null), new Endpoints(nobody, database.gateway(), null))) {
            Measurement measurement = new Measurement(experiment, Endpoints.at(database.gateway()), after, null);
            assertThatThrownBy(() -> measurement.take(null, new SilentListener()))
                    .isInstanceOf(UserError.class);
            assertThat(sessionsOfTheLab()).isZero();
        }
    }

    /** Waits for a lock that nobody gives back, or does nothing. */
    private static Operation reading(String sql, List<Integer> limits) {
        return new Operation() {
            @Override
            public List<Step> steps() {
                return List.of(new Step(sql, List.of(), Expectation.fullScan("x")));
            }

            @Override
            public List<List<String>> run(Connection connection) throws SQLException {
                limits.add(connection.getNetworkTimeout());
                connection.setNetworkTimeout(Runnable::run, 500);
                return Rows.query(connection, sql, List.of());
            }

            @Override
            public Optional<String> complaint(List<List<String>> answer, Connection connection) throws SQLException {
                limits.add(connection.getNetworkTimeout());
                return Optional.empty();
            }
        };
    }

    @Test
    void aSampleThatIsNotAnsweredFailsWithItsStatementAndWhatTheServerWaitsFor() throws Exception {
        try (Connection connection = database.gateway().connect()) {
            Rows.execute(connection, "CREATE TABLE locked (a INT)");
        }
        List<Integer> limits = new ArrayList<>();
        Side before = new Side("x", Stage.BASELINE, reading("SELECT 1", limits));
        Side after = new Side("y", Stage.BASELINE, reading("SELECT a FROM locked", limits));
        Endpoints place = Endpoints.at(database.gateway());
        try (Connection holder = database.gateway().connect("holder")) {
            holder.setAutoCommit(false);
            Rows.execute(holder, "LOCK TABLE locked");
            assertThatThrownBy(() -> new Measurement(
                                    new Experiment("x", "x", "x", List.of(), before, after), place, place, null)
                            .take(null, new SilentListener()))
                    .isInstanceOfSatisfying(
                            StatementTimeout.TimeoutException.class,
                            late -> assertThat(late.describe(Engine.POSTGRESQL))
                                    .startsWith(
                                            "No answer within 30 s to: y: SELECT a FROM locked; the server says: waits for"
                                                    + " Lock relation in SELECT a FROM locked, blocked by the sessions ")
                                    .contains(". Try: end the sessions that block it"));
        }
        assertThat(limits).startsWith(30_000, 120_000);
        assertThat(sessionsOfTheLab()).isZero();
    }

    /** Tells how long a round trip took while it ran. */
    private static Operation telling(RegionLinks between, Queue<Duration> roundTrips, AtomicInteger left) {
        return new Operation() {
            @Override
            public List<Step> steps() {
                return List.of(new Step("SELECT 1", List.of(), Expectation.fullScan("x")));
            }

            @Override
            public List<List<String>> run(Connection connection) throws SQLException {
                roundTrips.add(
                        between.measure(EAST, WEST, Duration.ofSeconds(10)).orElseThrow());
                return Rows.query(connection, "SELECT 1", List.of());
            }

            @Override
            public Optional<String> complaint(List<List<String>> answer, Connection connection) {
                return left.getAndDecrement() == 0 ? Optional.of("broken") : Optional.empty();
            }
        };
    }

    @Test
    void samplesAreTakenWithTheDistanceAlsoAfterOnesThatFailedWithoutIt() throws Exception {
        RegionLinks between =
                new RegionLinks(Distances.standard().with(EAST, WEST, Duration.ofMillis(2 * ONE_WAY_MILLIS)));
        try (Links links = new Links()) {
            int port = Integer.parseInt(database.gateway().environment().get("PGPORT"));
            Links.Link link = links.open(0, "127.0.0.1", port, Duration.ZERO);
            between.add(EAST, WEST, link);
            Endpoints place = new Endpoints(database.gateway().through(link.port()), database.gateway(), between);
            Queue<Duration> roundTrips = new ArrayDeque<>();
            AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);
            Operation operation = telling(between, roundTrips, left);
            Measurement measurement = new Measurement(
                    new Experiment(
                            "x",
                            "x",
                            "x",
                            List.of(),
                            new Side("x", Stage.BASELINE, operation),
                            new Side("y", Stage.BASELINE, operation)),
                    place,
                    place,
                    null);
            List<Sample> samples = measurement
                    .take(LabRequest.MIN_SAMPLES, new SilentListener())
                    .samples();
            assertThat(samples)
                    .isNotEmpty()
                    .allSatisfy(sample -> assertThat(sample.latencyMs()).isGreaterThan(2 * ONE_WAY_MILLIS));
            left.set(0);
            roundTrips.clear();
            assertThatThrownBy(() -> measurement.take(LabRequest.MIN_SAMPLES, new SilentListener()))
                    .isInstanceOf(WrongResult.class);
            assertThat(roundTrips).hasSize(1);
            assertThat(between.measure(EAST, WEST, Duration.ofSeconds(10)).orElseThrow())
                    .isGreaterThan(Duration.ofMillis(2 * ONE_WAY_MILLIS));
        }
    }

    /** Once the server has noticed what was closed. */
    private static int sessionsOfTheLab() throws Exception {
        int sessions = -1;
        try (Connection connection = database.gateway().connect()) {
            for (int look = 0; look < 500 && sessions != 0; look++) {
                Thread.sleep(20);
                sessions = Integer.parseInt(Rows.one(
                        connection, "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'lab-%'"));
            }
        }
        return sessions;
    }
}
