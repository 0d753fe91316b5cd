package io.movr.database;

import io.movr.UserError;
import io.movr.database.EmbeddedPostgres.Share;
import io.movr.region.Distances;
import io.movr.region.Region;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL in several regions of this machine: a server in each, joined by {@link Links} that delay every byte. The gateway of
 * a region has a fixed address. It leads to the server of the primary region, with the delay between the two, until the region's
 * rows are on its own server; see {@link #rerouteToHomes}.
 *
 * <p>Unlike CockroachDB, it replicates no rows for safety, no transaction is atomic over several regions, and a statement on
 * another region's rows takes up to five round trips with postgres_fdw instead of one.
 */
public final class EmbeddedRegions implements Cluster {

    /** The schema of a server that holds its extensions and foreign servers. */
    public static final String SCHEMA = "movr_links";

    /**
     * The lock timeout of a statement of another region, after which it fails with {@link SqlState#LOCK_NOT_AVAILABLE}. Neither
     * server detects a deadlock between transactions of two regions.
     */
    public static final Duration REMOTE_LOCK_LIMIT = Duration.ofMillis(500);

    private static final int CONNECT_SECONDS = 10;

    private final Map<Region, EmbeddedPostgres> servers = new LinkedHashMap<>();
    private final Map<Region, Gateway> gateways = new LinkedHashMap<>();
    private final Map<Region, Links.Link> gatewayLinks = new LinkedHashMap<>();
    private final Map<Region, Map<Region, Links.Link>> serverLinks = new LinkedHashMap<>();
    private final Links links = new Links();
    private final RegionLinks between;
    private final Region primary;

    private EmbeddedRegions(List<Region> regions, Distances distances) {
        this.between = new RegionLinks(distances);
        this.primary = regions.get(0);
    }

    /**
     * Starts a server in each region.
     *
     * @param regions the primary one first
     * @param folder where they keep their rows, a folder each; {@code null} for temporary ones, which go when this is closed
     * @throws UserError when one cannot start, or the folder is in use
     */
    public static EmbeddedRegions start(List<Region> regions, Distances distances, @Nullable Path folder) {
        EmbeddedRegions cluster = new EmbeddedRegions(regions, distances);
        try {
            cluster.startServers(regions, folder);
            cluster.join();
            cluster.openGateways();
            return cluster;
        } catch (RuntimeException failed) {
            throw Closeables.closeAfter(failed, cluster);
        }
    }

    /**
     * Ends the servers of a folder whose process was killed.
     *
     * @throws UserError when one does not end
     */
    public static void endOrphans(Path folder) {
        try {
            InstanceFolder.endOrphans(folder, PostgresPrograms.ready());
        } catch (IOException failed) {
            throw new UserError("Cannot look for servers in '" + folder + "': " + UserError.firstLine(failed), failed);
        }
    }

    private void startServers(List<Region> regions, @Nullable Path folder) {
        Map<Region, CompletableFuture<EmbeddedPostgres>> starting = new LinkedHashMap<>();
        for (Region region : regions) {
            Share share = new Share(
                    regions.size(),
                    Map.of(
                            "movr.region", region.name(),
                            "wal_level", "logical",
                            // Which partition a statement asks is decided where it is planned; a plan for any parameter
                            // would ask the other regions.
                            "plan_cache_mode", "force_custom_plan",
                            "enable_partitionwise_aggregate", "on"));
            starting.put(
                    region,
                    CompletableFuture.supplyAsync(() -> folder == null
                            ? EmbeddedPostgres.temporary(0, share)
                            : EmbeddedPostgres.in(folder.resolve(region.name()), 0, share)));
        }
        RuntimeException failed = null;
        for (Map.Entry<Region, CompletableFuture<EmbeddedPostgres>> server : starting.entrySet()) {
            try {
                servers.put(server.getKey(), server.getValue().join());
            } catch (CompletionException unable) {
                failed = unable.getCause() instanceof RuntimeException cause ? cause : unable;
            }
        }
        if (failed != null) {
            throw failed;
        }
        if (servers.values().stream().anyMatch(server -> server.path().isEmpty())) {
            throw new UserError("The regions in '" + folder + "' run already: another movr has started them");
        }
    }

    /** Creates the foreign servers between the regions. A link has another port at each start. */
    private void join() {
        servers.forEach((from, server) -> {
            Map<Region, Links.Link> ofRegion = new LinkedHashMap<>();
            List<String> statements = new ArrayList<>(List.of(
                    oidsApart(serverLinks.size()),
                    "CREATE SCHEMA IF NOT EXISTS " + SCHEMA,
                    "CREATE EXTENSION IF NOT EXISTS postgres_fdw SCHEMA " + SCHEMA));
            servers.forEach((to, other) -> {
                if (!to.equals(from)) {
                    Links.Link link = links.open(0, "127.0.0.1", other.port(), Duration.ZERO);
                    between.add(from, to, link);
                    ofRegion.put(to, link);
                    String name = '"' + to.name() + '"';
                    statements.add("CREATE SERVER IF NOT EXISTS " + name
                            + " FOREIGN DATA WRAPPER postgres_fdw OPTIONS ("
                            + "host '127.0.0.1', port '1', dbname '"
                            + other.gateway().database()
                            + "', fetch_size '10000', batch_size '1000', async_capable 'true', connect_timeout '"
                            + CONNECT_SECONDS + "', options '-c lock_timeout=" + REMOTE_LOCK_LIMIT.toMillis() + "',"
                            + " parallel_commit 'true', parallel_abort 'true')");
                    statements.add("ALTER SERVER " + name + " OPTIONS (SET port '" + link.port() + "')");
                    statements.add("CREATE USER MAPPING IF NOT EXISTS FOR CURRENT_USER SERVER " + name
                            + " OPTIONS (user 'movr', password_required 'false')");
                }
            });
            serverLinks.put(from, ofRegion);
            try (Connection connection = server.gateway().connect("movr-regions");
                    Statement statement = connection.createStatement()) {
                for (String sql : statements) {
                    statement.execute(sql);
                }
            } catch (SQLException failed) {
                throw new UserError("Cannot join the regions: " + UserError.firstLine(failed), failed);
            }
        });
    }

    /**
     * Returns a statement that advances the OIDs of a server. All servers are copies of one, with its system identifier. The
     * replication slots that copy a table to two servers would have the same name if subscription and table had the same OIDs on
     * both: the second copy would fail, and be retried after 5 s.
     */
    private static String oidsApart(int number) {
        return "SELECT lo_unlink(lo_create(0)) FROM generate_series(1, " + number + ")";
    }

    private void openGateways() {
        int first = server(primary).port();
        servers.forEach((region, server) -> {
            Links.Link link = links.open(0, "127.0.0.1", first, Duration.ZERO);
            if (!region.equals(primary)) {
                between.add(region, primary, link);
            }
            gatewayLinks.put(region, link);
            gateways.put(region, server.gateway().through(link.port()));
        });
    }

    /**
     * Redirects each gateway to the server of its own region. Existing connections are broken. An open transaction is lost, or
     * was committed without an acknowledgement, as with any gateway that fails.
     */
    public void rerouteToHomes() {
        gatewayLinks.forEach((region, link) -> {
            if (!region.equals(primary)) {
                between.remove(link);
                link.redirect(server(region).port(), Duration.ZERO);
            }
        });
    }

    private EmbeddedPostgres server(Region region) {
        return Objects.requireNonNull(servers.get(region));
    }

    /** Returns the servers, whose addresses lead through no link. */
    @Override
    public Map<Region, Gateway> servers() {
        Map<Region, Gateway> all = new LinkedHashMap<>();
        servers.forEach((region, server) -> all.put(region, server.gateway()));
        return all;
    }

    /**
     * Returns how a server in one region connects to the server of another region: host, port, database and user, as libpq reads
     * them.
     */
    public String connectionInfo(Region from, Region to) {
        return "host=127.0.0.1 port="
                + Objects.requireNonNull(
                                serverLinks.getOrDefault(from, Map.of()).get(to))
                        .port() + " dbname=" + server(to).gateway().database() + " user=movr connect_timeout="
                + CONNECT_SECONDS;
    }

    @Override
    public Optional<RegionLinks> links() {
        return Optional.of(between);
    }

    @Override
    public Engine engine() {
        return Engine.POSTGRESQL;
    }

    @Override
    public String version() {
        return server(primary).version();
    }

    /** Returns the primary region's server, whose address leads through no link. */
    @Override
    public Gateway gateway() {
        return server(primary).gateway();
    }

    @Override
    public Map<Region, Gateway> gateways() {
        return Collections.unmodifiableMap(gateways);
    }

    @Override
    public boolean embedded() {
        return true;
    }

    @Override
    public List<FaultTarget> faultTargets() {
        return servers.entrySet().stream()
                .flatMap(server -> server.getValue().target(server.getKey().name()).stream())
                .toList();
    }

    @Override
    public void kill(Region region) {
        target(region).kill();
    }

    @Override
    public void restart(Region region) {
        target(region).start();
    }

    private FaultTarget target(Region region) {
        return faultTargets().stream()
                .filter(target -> target.name().equals(region.name()))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no server in " + region));
    }

    @Override
    public void close() {
        Closeables.closeAll(List.<Runnable>of(links::close, this::stopServers), Runnable::run);
    }

    private void stopServers() {
        CompletableFuture.allOf(servers.values().stream()
                        .map(server -> CompletableFuture.runAsync(server::close))
                        .toArray(CompletableFuture[]::new))
                .join();
    }
}
