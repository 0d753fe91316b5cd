package com.example.orders;

import static io.movr.testing.MovrAssertions.assertThatPlan;
import static io.movr.testing.MovrAssertions.assertThatRoundTrips;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.testing.CompareSides;
import io.movr.testing.CompareSides.IfUnsure;
import io.movr.testing.RegionalDatabase;
import io.movr.testing.Regions;
import io.movr.testing.RoundTrips;
import io.movr.testing.Sides;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests of {@link Orders} with the database in us-east1 and customers in Europe. */
@Regions({"us-east1", "europe-west1"})
class OrdersTest {

    /** The planner scans a small table completely, so this loads about as many rows as the application has. */
    @BeforeAll
    static void load(RegionalDatabase database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url("us-east1"));
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                    + " customer INT, total INT)");
            statement.execute("INSERT INTO orders (customer, total)"
                    + " SELECT n % 1000, n FROM generate_series(1, 20000) AS n");
            statement.execute("CREATE INDEX orders_customer_idx ON orders (customer) INCLUDE (total)");
            statement.execute("VACUUM (ANALYZE) orders");
        }
    }

    @Test
    void theTotalIsReadFromTheIndexAlone(RegionalDatabase database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url("us-east1"))) {
            assertThatPlan(connection, Orders.TOTAL, 7)
                    .isIndexOnlyScanOf("orders")
                    .by("orders_customer_idx")
                    .touchesNoFullScan();
        }
    }

    /** Fails if the index makes a total slower; skipped if the machine is too busy to tell. */
    @CompareSides(maxSlowdownPercent = 10, ifUnsure = IfUnsure.SKIP)
    void theIndexDoesNotSlowATotal(Sides sides, RegionalDatabase database) throws Throwable {
        try (Connection without = DriverManager.getConnection(database.url("us-east1"));
                Connection with = DriverManager.getConnection(database.url("us-east1"))) {
            try (Statement planner = without.createStatement()) {
                planner.execute("SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off");
            }
            sides.compare(() -> new Orders(without).total(7), () -> new Orders(with).total(7));
        }
    }

    @Test
    void anOrderIsPlacedInOneRoundTrip(RegionalDatabase database) throws SQLException {
        try (RoundTrips roundTrips = RoundTrips.to(database.url("us-east1"));
                Connection connection = DriverManager.getConnection(roundTrips.url())) {
            Orders orders = new Orders(connection);
            assertThatRoundTrips(roundTrips, () -> orders.place(7001, 12)).isEqualTo(1);
        }
    }

    @Test
    void aCustomerInEuropeWaitsForTheDistance(RegionalDatabase database) throws SQLException {
        try (Connection connection = database.dataSource("europe-west1").getConnection()) {
            long begun = System.nanoTime();
            new Orders(connection).total(7);
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(64));
        }
    }

    @Test
    void aCutLinkStopsOnlyEurope(RegionalDatabase database) throws SQLException {
        try (Connection europe = DriverManager.getConnection(database.url("europe-west1"));
                Connection america = DriverManager.getConnection(database.url("us-east1"))) {
            europe.setNetworkTimeout(Runnable::run, 500);
            database.cut("us-east1", "europe-west1");
            assertThatThrownBy(() -> new Orders(europe).total(7)).isInstanceOf(SQLException.class);
            assertThat(new Orders(america).total(7)).isPositive();
        } finally {
            database.mend("us-east1", "europe-west1");
        }
    }
}
