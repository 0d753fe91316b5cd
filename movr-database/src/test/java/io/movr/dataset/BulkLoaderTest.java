package io.movr.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.TestDatabase;
import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BulkLoaderTest {

    private TestDatabase database;
    private Gateway gateway;

    @BeforeEach
    void freshDatabase() throws SQLException {
        database = TestDatabase.fresh();
        gateway = database.gateway();
    }

    @Test
    void theTablesHoldExactlyTheRowsOfTheGenerator() throws SQLException {
        DatasetSpec spec = Scale.TINY.spec(1);
        BulkLoader.Result result = loader().load(spec, 2, IfFilled.REFUSE);
        assertThat(result.rows()).isEqualTo(spec.totalRows());
        assertThat(counts()).isEqualTo(expectedCounts(spec));
        Answers answers = new Answers(spec);
        List<String> ride = answers.publishedRide().orElseThrow();
        assertThat(database.query(
                        "SELECT id, city, vehicle_city, rider_id, vehicle_id, start_address, end_address, start_time,"
                                + " end_time, revenue FROM rides WHERE city = 'boston' AND id = '" + PublishedRows.RIDE
                                + "'"))
                .containsExactly(String.join("|", ride));
        assertThat(new Schema(Engine.POSTGRESQL, gateway).current()).contains(Stage.FOREIGN_KEYS);
        assertThat(database.query("SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND convalidated"))
                .containsExactly("5");
        assertThat(database.query("SELECT count(*) FROM pg_stats WHERE tablename = 'rides'"))
                .isNotEqualTo(List.of("0"));
    }

    @Test
    void aSecondLoadIsRefusedAndChangesNothing() throws SQLException {
        DatasetSpec spec = Scale.TINY.spec(1);
        loader().load(spec, 2, IfFilled.REFUSE);
        assertThatThrownBy(() -> loader().load(spec, 2, IfFilled.REFUSE))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--append")
                .hasMessageContaining("--replace");
        assertThat(counts()).isEqualTo(expectedCounts(spec));
    }

    @Test
    void appendingAnotherSeedAddsItsRowsAndTheSameSeedIsRefused() throws SQLException {
        DatasetSpec spec = Scale.TINY.spec(1);
        loader().load(spec, 2, IfFilled.REFUSE);
        loader().load(Scale.TINY.spec(2), 2, IfFilled.APPEND);
        List<Long> twice = expectedCounts(spec).stream().map(count -> 2 * count).toList();
        assertThat(counts()).isEqualTo(twice);
        assertThatThrownBy(() -> loader().load(Scale.TINY.spec(2), 2, IfFilled.APPEND))
                .hasMessageContaining("seed 2");
        assertThat(counts()).isEqualTo(twice);
    }

    @Test
    void replacingLeavesTheNewRowsOnly() throws SQLException {
        loader().load(Scale.TINY.spec(1), 2, IfFilled.REFUSE);
        loader().load(Scale.TINY.spec(3), 2, IfFilled.REPLACE);
        assertThat(counts()).isEqualTo(expectedCounts(Scale.TINY.spec(3)));
        assertThat(database.query("SELECT seed, state FROM movr_loads")).containsExactly("3|complete");
    }

    @Test
    void aFailureInTheMiddleLeavesEmptyTablesEmpty() throws SQLException {
        new Schema(Engine.POSTGRESQL, gateway).migrateTo(Stage.BASELINE);
        database.execute("ALTER TABLE rides ADD CONSTRAINT late CHECK (revenue IS NULL OR revenue < 17)");
        assertThatThrownBy(() -> loader().load(Scale.TINY.spec(1), 2, IfFilled.REFUSE))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("the tables are as they were before")
                .hasMessageContaining("late");
        assertThat(counts()).containsOnly(0L);
    }

    @Test
    void aFailedReplacementKeepsTheOldRows() throws SQLException {
        loader().load(Scale.TINY.spec(1), 2, IfFilled.REFUSE);
        List<String> before = database.query("SELECT md5(string_agg(r::text, '' ORDER BY city, id)) FROM rides r");
        database.execute("ALTER TABLE rides ADD CONSTRAINT late CHECK (start_address <> '"
                + new Answers(Scale.TINY.spec(2)).row(Table.RIDES, 999).get(5) + "') NOT VALID");
        assertThatThrownBy(() -> loader().load(Scale.TINY.spec(2), 2, IfFilled.REPLACE))
                .hasMessageContaining("late");
        assertThat(database.query("SELECT md5(string_agg(r::text, '' ORDER BY city, id)) FROM rides r"))
                .isEqualTo(before);
    }

    @Test
    void aLoadThatDiedBetweenItsCommitsIsCleanedUpByTheNext() throws SQLException {
        DatasetSpec spec = Scale.TINY.spec(1);
        loader().load(spec, 1, IfFilled.REFUSE);
        // What such a death leaves: some of the rows, and the note that the others were about to follow.
        database.execute("DELETE FROM vehicle_location_histories");
        database.execute("UPDATE movr_loads SET state = 'committing'");
        loader().load(spec, 1, IfFilled.REFUSE);
        assertThat(counts()).isEqualTo(expectedCounts(spec));
    }

    @Test
    void twoLoadsAtOnceDoNotMix() throws SQLException {
        new Schema(Engine.POSTGRESQL, gateway).migrateTo(Stage.BASELINE);
        try (Connection other = gateway.connect();
                Statement statement = other.createStatement()) {
            statement.execute("SELECT pg_advisory_lock(" + 0x4D6F7652L + ")");
            assertThatThrownBy(() -> loader().load(Scale.TINY.spec(1), 1, IfFilled.REFUSE))
                    .hasMessageContaining("Another load");
        }
    }

    private BulkLoader loader() {
        return new BulkLoader(Engine.POSTGRESQL, gateway, new LoadProgress());
    }

    private List<Long> counts() throws SQLException {
        List<Long> counts = new ArrayList<>();
        for (Table table : Table.values()) {
            counts.add(Long.valueOf(
                    database.query("SELECT count(*) FROM " + table.sql()).get(0)));
        }
        return counts;
    }

    private static List<Long> expectedCounts(DatasetSpec spec) {
        List<Long> counts = new ArrayList<>();
        for (Table table : Table.values()) {
            counts.add(spec.count(table));
        }
        return counts;
    }
}
