package io.movr.testing;

import static io.movr.testing.MovrAssertions.assertThatPlan;
import static io.movr.testing.MovrAssertions.assertThatRoundTrips;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.assertj.core.api.AbstractLongAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Plans and round trips on an engine. */
abstract class OnEngine {

    static final String BY_CUSTOMER = "SELECT total FROM orders WHERE customer = ?";
    static final String WITH_NOTE = "SELECT note FROM orders WHERE customer = ?";
    static final String BY_NOTE = "SELECT id FROM orders WHERE note = ?";

    static Gateway gateway;

    Connection connection;

    static void createTables() throws SQLException {
        try (Connection connection = gateway.connect()) {
            Rows.execute(connection, "CREATE TABLE orders (id INT PRIMARY KEY, customer INT, total INT, note VARCHAR)");
            Rows.execute(
                    connection,
                    "INSERT INTO orders SELECT n, n % 1000, n, 'note ' || n FROM generate_series(1, 10000) AS s (n)");
            String covering = Engine.of(connection) == Engine.COCKROACHDB ? "STORING" : "INCLUDE";
            Rows.execute(connection, "CREATE INDEX orders_customer_idx ON orders (customer) " + covering + " (total)");
            Rows.execute(connection, Engine.of(connection).statisticsOf("orders"));
        }
    }

    @BeforeEach
    void connect() {
        connection = gateway.connect();
    }

    @AfterEach
    void disconnect() throws SQLException {
        connection.close();
    }

    @Test
    void aStatementThatACoveringIndexAnswersIsAnIndexOnlyScan() throws SQLException {
        assertThatPlan(connection, BY_CUSTOMER, 7)
                .isIndexOnlyScanOf("orders")
                .by("orders_customer_idx")
                .touchesNoFullScan()
                .hasNoFullScanOf("orders")
                .matches("index-only scan of orders by orders_customer_idx");
    }

    @Test
    void aStatementThatNeedsTheTableTooIsAnIndexScan() throws SQLException {
        assertThatPlan(connection, WITH_NOTE, 7).isIndexScanOf("orders").by("orders_customer_idx");
        assertThatPlan(connection, "SELECT note FROM orders WHERE id = ?", 7)
                .isIndexScanOf("orders")
                .by("orders_pkey");
    }

    @Test
    void aParameterMayHaveAName() throws SQLException {
        assertThatPlan(connection, "SELECT total FROM orders WHERE customer = :customer AND total <> :least", 7, -1)
                .isIndexOnlyScanOf("orders")
                .by("orders_customer_idx");
        assertThatThrownBy(() -> assertThatPlan(connection, "SELECT total FROM orders WHERE customer = :customer"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The statement has 1 parameter :customer, and no values are given");
        assertThatThrownBy(() -> assertThatPlan(connection, "SELECT total FROM orders WHERE customer = 7", 7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The statement has no parameters, and 1 value is given");
    }

    @Test
    void aTableThatIsNotReadIsNoneThatIsNotReadWhole() throws SQLException {
        PlanAssert plan = assertThatPlan(connection, BY_CUSTOMER, 7).hasNoFullScanOf("public.orders");
        for (String table : List.of("odrers", "archive.orders")) {
            assertThatThrownBy(() -> plan.hasNoFullScanOf(table))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContainingAll("Found: it does not read " + table + "; it reads ", "orders");
            assertThatThrownBy(() -> plan.matches("no index scan of " + table))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("it does not read " + table);
        }
    }

    @Test
    void aPlanThatIsWrongIsShownAsTheServerGaveIt() throws SQLException {
        PlanAssert plan = assertThatPlan(connection, BY_NOTE, "note 7").as("orders with a note");
        for (ThrowingCallable assertion : List.<ThrowingCallable>of(
                () -> plan.isIndexOnlyScanOf("orders").by("orders_customer_idx"),
                () -> plan.isIndexScanOf("orders"),
                plan::touchesNoFullScan,
                () -> plan.hasNoFullScanOf("orders"),
                () -> plan.matches("index scan of orders"))) {
            assertThatThrownBy(assertion)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContainingAll(
                            "[orders with a note]", "Found: full scan of orders", BY_NOTE, drawnScan());
        }
        assertThatThrownBy(() -> plan.isIndexScanOf("customers")).hasMessageContaining("it does not read customers");
        assertThatThrownBy(() -> plan.matches("a fast scan of orders"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write 'full scan of TABLE'")
                .hasMessageContaining("'index scan or full scan of TABLE'");
    }

    /** How the server writes a scan of the table. */
    abstract String drawnScan();

    @Test
    void anotherIndexThanTheExpectedOneIsNamed() throws SQLException {
        PlanAssert.Scan scan = assertThatPlan(connection, BY_CUSTOMER, 7).isIndexOnlyScanOf("orders");
        assertThatThrownBy(() -> scan.by("orders_total_idx"))
                .hasMessageContainingAll(
                        "Expected: index-only scan of orders by orders_total_idx",
                        "Found: index-only scan of orders by orders_customer_idx");
    }

    @Test
    void aStatementThatWritesIsExecutedAndTakenBack() throws SQLException {
        assertThatPlan(connection, "DELETE FROM orders WHERE customer = ?", 7).hasNoFullScanOf("orders");
        assertThat(Rows.one(connection, "SELECT count(*) FROM orders")).isEqualTo("10000");
    }

    @Test
    void aTransactionOfTheTestGoesOnAsItWas() throws SQLException {
        connection.setAutoCommit(false);
        Rows.execute(connection, "DELETE FROM orders WHERE id = 1");
        assertThatPlan(connection, "DELETE FROM orders WHERE customer = ?", 7).touchesNoFullScan();
        assertThatThrownBy(() -> assertThatPlan(connection, "SELECT 1 / ?", 0)).isInstanceOf(SQLException.class);
        assertThat(Rows.one(connection, "SELECT count(*) FROM orders")).isEqualTo("9999");
        connection.rollback();
    }

    @Test
    void aStatementByItselfIsOneRoundTrip() throws SQLException {
        try (RoundTrips roundTrips = RoundTrips.to(gateway.url());
                Connection counted = DriverManager.getConnection(roundTrips.url());
                PreparedStatement statement = counted.prepareStatement(BY_CUSTOMER)) {
            for (int time = 0; time < 10; time++) {
                assertThatRoundTrips(roundTrips, () -> select(statement)).isEqualTo(1);
            }
        }
    }

    private static void select(PreparedStatement statement) throws SQLException {
        statement.setInt(1, 7);
        try (var rows = statement.executeQuery()) {
            assertThat(rows.next()).isTrue();
        }
    }

    @Test
    void aTransactionBeginsWithItsFirstStatementAndEndsWithARoundTripOfItsOwn() throws SQLException {
        try (RoundTrips roundTrips = RoundTrips.to(gateway.url());
                Connection counted = DriverManager.getConnection(roundTrips.url());
                PreparedStatement statement = counted.prepareStatement(BY_CUSTOMER)) {
            counted.setAutoCommit(false);
            assertThatRoundTrips(roundTrips, () -> {
                        select(statement);
                        counted.commit();
                    })
                    .isEqualTo(2);
            assertThatRoundTrips(roundTrips, () -> {
                        select(statement);
                        select(statement);
                        select(statement);
                        counted.commit();
                    })
                    .isEqualTo(4);
            assertThatRoundTrips(roundTrips, () -> {}).isZero();
        }
    }

    @Test
    void aFailureNamesTheStatementsThatWereSent() throws SQLException {
        try (RoundTrips roundTrips = RoundTrips.to(gateway.url());
                Connection counted = DriverManager.getConnection(roundTrips.url());
                PreparedStatement statement = counted.prepareStatement(BY_CUSTOMER)) {
            counted.setAutoCommit(false);
            // From the fifth execution on, the driver sends the name of a prepared statement instead of its text.
            for (int time = 0; time < 10; time++) {
                AbstractLongAssert<?> asserted = assertThatRoundTrips(roundTrips, () -> {
                    select(statement);
                    counted.commit();
                });
                assertThat(roundTrips.statements())
                        .hasSize(3)
                        .startsWith("BEGIN")
                        .endsWith("COMMIT")
                        .element(1)
                        .asString()
                        .startsWith("SELECT");
                assertThatThrownBy(() -> asserted.isEqualTo(1))
                        .hasMessageContaining("[round trips of: BEGIN; SELECT")
                        .hasMessageContaining("; COMMIT]");
            }
        }
    }

    @Test
    void aBatchIsOneRoundTripAndItsStatementsOneByOneAreAsMany() throws SQLException {
        try (RoundTrips roundTrips = RoundTrips.to(gateway.url());
                Connection counted = DriverManager.getConnection(roundTrips.url());
                PreparedStatement statement =
                        counted.prepareStatement("UPDATE orders SET total = total WHERE id = ?")) {
            select(counted);
            counted.setAutoCommit(false);
            assertThatRoundTrips(roundTrips, () -> {
                        for (int id = 1; id <= 20; id++) {
                            statement.setInt(1, id);
                            statement.addBatch();
                        }
                        statement.executeBatch();
                    })
                    .isEqualTo(1);
            AbstractLongAssert<?> oneByOne = assertThatRoundTrips(roundTrips, () -> {
                for (int id = 1; id <= 20; id++) {
                    statement.setInt(1, id);
                    statement.executeUpdate();
                }
            });
            oneByOne.isEqualTo(20);
            assertThatThrownBy(() -> oneByOne.isEqualTo(1))
                    .hasMessageContaining(
                            "[round trips of: UPDATE orders SET total = total WHERE id = $1; UPDATE orders");
            counted.rollback();
        }
    }

    private static void select(Connection connection) throws SQLException {
        assertThat(Rows.one(connection, "SELECT 1")).isEqualTo("1");
    }

    @Test
    void openingAConnectionIsSeveralRoundTripsAndClosingItNone() throws SQLException {
        try (RoundTrips roundTrips = RoundTrips.to(gateway.url())) {
            Supplier<Connection> opened = () -> new Gateway(roundTrips.url()).connect();
            long opening = roundTrips.during(() -> {
                try (Connection counted = opened.get()) {
                    assertThat(counted.isClosed()).isFalse();
                }
            });
            assertThat(opening).isGreaterThan(1);
            assertThatRoundTrips(roundTrips, () -> {
                        try (Connection counted = opened.get()) {
                            select(counted);
                        }
                    })
                    .isEqualTo(opening + 1);
        }
    }

    /** Forms of the same address that do not name host, port and database before the parameters. */
    private static List<String> otherForms() {
        String before = "jdbc:postgresql:" + gateway.database() + "?";
        String endpoint = "PGHOST=" + gateway.host() + "&PGPORT=" + gateway.port();
        String user = gateway.url().substring(gateway.url().indexOf('?') + 1);
        return List.of(
                before + endpoint + "&" + user,
                "jdbc:postgresql://no-such-host.invalid:1/none?" + endpoint + "&PGDBNAME=" + gateway.database() + "&"
                        + user);
    }

    @Test
    void statementsAreCountedWhateverTheFormOfTheAddress() throws SQLException {
        for (String url : otherForms()) {
            try (RoundTrips roundTrips = RoundTrips.to(url);
                    Connection counted = DriverManager.getConnection(roundTrips.url());
                    PreparedStatement statement = counted.prepareStatement(BY_CUSTOMER)) {
                assertThatRoundTrips(roundTrips, () -> {
                            for (int time = 0; time < 5; time++) {
                                select(statement);
                            }
                        })
                        .isEqualTo(5);
            }
        }
    }

    @Test
    void aDistanceIsPutBeforeADatabaseWhateverTheFormOfItsAddress() throws SQLException {
        for (String url : otherForms()) {
            try (RegionalDatabase database = RegionalDatabase.of(url, "us-east1", "europe-west1");
                    Connection far = DriverManager.getConnection(database.url("europe-west1"))) {
                long begun = System.nanoTime();
                select(far);
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(64));
            }
        }
    }

    @Test
    void statementsThatPassByTheRelayAreAnErrorAndNotZero() {
        try (RoundTrips roundTrips = RoundTrips.to(gateway.url())) {
            assertThatThrownBy(() -> assertThatRoundTrips(roundTrips, () -> select(connection)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("connect to url()");
        }
    }

    @Test
    void aDatabaseThatRunsAlreadyIsReachedOverADistance() throws SQLException {
        try (RegionalDatabase database = RegionalDatabase.of(gateway.url(), "us-east1", "europe-west1")) {
            database.slow("us-east1", "europe-west1", Duration.ofMillis(30));
            try (Connection near = DriverManager.getConnection(database.url("us-east1"));
                    Connection far = database.dataSource("europe-west1").getConnection()) {
                select(near);
                long begun = System.nanoTime();
                select(far);
                assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(Duration.ofMillis(30));
            }
        }
    }
}
