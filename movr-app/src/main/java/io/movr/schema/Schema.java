package io.movr.schema;

import io.movr.Refusal;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.jspecify.annotations.Nullable;

/** The schema of one database: at which stage it is, and how it gets to another. */
public final class Schema {

    /**
     * A stage as one database sees it.
     *
     * @param appliedAt when it was reached, nothing when it was not
     * @param tookMs how long that took, in milliseconds
     */
    public record Status(Stage stage, @Nullable Instant appliedAt, long tookMs) {}

    private final Engine engine;
    private final Gateway gateway;

    public Schema(Engine engine, Gateway gateway) {
        this.engine = engine;
        this.gateway = gateway;
    }

    /**
     * The stage that the database is at, nothing when it has no MovR tables yet.
     *
     * @throws Refusal when a stage failed half-way or a newer movr made it
     */
    public Optional<Stage> current() {
        MigrationInfo current = call(() -> flyway(Stage.latest()).info().current());
        if (current == null || current.getVersion() == null) {
            return Optional.empty();
        }
        MigrationVersion version = current.getVersion();
        return Optional.of(Stage.ofVersion(version)
                .orElseThrow(() -> new Refusal("The database is at version " + version
                        + ", which this movr does not know: use the newer movr that made it")));
    }

    public List<Status> stages() {
        List<MigrationInfo> known =
                Arrays.asList(call(() -> flyway(Stage.latest()).info().all()));
        List<Status> stages = new ArrayList<>();
        for (Stage stage : Stage.values()) {
            MigrationInfo applied = known.stream()
                    .filter(info -> stage.flywayVersion().equals(info.getVersion()))
                    .filter(info -> info.getInstalledOn() != null)
                    .findFirst()
                    .orElse(null);
            stages.add(
                    applied == null
                            ? new Status(stage, null, 0)
                            : new Status(stage, applied.getInstalledOn().toInstant(), applied.getExecutionTime()));
        }
        return stages;
    }

    /**
     * Brings the database to a stage. When it is there already nothing happens.
     *
     * @return the stages that were applied, in order
     * @throws Refusal when the database is past the stage, or a stage cannot be applied
     */
    public List<Stage> migrateTo(Stage target) {
        Optional<Stage> current = current();
        if (current.isPresent() && target.isBefore(current.get())) {
            throw new Refusal("The database is at stage " + current.get() + ", past " + target
                    + ", and stages go forward only: start afresh with another --data-dir or an empty database, and"
                    + " migrate that to " + target);
        }
        return call(() -> flyway(target).migrate().migrations.stream()
                .map(applied -> MigrationVersion.fromVersion(applied.version))
                .flatMap(version -> Stage.ofVersion(version).stream())
                .toList());
    }

    private Flyway flyway(Stage target) {
        return Flyway.configure()
                .dataSource(gateway.url(), null, null)
                .locations("classpath:db/migration/" + engine.folder())
                .failOnMissingLocations(true)
                .target(target.flywayVersion())
                .load();
    }

    private <T> T call(FlywayCall<T> call) {
        try {
            return call.run();
        } catch (FlywayException failed) {
            Throwable cause = failed;
            while (cause.getCause() instanceof java.sql.SQLException) {
                cause = cause.getCause();
            }
            String reason = failed.getMessage() != null && failed.getMessage().contains("non-empty schema")
                    ? "it holds tables that movr did not make; name an empty one"
                    : Refusal.firstLine(cause);
            throw new Refusal("Cannot read or migrate the schema of " + gateway.shown() + ": " + reason, failed);
        }
    }

    private interface FlywayCall<T> {
        T run();
    }
}
