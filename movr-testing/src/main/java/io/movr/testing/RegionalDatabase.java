package io.movr.testing;

import com.zaxxer.hikari.HikariDataSource;
import io.movr.database.Closeables;
import io.movr.database.Gateway;
import io.movr.database.Links;
import io.movr.database.RegionLinks;
import io.movr.region.Distances;
import io.movr.region.Region;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.apiguardian.api.API;

/**
 * A database in one region, with clients in several: traffic between a client's region and the database's region has the delay
 * between the regions of these names, and can be cut or slowed. Relays on this machine simulate the delays.
 *
 * <p>A round trip takes 64 ms between us-east1 and europe-west1, 66 ms between us-east1 and us-west1, 65 ms between us-east1
 * and us-west2, 28 ms between us-west1 and us-west2, 146 ms between us-west1 and europe-west1, and 100 ms between any other
 * two. Opening a connection takes several.
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1.0")
public final class RegionalDatabase implements AutoCloseable {

    private static final int CONNECTIONS = 4;

    private final Links links = new Links();
    private final RegionLinks between = new RegionLinks(Distances.standard());
    private final Map<String, Gateway> gateways = new LinkedHashMap<>();
    private final Map<String, HikariDataSource> pools = new HashMap<>();
    private final Runnable end;

    /**
     * Opens a link to a database from each region but the first.
     *
     * @param end the action when this is closed
     */
    RegionalDatabase(Gateway server, List<String> regions, Runnable end) {
        this.end = end;
        try {
            if (regions.isEmpty()) {
                throw new IllegalArgumentException("There is no region: name at least one");
            }
            Region first = new Region(regions.get(0));
            gateways.put(first.name(), server);
            for (String name : regions.subList(1, regions.size())) {
                Region other = new Region(name);
                if (gateways.containsKey(name)) {
                    throw new IllegalArgumentException("The region " + name + " is named twice");
                }
                Links.Link link = links.open(0, server.host(), server.port(), Duration.ZERO);
                between.add(other, first, link);
                gateways.put(name, server.through(link.port()));
            }
        } catch (RuntimeException failed) {
            throw Closeables.closeAfter(failed, this);
        }
    }

    /**
     * Adds regions to a running database, such as one in a container.
     *
     * @param url a form that the driver reads, such as {@code jdbc:postgresql://host:port/database?parameters}, or {@code
     *     postgresql://user@host:port/database}, with one host. With TLS, {@code sslmode=verify-full} would refuse the relays'
     *     address: use {@code require}
     * @param first the region of the database
     * @param others the regions of its distant clients
     * @throws io.movr.UserError if this is no address, or one that leads past a relay (several hosts, a socketFactory)
     * @throws IllegalArgumentException if a name is not one of lower-case letters, digits and hyphens, or is there twice
     */
    public static RegionalDatabase of(String url, String first, String... others) {
        List<String> regions = new ArrayList<>(List.of(first));
        regions.addAll(List.of(others));
        return new RegionalDatabase(new Gateway(url), regions, () -> {});
    }

    /**
     * Returns the JDBC address for a client in a region.
     *
     * @throws IllegalArgumentException if there is no such region
     */
    public String url(String region) {
        return gateway(region).url();
    }

    /**
     * Returns a pool of {@value #CONNECTIONS} connections for a client in a region, the same at each call. It is closed
     * with this.
     *
     * @throws IllegalArgumentException if there is no such region
     * @throws io.movr.UserError if the database cannot be reached from there within ten seconds
     */
    public synchronized DataSource dataSource(String region) {
        return pools.computeIfAbsent(region, name -> gateway(name).pool("from-" + name, CONNECTIONS));
    }

    /**
     * Cuts the links between two regions without an error: a client hangs until its own timeout, such as
     * {@code socketTimeout} of the driver, or until the link is mended.
     *
     * @throws IllegalArgumentException if there is no link between the two: one must be the first region, the other one of the
     *     others
     */
    public void cut(String one, String other) {
        between.cut(new Region(one), new Region(other));
    }

    /** Mends the links between two regions, and delivers the bytes that waited. */
    public void mend(String one, String other) {
        between.mend(new Region(one), new Region(other));
    }

    /**
     * Sets the round-trip time between two regions.
     *
     * @param roundTrip 0 to 10 seconds
     * @throws IllegalArgumentException if it is longer, or there is no link between the two
     */
    public void slow(String one, String other, Duration roundTrip) {
        between.roundTrip(new Region(one), new Region(other), roundTrip);
    }

    private Gateway gateway(String region) {
        Gateway gateway = gateways.get(region);
        if (gateway == null) {
            throw new IllegalArgumentException(
                    "There is no region '" + region + "': choose one of " + String.join(", ", gateways.keySet()));
        }
        return gateway;
    }

    /** Closes the pools and the links; a database that was made for a test is dropped. */
    @Override
    public synchronized void close() {
        List<Runnable> all = new ArrayList<>(List.of(links::close, end));
        pools.values().forEach(pool -> all.add(0, pool::close));
        Closeables.closeAll(all, Runnable::run);
    }
}
