package io.movr.schema;

import io.movr.database.Engine;
import io.movr.region.RegionMap;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.migration.Context;
import org.flywaydb.core.api.migration.JavaMigration;
import org.jspecify.annotations.Nullable;

/** A stage that places rows in regions, for Flyway. */
final class RegionalMigration implements JavaMigration {

    private final Engine engine;
    private final Stage stage;
    private final RegionMap regions;
    private final @Nullable MultiServerMigration servers;
    private final Consumer<AppliedStatement> applied;

    /**
     * A stage.
     *
     * @param servers where each region has a server of its own
     * @param applied receives each statement that was run outside a transaction
     */
    RegionalMigration(
            Engine engine,
            Stage stage,
            RegionMap regions,
            @Nullable MultiServerMigration servers,
            Consumer<AppliedStatement> applied) {
        this.engine = engine;
        this.stage = stage;
        this.regions = regions;
        this.servers = servers;
        this.applied = applied;
    }

    @Override
    public MigrationVersion getVersion() {
        return stage.flywayVersion();
    }

    @Override
    public String getDescription() {
        return stage.id().replace('-', ' ');
    }

    /** Returns the checksum of the region map, so that a database for other regions, cities or nodes is not migrated further. */
    @Override
    public Integer getChecksum() {
        CRC32 sum = new CRC32();
        sum.update(regions.cities().toString().getBytes(StandardCharsets.UTF_8));
        if (!regions.survivesLossOfNode()) {
            sum.update(regions.nodes());
        }
        return (int) sum.getValue();
    }

    @Override
    public boolean canExecuteInTransaction() {
        return engine.hasTransactionalDdl();
    }

    @Override
    public void migrate(Context context) throws SQLException {
        apply(context.getConnection());
    }

    void apply(Connection connection) throws SQLException {
        if (servers != null) {
            servers.apply(stage, connection);
            return;
        }
        apply(connection, EngineStages.of(engine, regions).changes(stage));
    }

    void applyHalf(Connection connection) throws SQLException {
        List<Change> changes = EngineStages.of(engine, regions).changes(stage);
        apply(connection, changes.subList(0, changes.size() / 2));
    }

    private void apply(Connection connection, List<Change> changes) throws SQLException {
        String database = Sql.name(connection.getCatalog());
        for (Change change : changes) {
            Change statement = change.in(database);
            Instant started = Instant.now();
            if (statement.apply(connection) && !canExecuteInTransaction()) {
                applied.accept(new AppliedStatement(
                        stage, statement.sql(), started, Duration.between(started, Instant.now())));
            }
        }
    }
}
