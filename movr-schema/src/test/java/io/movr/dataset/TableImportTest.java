package io.movr.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.database.Databases;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.LocalCockroach;
import io.movr.database.Rows;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGProperty;

/** Loads into a real CockroachDB, where its program is on the path. */
@Tag("full")
class TableImportTest {

    /** Rides go by import, all others by COPY. */
    private static final DatasetSpec SPEC = Scale.QUICK.spec(1);

    private static LocalCockroach node;

    private Databases databases;
    private Gateway gateway;

    @BeforeAll
    static void start() {
        assumeTrue(LocalCockroach.onPath().isPresent(), "There is no program 'cockroach' on the path");
        node = LocalCockroach.ofOneNode(null);
    }

    @AfterAll
    static void stop() {
        if (node != null) {
            node.close();
        }
    }

    @BeforeEach
    void freshDatabase() {
        databases = new Databases(node);
        gateway = databases.create("import");
        new Schema(Engine.COCKROACHDB, gateway).migrateTo(Stage.BASELINE);
    }

    @AfterEach
    void dropDatabases() {
        databases.close();
    }

    @Test
    void importedTablesAreThoseThatCopyMakes() throws Exception {
        assertThat(SPEC.count(Table.RIDES)).isGreaterThan(TableImport.MIN_ROWS);
        load(gateway, SPEC);
        Gateway other = databases.create("copied");
        new Schema(Engine.COCKROACHDB, other).migrateTo(Stage.BASELINE);
        try (Connection connection = other.connect()) {
            Dataset dataset = new Dataset(SPEC);
            for (Chunk chunk : Chunk.of(SPEC)) {
                BulkLoader.copy(connection, dataset, chunk, CopyRows.Format.TEXT, (rows, bytes) -> {});
            }
        }
        for (Table table : Table.values()) {
            String fingerprint = "SHOW EXPERIMENTAL_FINGERPRINTS FROM TABLE " + table.sql();
            assertThat(query(gateway, fingerprint)).as(fingerprint).isEqualTo(query(other, fingerprint));
            String definition = "SHOW CREATE TABLE " + table.sql();
            assertThat(query(gateway, definition)).as(definition).isEqualTo(query(other, definition));
        }
        // Rides, and the places of vehicles.
        assertThat(imports(gateway)).isEqualTo(2);
    }

    @Test
    void anImportWhoseProcessIsGoneIsEndedAndDoneAgain() throws Exception {
        begin();
        try (Connection connection = gateway.connect()) {
            Rows.execute(
                    connection,
                    "IMPORT INTO rides (\"" + String.join("\", \"", Table.RIDES.columns())
                            + "\") DELIMITED DATA ('http://127.0.0.1:1/gone/rides/0/50000')"
                            + " WITH fields_escaped_by = '\\', detached");
        }
        load(gateway, SPEC);
        assertThat(counts(gateway)).isEqualTo(ChunkedLoaderTest.expected(SPEC));
    }

    @Test
    void rowsThatWereImportedBeforeADeathAreNotImportedAgain() throws Exception {
        load(gateway, SPEC);
        begin();
        try (Connection connection = gateway.connect()) {
            List<Chunk> pieces = Chunk.of(SPEC, 5_000);
            for (int number = 0; number < pieces.size(); number++) {
                if (pieces.get(number).table() != Table.RIDES) {
                    Rows.execute(connection, "INSERT INTO movr_load_chunks VALUES (1, " + number + ")");
                }
            }
        }
        load(gateway, SPEC);
        assertThat(counts(gateway)).isEqualTo(ChunkedLoaderTest.expected(SPEC));
        assertThat(query(gateway, "SELECT count(*) FROM movr_load_chunks")).containsExactly("0");
    }

    @Test
    void rowsOfAUserWhoMayNotImportAreSent() throws Exception {
        Gateway database = databases.create("own");
        try (Connection connection = database.connect()) {
            Rows.execute(connection, "CREATE USER IF NOT EXISTS loader");
            Rows.execute(connection, "ALTER DATABASE " + database.database() + " OWNER TO loader");
        }
        Gateway own = database.with(PGProperty.USER, "loader");
        new Schema(Engine.COCKROACHDB, own).migrateTo(Stage.BASELINE);
        load(own, SPEC);
        assertThat(counts(own)).isEqualTo(ChunkedLoaderTest.expected(SPEC));
        assertThat(imports(own)).isZero();
    }

    /** Leaves the notes of a load that died while rides were imported. */
    private void begin() throws SQLException {
        try (Connection connection = gateway.connect()) {
            BulkLoader.createNotes(connection);
            Rows.execute(connection, "DELETE FROM movr_loads WHERE true");
            Rows.execute(
                    connection,
                    "INSERT INTO movr_loads VALUES (1, 'loading " + ChunkedLoader.fingerprint(SPEC) + "', 0)");
            ChunkedLoader.createNotes(connection);
            Rows.execute(connection, "INSERT INTO movr_load_chunks VALUES (1, -1 - " + Table.RIDES.number() + ")");
        }
    }

    private static void load(Gateway gateway, DatasetSpec spec) {
        new BulkLoader(Engine.COCKROACHDB, gateway, new LoadProgress()).loadWithoutForeignKeys(spec, 2);
    }

    private static long imports(Gateway database) throws SQLException {
        return query(node.gateway(), "SELECT description FROM [SHOW JOBS] WHERE job_type = 'IMPORT'").stream()
                .filter(job -> job.contains(database.database()))
                .count();
    }

    private static List<String> counts(Gateway gateway) throws SQLException {
        List<String> counts = new ArrayList<>();
        for (Table table : Table.values()) {
            counts.addAll(query(gateway, "SELECT count(*) FROM " + table.sql()));
        }
        return counts;
    }

    private static List<String> query(Gateway gateway, String sql) throws SQLException {
        try (Connection connection = gateway.connect()) {
            return Rows.query(connection, sql, List.of()).stream()
                    .map(row -> String.join(" ", row))
                    .toList();
        }
    }
}
