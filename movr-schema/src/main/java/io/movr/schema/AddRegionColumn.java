package io.movr.schema;

import io.movr.database.Gateway;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The stage that adds the region column to every row, on all servers in one step. */
final class AddRegionColumn implements StageHandler {

    private final RegionServers servers;
    private final TableLock lock = new TableLock();

    AddRegionColumn(RegionServers servers) {
        this.servers = servers;
    }

    /** Drops the column from another region's server, which commits before the primary region's server, whose commit may fail. */
    static void undoOn(Statement statement) throws SQLException {
        for (String table : EngineStages.TABLES) {
            statement.execute("ALTER TABLE " + table + " DROP COLUMN IF EXISTS region");
        }
    }

    /**
     * The column is virtual, which rewrites no row, and because postgres_fdw sends an UPDATE as it is only to tables without a
     * stored one. The other servers commit first; until the primary region's server commits, its tables stay locked, because no
     * row may be written without the column.
     */
    @Override
    public void apply(Connection primary) throws SQLException {
        List<Connection> open = new ArrayList<>();
        try {
            for (Gateway server : servers.others().values()) {
                Connection connection = server.connect(MigrationWatch.MIGRATING);
                open.add(connection);
                connection.setAutoCommit(false);
            }
            List<Connection> all = new ArrayList<>(open);
            all.add(primary);
            lock.on(all);
            List<String> statements = servers.statements(Stage.REGIONAL_BY_ROW).stream()
                    .map(sql -> sql.replace("ADD COLUMN", "ADD COLUMN IF NOT EXISTS")
                            .replace(" STORED", " VIRTUAL"))
                    .toList();
            for (Connection connection : all) {
                ServerSql.executeAll(connection, statements);
            }
            for (Connection connection : open) {
                connection.commit();
            }
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
    }

    @Override
    public Optional<Duration> pause() {
        return Optional.of(lock.held());
    }
}
