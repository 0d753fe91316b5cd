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
 * Stages 7 to 10 where each region has a PostgreSQL server of its own, a {@link StageHandler} each. What must happen at once
 * happens in the transaction in which Flyway notes the stage on the primary region's server, so that a stage which was
 * interrupted is begun anew, and one that was reached is complete.
 */
final class MultiServerMigration {

    static final String HISTORY = "flyway_schema_history";

    private final RegionServers servers;
    private final MoveRows moveRows;
    private final PublishPromoCodes publishPromoCodes;
    private final Map<Stage, StageHandler> handlers = new EnumMap<>(Stage.class);
    private final Map<Stage, Duration> pauses = new EnumMap<>(Stage.class);

    /**
     * Those of a cluster.
     *
     * @throws io.movr.UserError when it runs in other regions than those of the map
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

    /** Clears away what an interrupted migration left, and leads gateways to their own servers if rows are there. */
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

    /** Copies Flyway's notes to every region, where an instance looks for its stage without leaving the region. */
    private void noteStages() {
        String there = HISTORY + "_primary";
        for (Gateway server : servers.others().values()) {
            ServerSql.on(
                    server,
                    statement -> statement.execute("INSERT INTO " + HISTORY + " SELECT * FROM " + there
                            + " WHERE installed_rank NOT IN (SELECT installed_rank FROM " + HISTORY + ")"));
        }
    }

    /** What can be done while the service goes on. */
    void prepare(Stage stage, Consumer<MigrationProgress> progress) {
        StageHandler handler = handlers.get(stage);
        if (handler != null) {
            handler.prepare(progress);
        }
    }

    /**
     * What must happen at once.
     *
     * @param primary a transaction on the primary region's server, which Flyway commits
     */
    void apply(Stage stage, Connection primary) throws SQLException {
        Objects.requireNonNull(handlers.get(stage), stage.id()).apply(primary);
    }

    /** What follows when the stage is reached. */
    void finish(Stage stage) {
        StageHandler handler = handlers.get(stage);
        if (handler != null) {
            handler.pause().ifPresent(pause -> pauses.put(stage, pause));
            noteStages();
            handler.finish();
        }
    }

    /** How long statements of others had to wait because tables were locked, or were to be locked, by stage. */
    Map<Stage, Duration> pauses() {
        return Map.copyOf(pauses);
    }
}
