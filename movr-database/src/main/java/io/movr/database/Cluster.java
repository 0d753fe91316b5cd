package io.movr.database;

import io.movr.UserError;
import io.movr.region.Region;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A running database. Its users know only its engine and its gateways, not how it was started. */
public interface Cluster extends AutoCloseable {

    /** Connects to a database that runs elsewhere. */
    static Cluster at(String url) {
        return at(new Gateway(url), Map.of());
    }

    /**
     * Connects to a running cluster that has a gateway in each region.
     *
     * @param gateways by region, the primary one first
     * @throws UserError if a gateway is not in the region it is given for
     */
    static Cluster at(Map<Region, Gateway> gateways) {
        gateways.forEach((region, gateway) -> askRegion(gateway)
                .filter(actual -> !actual.equals(region.name()))
                .ifPresent(actual -> {
                    throw new UserError(
                            gateway.shown() + " is a gateway of " + actual + ", not of " + region + ": correct --url");
                }));
        return at(gateways.values().iterator().next(), gateways);
    }

    private static Cluster at(Gateway gateway, Map<Region, Gateway> gateways) {
        String version = askVersion(gateway);
        Map<Region, Gateway> byRegion = Collections.unmodifiableMap(new LinkedHashMap<>(gateways));
        return new Cluster() {
            @Override
            public Map<Region, Gateway> gateways() {
                return byRegion;
            }

            @Override
            public Engine engine() {
                return Engine.ofVersion(version);
            }

            @Override
            public String version() {
                return version;
            }

            @Override
            public Gateway gateway() {
                return gateway;
            }

            @Override
            public boolean embedded() {
                return false;
            }

            @Override
            public void close() {}
        };
    }

    Engine engine();

    /** Returns what the server answers to {@code SELECT version()}. */
    String version();

    /**
     * Returns what a server is and its version alone, such as {@code PostgreSQL 18.6}.
     *
     * @param version what a server answers to {@code SELECT version()}
     */
    static String product(String version) {
        return version.split(" on | \\(|,", 2)[0];
    }

    /** Returns the endpoint, which leads to the default database of commands. */
    Gateway gateway();

    /** Returns the endpoints by region, the primary one first; none where there is but one. */
    default Map<Region, Gateway> gateways() {
        return Map.of();
    }

    /**
     * Returns the servers by region, the primary one first, where each region has a database of its own; empty where one
     * database has all rows.
     */
    default Map<Region, Gateway> servers() {
        return Map.of();
    }

    /** Returns whether this process started the server, and with it decides its settings. */
    boolean embedded();

    /** Returns where the server keeps its files, if it is one server that this process started on this machine. */
    default Optional<Path> path() {
        return Optional.empty();
    }

    /**
     * Returns the first process of the server, if it is one embedded server that this process started; empty also where the
     * process is not visible. A caller must not move the process of a shared server to other cores.
     */
    default Optional<ProcessHandle> process() {
        return Optional.empty();
    }

    /** Returns the links between its regions, where they are ours. */
    default Optional<RegionLinks> links() {
        return Optional.empty();
    }

    /**
     * Removes or restores the delays between its regions, if links of this process simulate them. Migrations are many times
     * faster without delays.
     */
    default void distant(boolean distant) {
        links().ifPresent(links -> links.distant(distant));
    }

    /**
     * Kills every server in a region by SIGKILL.
     *
     * @throws UserError when they are not ours
     */
    default void kill(Region region) {
        throw new UserError("The servers in " + region
                + " cannot be killed by movr: it started no node there that could be" + " spared");
    }

    /**
     * Starts the servers in a region again that were killed, and waits until they answer.
     *
     * @throws UserError if they are not ours, or kept their rows in memory
     */
    default void restart(Region region) {
        throw new UserError("The servers in " + region + " cannot be started by movr");
    }

    /**
     * Returns the servers that faults can be injected into: servers that this process started and that keep their rows in files.
     */
    default List<FaultTarget> faultTargets() {
        return List.of();
    }

    @Override
    void close();

    /** Asks a gateway in which region it stands; empty if the engine does not say. */
    static Optional<String> askRegion(Gateway gateway) {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("SELECT gateway_region()")) {
            return answer.next() ? Optional.ofNullable(answer.getString(1)) : Optional.empty();
        } catch (SQLException unknown) {
            if (String.valueOf(unknown.getSQLState()).startsWith("08")) {
                throw new UserError(
                        "Cannot ask " + gateway.shown() + " for its region: " + UserError.firstLine(unknown), unknown);
            }
            // A node without --locality, or a PostgreSQL before stage 8.
            return Optional.empty();
        }
    }

    /** Asks a server for its version, which is also the first sign that it can be reached. */
    static String askVersion(Gateway gateway) {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("SELECT version()")) {
            answer.next();
            return answer.getString(1);
        } catch (SQLException failed) {
            throw new UserError(
                    "Cannot ask " + gateway.shown() + " for its version: " + UserError.firstLine(failed), failed);
        }
    }
}
