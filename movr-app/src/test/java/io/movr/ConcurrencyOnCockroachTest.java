package io.movr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.LocalCockroach;
import io.movr.database.OtherDatabase;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The same on CockroachDB, which answers transactions that meet with SQLSTATE 40001, also when they commit. */
@Tag("full")
class ConcurrencyOnCockroachTest extends ConcurrencyTest {

    private static final Map<Stage, Gateway> DATABASES = new EnumMap<>(Stage.class);

    private static LocalCockroach server;

    @BeforeAll
    static void startServer() {
        assumeTrue(LocalCockroach.onPath().isPresent(), "There is no program 'cockroach' on the path");
        server = LocalCockroach.ofOneNode(null);
    }

    /** Otherwise nothing was tried here that PostgreSQL had not been tried with. */
    @AfterAll
    static void serializationFailuresWereMet() {
        if (server != null) {
            try (LocalCockroach last = server) {
                assertThat(started("serializable", Stage.UNUSED_INDEX_DROPPED)
                                .metric("movr_transactions_retries_total", "cause=\"serialization\""))
                        .as("attempts that ended with 40001 on %s", last.version())
                        .isPositive();
            }
        }
    }

    @Override
    Gateway database(Stage stage) {
        return DATABASES.computeIfAbsent(stage, ConcurrencyOnCockroachTest::newDatabase);
    }

    private static Gateway newDatabase(Stage stage) {
        Gateway database =
                OtherDatabase.create(server, "concurrency_" + stage.version()).gateway();
        new Schema(Engine.COCKROACHDB, database).migrateTo(stage);
        return database;
    }

    /** The last one that one node has. */
    @Override
    Stage stage() {
        return Stage.UNUSED_INDEX_DROPPED;
    }
}
