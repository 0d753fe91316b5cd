package io.movr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.LocalCockroach;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The same on CockroachDB, which answers transactions that meet with SQLSTATE 40001, also when they commit. */
@Tag("full")
class ConcurrencyOnCockroachTest extends ConcurrencyTest {

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

    /** The last one that one node has, or another. */
    @Override
    Gateway database(Stage stage) {
        String name = "concurrency_" + stage.version();
        try (Connection connection = server.gateway().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE IF NOT EXISTS " + name);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        Gateway database = server.gateway().toDatabase(name);
        new Schema(Engine.COCKROACHDB, database).migrateTo(stage);
        return database;
    }

    @Override
    Stage stage() {
        return Stage.UNUSED_INDEX_DROPPED;
    }
}
