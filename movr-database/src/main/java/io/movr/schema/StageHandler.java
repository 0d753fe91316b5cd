package io.movr.schema;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** How a stage is reached where each region has a server of its own. What was interrupted is begun anew. */
interface StageHandler {

    /** What can be done while the service goes on. */
    default void prepare(Consumer<MigrationProgress> progress) {}

    /**
     * What must happen at once.
     *
     * @param primary a transaction on the primary region's server, which Flyway commits
     */
    void apply(Connection primary) throws SQLException;

    /** What follows when the stage is reached. */
    default void finish() {}

    /** How long statements of others have had to wait because tables were locked, or were to be locked; empty if none were. */
    default Optional<Duration> pause() {
        return Optional.empty();
    }
}
