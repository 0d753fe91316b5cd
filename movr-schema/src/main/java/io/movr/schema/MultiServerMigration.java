package io.movr.schema;

import io.movr.database.EmbeddedRegions;
import io.movr.database.Gateway;
import io.movr.region.RegionMap;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stages 7 to 10 on regions that each have a PostgreSQL server, with a {@link StageHandler} for each stage. The atomic part of a
 * stage runs in the transaction in which Flyway records the stage on the primary region's server: an interrupted stage is
 * applied again, and a recorded stage is complete.
 */
final class MultiServerMigration {

    static final String HISTORY = "flyway_schema_history";

    private final RegionServers servers;
    private final MoveRows moveRows;
    private final PublishPromoCodes publishPromoCodes;
    private final Map<Stage, StageHandler> handlers = new EnumMap<>(Stage.class);
    private final Map<Stage, Duration> pauses = new EnumMap<>(Stage.class);

    /**
     * Creates an instance for a cluster.
     *
     * @throws io.movr.UserError if its regions are not the regions of the map
     */
    MultiServerMigration(EmbeddedRegions cluster, RegionMap regions) {
        servers = new RegionServers(cluster, regions);
        moveRows = new MoveRows(servers);
        publishPromoCodes = new PublishPromoCodes(servers);
        handlers.put(Stage.GEO_PARTITIONED, moveRows);
        handlers.put(Stage.DATABASE_REGIONS, new NameRegions(servers));
        handlers.put(Stage.GLOBAL_PROMO_CODES, publishPromoCodes);
        handlers.put(Stage.REGIONAL_BY_ROW, new AddRegionColumn(servers));
    }

    /** Removes the objects of an interrupted migration, and redirects gateways to their own servers if these have rows. */
    void tidy(@Nullable Stage current) {
        boolean placed = current != null && current.isRegional();
        boolean haveColumn = current != null && !current.isBefore(Stage.REGIONAL_BY_ROW);
        servers.others()
                .forEach((region, server) -> ServerSql.on(server, statement -> {
                    MoveRows.endOn(region, statement);
                    if (placed) {
                        if (!haveColumn) {
                            AddRegionColumn.undoOn(statement);
                        }
                        publishPromoCodes.reconnect(region, statement);
                    }
                }));
        moveRows.end();
        if (placed) {
            noteStages();
            servers.rerouteToHomes();
        }
    }

    /** Copies Flyway's history to every region, so that an instance reads its stage within its region. */
    private void noteStages() {
        String there = HISTORY + "_primary";
        for (Gateway server : servers.others().values()) {
            ServerSql.on(
                    server,
                    statement -> statement.execute("INSERT INTO " + HISTORY + " SELECT * FROM " + there
                            + " WHERE installed_rank NOT IN (SELECT installed_rank FROM " + HISTORY + ")"));
        }
    }

    /** Runs the part of the stage that needs no lock, while the service is running. */
    void prepare(Stage stage, Consumer<MigrationProgress> progress) {
        StageHandler handler = handlers.get(stage);
        if (handler != null) {
            handler.prepare(progress);
        }
    }

    /**
     * Runs the atomic part of the stage.
     *
     * @param primary a transaction on the primary region's server, which Flyway commits
     */
    void apply(Stage stage, Connection primary) throws SQLException {
        Objects.requireNonNull(handlers.get(stage), stage.id()).apply(primary);
    }

    /** Runs the part of the stage that follows its commit. */
    void finish(Stage stage) {
        StageHandler handler = handlers.get(stage);
        if (handler != null) {
            handler.pause().ifPresent(pause -> pauses.put(stage, pause));
            noteStages();
            handler.finish();
        }
    }

    /** Returns how long tables were locked or waited for, by stage; other sessions' statements waited for that time. */
    Map<Stage, Duration> pauses() {
        return Map.copyOf(pauses);
    }
}
