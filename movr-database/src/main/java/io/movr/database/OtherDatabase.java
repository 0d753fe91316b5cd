package io.movr.database;

import io.movr.UserError;
import io.movr.region.Region;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A further database of a cluster. It shares the servers of that cluster; closing it has no effect. */
public final class OtherDatabase implements Cluster {

    private final Cluster servers;
    private final Gateway gateway;
    private final Map<Region, Gateway> gateways;

    private OtherDatabase(Cluster servers, String name) {
        if (!servers.servers().isEmpty()) {
            throw new IllegalArgumentException("Where each region has a server of its own there is one database only");
        }
        this.servers = servers;
        this.gateway = servers.gateway().toDatabase(name);
        Map<Region, Gateway> byRegion = new LinkedHashMap<>();
        servers.gateways().forEach((region, endpoint) -> byRegion.put(region, endpoint.toDatabase(name)));
        this.gateways = Collections.unmodifiableMap(byRegion);
    }

    /**
     * Returns an existing database of the cluster.
     *
     * @throws UserError when it cannot be reached
     */
    public static OtherDatabase of(Cluster servers, String name) {
        OtherDatabase other = new OtherDatabase(servers, name);
        Cluster.askVersion(other.gateway());
        return other;
    }

    /**
     * Creates an empty database, whose text sorts by bytes.
     *
     * @throws UserError when the server refuses
     */
    public static OtherDatabase create(Cluster servers, String name) {
        try (Connection connection = servers.gateway().connect()) {
            Rows.execute(connection, servers.engine().createDatabase(name));
        } catch (SQLException failed) {
            throw new UserError(
                    "Cannot create the database " + name + " at "
                            + servers.gateway().shown() + ": " + UserError.firstLine(failed),
                    failed);
        }
        return new OtherDatabase(servers, name);
    }

    @Override
    public Engine engine() {
        return servers.engine();
    }

    @Override
    public String version() {
        return servers.version();
    }

    @Override
    public Gateway gateway() {
        return gateway;
    }

    @Override
    public Map<Region, Gateway> gateways() {
        return gateways;
    }

    @Override
    public boolean embedded() {
        return servers.embedded();
    }

    @Override
    public Optional<Path> path() {
        return servers.path();
    }

    @Override
    public Optional<ProcessHandle> process() {
        return servers.process();
    }

    @Override
    public Optional<RegionLinks> links() {
        return servers.links();
    }

    @Override
    public void distant(boolean distant) {
        servers.distant(distant);
    }

    @Override
    public void kill(Region region) {
        servers.kill(region);
    }

    @Override
    public void restart(Region region) {
        servers.restart(region);
    }

    @Override
    public List<FaultTarget> faultTargets() {
        return servers.faultTargets();
    }

    @Override
    public void close() {}
}
