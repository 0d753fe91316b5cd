package io.movr.testing;

import static io.movr.testing.MovrAssertions.assertThatRoundTrips;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.database.Gateway;
import io.movr.database.Rows;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@Regions({"us-east1", "europe-west1"})
class RegionsTest {

    @BeforeEach
    void createTable(RegionalDatabase database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url("us-east1"))) {
            Rows.execute(connection, "CREATE TABLE notes (text VARCHAR)");
            Rows.execute(connection, "INSERT INTO notes VALUES ('first')");
        }
    }

    @Test
    void aStatementOfADistantRegionTakesARoundTripToTheServer(RegionalDatabase database) throws SQLException {
        DataSource europe = database.dataSource("europe-west1");
        assertThat(database.dataSource("europe-west1")).isSameAs(europe);
        try (Connection connection = europe.getConnection()) {
            assertThat(timeOfASelect(connection)).isGreaterThanOrEqualTo(Duration.ofMillis(64));
            database.slow("europe-west1", "us-east1", Duration.ofMillis(150));
            assertThat(timeOfASelect(connection)).isGreaterThanOrEqualTo(Duration.ofMillis(150));
        }
    }

    private static Duration timeOfASelect(Connection connection) throws SQLException {
        long begun = System.nanoTime();
        assertThat(Rows.one(connection, "SELECT text FROM notes")).isEqualTo("first");
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    @Test
    void aLinkThatIsCutAnswersNothingUntilItIsMended(RegionalDatabase database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url("europe-west1"))) {
            connection.setNetworkTimeout(Runnable::run, 500);
            database.cut("us-east1", "europe-west1");
            assertThatThrownBy(() -> timeOfASelect(connection)).isInstanceOf(SQLException.class);
        }
        try (Connection near = DriverManager.getConnection(database.url("us-east1"))) {
            timeOfASelect(near);
        }
        database.mend("us-east1", "europe-west1");
        try (Connection connection = DriverManager.getConnection(database.url("europe-west1"))) {
            timeOfASelect(connection);
        }
    }

    @Test
    void roundTripsOfADistantRegionAreCountedToo(RegionalDatabase database) throws SQLException {
        try (RoundTrips roundTrips = RoundTrips.to(database.url("europe-west1"));
                Connection connection = DriverManager.getConnection(roundTrips.url())) {
            assertThatRoundTrips(roundTrips, () -> timeOfASelect(connection)).isEqualTo(1);
        }
    }

    @Test
    void aRegionOrALinkThatIsNotThereIsRefused(RegionalDatabase database) {
        assertThatThrownBy(() -> database.url("mars"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("There is no region 'mars': choose one of us-east1, europe-west1");
        assertThatThrownBy(() -> database.cut("us-east1", "us-east1"))
                .hasMessageContaining("There is no link between us-east1 and us-east1");
        assertThatThrownBy(() -> RegionalDatabase.of(database.url("us-east1"), "us-east1", "us-east1"))
                .hasMessage("The region us-east1 is named twice");
        assertThatThrownBy(() -> new RegionalDatabase(new Gateway(database.url("us-east1")), List.of(), () -> {}))
                .hasMessage("There is no region: name at least one");
    }

    /** The method's own regions come before those of the class, and a nested class has those of the outer one. */
    @Nested
    class InANestedClass {

        @Test
        @Regions({"us-east1", "us-west1"})
        void aMethodMayHaveRegionsOfItsOwn(RegionalDatabase database) throws SQLException {
            try (Connection connection = DriverManager.getConnection(database.url("us-west1"))) {
                assertThat(Rows.one(connection, "SELECT count(*) FROM notes")).isEqualTo("1");
            }
            assertThatThrownBy(() -> database.url("europe-west1")).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
