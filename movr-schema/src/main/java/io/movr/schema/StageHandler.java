package io.movr.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** How a stage is reached where each region has a server of its own. What was interrupted is begun anew. */
interface StageHandler {

    /** Runs the part of the stage that needs no lock, while the service is running. */
    default void prepare(Consumer<MigrationProgress> progress) {}

    /**
     * Runs the atomic part of the stage.
     *
     * @param primary a transaction on the primary region's server, which Flyway commits
     */
    void apply(Connection primary) throws SQLException;

    /** Runs the part of the stage that follows its commit. */
    default void finish() {}

    /**
     * Returns how long statements of others have had to wait because tables were locked, or were to be locked; empty if
     * none were.
     */
    default Optional<Duration> pause() {
        return Optional.empty();
    }
}
