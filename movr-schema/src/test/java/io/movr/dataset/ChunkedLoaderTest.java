package io.movr.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.TestDatabase;
import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Loads as into CockroachDB, into a PostgreSQL whose connections break: what a transaction promises is the same there. */
class ChunkedLoaderTest {

    private TestDatabase database;
    private Gateway gateway;

    @BeforeEach
    void freshDatabase() throws SQLException {
        database = TestDatabase.fresh();
        gateway = database.gateway();
        new Schema(Engine.POSTGRESQL, gateway).migrateTo(Stage.BASELINE);
    }

    @Test
    void theRowsAreThoseOfALoadInOneGo() throws SQLException {
        DatasetSpec spec = Scale.TINY.spec(1);
        loader().loadWithoutForeignKeys(spec, 2);
        assertThat(counts()).isEqualTo(expected(spec));
        assertThat(database.query("SELECT count(*) FROM movr_load_chunks")).containsExactly("0");
        assertThat(database.query("SELECT state FROM movr_loads")).containsExactly("complete");
        assertThatThrownBy(() -> loader().loadWithoutForeignKeys(spec, 2))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--replace");
    }

    @Tag("full")
    @Test
    void brokenConnectionsNeitherLoseNorDoubleRows() throws Exception {
        DatasetSpec spec = Scale.QUICK.spec(1);
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> loader().loadWithoutForeignKeys(spec, 2));
        int broken = 0;
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement()) {
            while (!load.isDone() && broken < 20) {
                // Only while rows travel: what comes before and after is not tried again.
                try (ResultSet killed = statement.executeQuery(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + gateway.database()
                                + "' AND query LIKE 'COPY%' LIMIT 1")) {
                    broken += killed.next() ? 1 : 0;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
        load.get(2, TimeUnit.MINUTES);
        assertThat(broken).isPositive();
        assertThat(counts()).isEqualTo(expected(spec));
    }

    @Test
    void whatWasInterruptedGoesOnAfterThePiecesThatAreThere() throws SQLException {
        DatasetSpec spec = Scale.TINY.spec(1);
        loader().loadWithoutForeignKeys(spec, 1);
        // What a death leaves: the note of the load, some pieces, and their notes.
        database.execute("DELETE FROM vehicle_location_histories");
        database.execute("UPDATE movr_loads SET state = 'loading " + ChunkedLoader.fingerprint(spec) + "'");
        List<Chunk> pieces = Chunk.of(spec, 5_000);
        for (int number = 0; number < pieces.size(); number++) {
            if (pieces.get(number).table() != Table.VEHICLE_LOCATION_HISTORIES) {
                database.execute("INSERT INTO movr_load_chunks VALUES (1, " + number + ")");
            }
        }
        assertThatThrownBy(() -> loader().loadWithoutForeignKeys(Scale.TINY.spec(2), 1))
                .hasMessageContaining("A load of other rows was interrupted");
        loader().loadWithoutForeignKeys(spec, 1);
        assertThat(counts()).isEqualTo(expected(spec));
    }

    @Test
    void rowsOfOtherCitiesAreAnotherLoad() throws SQLException {
        DatasetSpec spec = Scale.TINY.spec(1);
        List<String> cities = new ArrayList<>(spec.cities());
        cities.set(8, "oslo");
        DatasetSpec other = new DatasetSpec(
                1,
                cities,
                spec.users(),
                spec.vehicles(),
                spec.rides(),
                spec.histories(),
                spec.promoCodes(),
                spec.published());
        loader().loadWithoutForeignKeys(spec, 1);
        database.execute("UPDATE movr_loads SET state = 'loading " + ChunkedLoader.fingerprint(spec) + "'");
        assertThatThrownBy(() -> loader().loadWithoutForeignKeys(other, 1))
                .hasMessageContaining("A load of other rows was interrupted");
    }

    @Test
    void rowsThatAreThereWithoutANoteAreSaidAndNotDoubled() throws SQLException {
        DatasetSpec spec = Scale.TINY.spec(1);
        loader().loadWithoutForeignKeys(spec, 1);
        database.execute("UPDATE movr_loads SET state = 'loading " + ChunkedLoader.fingerprint(spec) + "'");
        assertThatThrownBy(() -> loader().loadWithoutForeignKeys(spec, 1))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("duplicate key");
        assertThat(counts()).isEqualTo(expected(spec));
    }

    private BulkLoader loader() {
        return new BulkLoader(Engine.COCKROACHDB, gateway, new LoadProgress());
    }

    private List<String> counts() throws SQLException {
        List<String> counts = new ArrayList<>();
        for (Table table : Table.values()) {
            counts.addAll(database.query("SELECT count(*) FROM " + table.sql()));
        }
        return counts;
    }

    /** The rows of each table. */
    static List<String> expected(DatasetSpec spec) {
        List<String> counts = new ArrayList<>();
        for (Table table : Table.values()) {
            counts.add(Long.toString(spec.count(table)));
        }
        return counts;
    }
}
