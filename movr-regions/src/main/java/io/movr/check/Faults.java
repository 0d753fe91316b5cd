package io.movr.check;

import io.movr.database.Cluster;
import io.movr.database.FaultTarget;
import io.movr.database.Gateway;
import io.movr.database.Links;
import io.movr.database.RegionLinks;
import io.movr.database.RetryPolicy;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import io.movr.region.Region;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The faults that can be injected into a cluster. Clients reach each gateway over a link that can be cut, too. */
final class Faults implements AutoCloseable {

    private static final Duration ADDED_DELAY = Duration.ofMillis(200);
    private static final RetryPolicy RETRIES = new RetryPolicy(10, Duration.ZERO, Duration.ZERO);

    /** The table of the lists for clients over JDBC. */
    public static final String LISTS = AppendClient.TABLE;

    private final Links links = new Links();
    private final Map<String, Gateway> gateways = new LinkedHashMap<>();
    private final Map<Fault.Kind, Map<String, Nemesis.Action>> actions = new EnumMap<>(Fault.Kind.class);

    private interface Step {
        void run() throws Exception;
    }

    /**
     * Opens the links.
     *
     * @param targets the gateways of the database of the lists, by name
     * @param direct a gateway without links that faults affect
     * @param table the table of the schema changes
     */
    public Faults(Cluster cluster, Map<String, Gateway> targets, Gateway direct, String table) {
        targets.forEach((name, gateway) ->
                gateways.put(name, gateway.through(openLink("clients-" + name, gateway.host(), gateway.port()))));
        cluster.links()
                .ifPresent(between ->
                        addLinks(between, List.copyOf(cluster.gateways().keySet())));
        for (FaultTarget target : cluster.faultTargets()) {
            add(Fault.Kind.KILL, target.name(), target::kill, target::start);
            add(Fault.Kind.PAUSE, target.name(), target::pause, target::resume);
        }
        add(
                Fault.Kind.SCHEMA_CHANGE,
                table,
                () -> changeSchema(
                        direct,
                        "ALTER TABLE " + table + " ADD COLUMN IF NOT EXISTS note VARCHAR DEFAULT 'none'",
                        "CREATE INDEX IF NOT EXISTS movr_check_by_note ON " + table + " (note)"),
                () -> changeSchema(
                        direct,
                        "DROP INDEX IF EXISTS movr_check_by_note",
                        "ALTER TABLE " + table + " DROP COLUMN IF EXISTS note"));
    }

    private int openLink(String name, String host, int port) {
        Links.Link link = links.open(0, host, port, Duration.ZERO);
        add(Fault.Kind.CUT, name, link::cut, link::mend);
        add(Fault.Kind.BREAK, name, link::reset, () -> {});
        add(Fault.Kind.SLOW, name, () -> link.delay(ADDED_DELAY), () -> link.delay(Duration.ZERO));
        return link.port();
    }

    /**
     * Adds an instance of the service.
     *
     * @param port the local port of the instance
     * @return the port at which clients reach it over a link that can be cut
     */
    public int addService(FaultTarget instance, int port) {
        add(Fault.Kind.KILL_SERVICE, instance.name(), instance::kill, instance::start);
        add(Fault.Kind.PAUSE, instance.name(), instance::pause, instance::resume);
        return openLink("clients-" + instance.name(), "127.0.0.1", port);
    }

    private void addLinks(RegionLinks between, List<Region> regions) {
        for (int one = 0; one < regions.size(); one++) {
            for (int other = one + 1; other < regions.size(); other++) {
                Region here = regions.get(one);
                Region there = regions.get(other);
                Duration usual = between.distances().roundTrip(here, there);
                String pair = here + ":" + there;
                add(Fault.Kind.CUT, pair, () -> between.cut(here, there), () -> between.mend(here, there));
                add(
                        Fault.Kind.SLOW,
                        pair,
                        () -> between.roundTrip(here, there, usual.plus(ADDED_DELAY.multipliedBy(2))),
                        () -> between.roundTrip(here, there, usual));
            }
        }
    }

    private void add(Fault.Kind kind, String target, Step inject, Step undo) {
        actions.computeIfAbsent(kind, none -> new TreeMap<>()).put(target, new Nemesis.Action() {
            @Override
            public void inject() throws Exception {
                inject.run();
            }

            @Override
            public void undo() throws Exception {
                undo.run();
            }
        });
    }

    /** Changes the schema, and retries if concurrent transactions abort the change. */
    private static void changeSchema(Gateway gateway, String... statements) throws SQLException {
        try (Connection connection = gateway.connect("movr-check-schema")) {
            for (String statement : statements) {
                RETRIES.run(
                        "The change of the schema was interrupted",
                        SQLException.class,
                        attempt -> Rows.update(connection, statement, List.of()),
                        (failed, attempt) -> SqlState.isRetryable(failed));
            }
        }
    }

    /** Returns the gateways that clients connect to, by name. */
    public Map<String, Gateway> gateways() {
        return Collections.unmodifiableMap(gateways);
    }

    /** Returns the possible faults by kind and target. */
    public Map<Fault.Kind, Map<String, Nemesis.Action>> actions() {
        Map<Fault.Kind, Map<String, Nemesis.Action>> copy = new LinkedHashMap<>();
        actions.forEach((kind, targets) -> copy.put(kind, new TreeMap<>(targets)));
        return copy;
    }

    @Override
    public void close() {
        links.close();
    }
}
