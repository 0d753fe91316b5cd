package io.movr.schema;

import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The clean-up before a migration of CockroachDB. There a stage is not a transaction: a stage that failed or was killed leaves
 * Flyway's note of the failure, its lock, and running jobs. Its statements can be repeated, so the stage is applied again.
 */
final class FailedMigrationCleanup {

    private static final Duration JOBS_LIMIT = Duration.ofMinutes(30);
    private static final int REGIONS_TO_SURVIVE = 3;

    private final Gateway gateway;

    FailedMigrationCleanup(Gateway gateway) {
        this.gateway = gateway;
    }

    /** Returns why the cluster lacks the regions of a stage; empty if it has them. */
    Optional<String> missingRegions(RegionMap regions, Stage target) {
        if (!target.isRegional()) {
            return Optional.empty();
        }
        List<String> wanted =
                regions.cities().keySet().stream().map(Region::name).toList();
        if (target == Stage.REGION_SURVIVAL && wanted.size() < REGIONS_TO_SURVIVE) {
            return Optional.of("a region can fail where there are three, not " + wanted);
        }
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT region FROM [SHOW REGIONS FROM CLUSTER] ORDER BY 1")) {
            List<String> there = new ArrayList<>();
            while (rows.next()) {
                there.add(rows.getString(1));
            }
            return there.containsAll(wanted)
                    ? Optional.empty()
                    : Optional.of("the cluster's nodes are in the regions " + there + ", not in all of " + wanted);
        } catch (SQLException failed) {
            return Optional.of("the cluster does not say its regions (" + UserError.firstLine(failed) + ")");
        }
    }

    /**
     * Waits for running schema changes, then removes the lock and the note of a failure. In an empty database it creates
     * Flyway's table.
     *
     * @throws UserError if another migration is running
     */
    void clear(Consumer<MigrationProgress> progress) {
        try (Connection connection = gateway.connect("movr-migrate-prepare");
                Statement statement = connection.createStatement()) {
            awaitJobs(statement, progress);
            try (ResultSet there = statement.executeQuery(
                    "SELECT 1 FROM pg_tables WHERE schemaname = 'public' AND tablename = 'flyway_schema_history'")) {
                if (!there.next()) {
                    createHistory(statement);
                    return;
                }
            }
            try (ResultSet other = statement.executeQuery("SELECT 1 FROM [SHOW CLUSTER SESSIONS] s,"
                    + " flyway_schema_history f WHERE s.application_name = '" + MigrationWatch.MIGRATING
                    + "' AND f.installed_rank = -100")) {
                if (other.next()) {
                    throw new UserError("Another migration of " + gateway.shown() + " is running: wait for it to end");
                }
            }
            statement.execute("DELETE FROM flyway_schema_history WHERE installed_rank = -100 OR NOT success");
        } catch (SQLException failed) {
            throw new UserError("Cannot prepare the migration: " + UserError.firstLine(failed), failed);
        }
    }

    /**
     * Makes Flyway's table in a database without tables, with its index in the same statement. Flyway itself would have the index
     * made afterwards, which is a job of the server.
     */
    private static void createHistory(Statement statement) throws SQLException {
        try (ResultSet empty = statement.executeQuery("SELECT current_schema() = 'public'"
                + " AND NOT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = 'public')")) {
            if (!empty.next() || !empty.getBoolean(1)) {
                return;
            }
        }
        statement.execute("""
                CREATE TABLE IF NOT EXISTS flyway_schema_history (
                    installed_rank INT NOT NULL PRIMARY KEY,
                    version VARCHAR(50),
                    description VARCHAR(200) NOT NULL,
                    type VARCHAR(20) NOT NULL,
                    script VARCHAR(1000) NOT NULL,
                    checksum INTEGER,
                    installed_by VARCHAR(100) NOT NULL,
                    installed_on TIMESTAMP NOT NULL DEFAULT now(),
                    execution_time INTEGER NOT NULL,
                    success BOOLEAN NOT NULL,
                    INDEX flyway_schema_history_s_idx (success)
                )""");
    }

    private void awaitJobs(Statement statement, Consumer<MigrationProgress> progress) throws SQLException {
        long begun = System.nanoTime();
        while (true) {
            try (ResultSet jobs = statement.executeQuery("SELECT description, fraction_completed FROM [SHOW JOBS]"
                    + " WHERE status IN ('pending', 'running', 'reverting')"
                    + " AND job_type IN ('SCHEMA CHANGE', 'NEW SCHEMA CHANGE') LIMIT 1")) {
                if (!jobs.next()) {
                    return;
                }
                Duration since = Duration.ofNanos(System.nanoTime() - begun);
                if (since.compareTo(JOBS_LIMIT) > 0) {
                    throw new UserError("A schema change is still running after " + JOBS_LIMIT.toMinutes()
                            + " minutes: " + jobs.getString(1) + ". See SHOW JOBS");
                }
                progress.accept(new MigrationProgress(
                        "waiting for a running schema change: " + jobs.getString(1), since, jobs.getDouble(2)));
            }
            try {
                TimeUnit.SECONDS.sleep(1);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new UserError("Waiting for a schema change was interrupted", interrupted);
            }
        }
    }
}
