package io.movr.schema;

import io.movr.database.Gateway;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** The stage that records all regions and its own region on every server. */
final class NameRegions implements StageHandler {

    private final RegionServers servers;

    NameRegions(RegionServers servers) {
        this.servers = servers;
    }

    @Override
    public void apply(Connection primary) throws SQLException {
        List<String> statements = servers.statements(Stage.DATABASE_REGIONS);
        for (Gateway server : servers.others().values()) {
            ServerSql.on(server, statement -> {
                statement.execute("DROP FUNCTION IF EXISTS gateway_region()");
                statement.execute("DROP TABLE IF EXISTS regions");
                ServerSql.executeAll(statement, statements);
            });
        }
        ServerSql.executeAll(primary, statements);
    }
}
