package io.movr.check;

import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.workload.DirectSession;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The database of the lists.
 *
 * @param gateways its gateways by region, or by {@code server}
 * @param temporary the database that is dropped at the end on a server that the user has named; otherwise
 *     {@code null}
 */
record CheckDatabase(
        Gateway direct,
        Map<String, Gateway> gateways,
        @Nullable Databases temporary) implements AutoCloseable {

    /**
     * Opens the database of the lists.
     *
     * @throws io.movr.UserError if it is behind a connection pooler
     */
    static CheckDatabase of(Cluster cluster, DatabaseSource source) {
        if (source.hasUrl()) {
            DirectSession.require(cluster.gateway());
        }
        Databases temporary = source.hasUrl() ? new Databases(cluster) : null;
        Gateway direct = temporary == null ? cluster.gateway() : temporary.create("check");
        Map<String, Gateway> gateways = new LinkedHashMap<>();
        cluster.gateways()
                .forEach((region, gateway) -> gateways.put(region.name(), gateway.toDatabase(direct.database())));
        if (gateways.isEmpty()) {
            gateways.put("server", direct);
        }
        return new CheckDatabase(direct, gateways, temporary);
    }

    @Override
    public void close() {
        if (temporary != null) {
            temporary.close();
        }
    }
}
