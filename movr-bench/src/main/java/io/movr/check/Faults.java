package io.movr.check;

import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.database.Links;
import io.movr.database.RegionLinks;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import io.movr.database.Victim;
import io.movr.region.Region;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What can be broken of a cluster. Clients reach each of its gateways over a link that can be cut too. */
public final class Faults implements AutoCloseable {

    private static final Duration SLOWNESS = Duration.ofMillis(200);

    private final Links links = new Links();
    private final List<Gateway> gateways = new ArrayList<>();
    private final Map<Fault.Kind, Map<String, Nemesis.Action>> actions = new EnumMap<>(Fault.Kind.class);

    private interface Step {
        void run() throws Exception;
    }

    /**
     * Opens the links.
     *
     * @param targets the database of the lists, by what its gateway is called
     */
    public Faults(Cluster cluster, Map<String, Gateway> targets, Gateway direct) {
        targets.forEach((name, gateway) -> {
            Links.Link link = links.open(0, gateway.host(), gateway.port(), Duration.ZERO);
            gateways.add(gateway.through(link.port()));
            String clients = "clients-" + name;
            add(Fault.Kind.CUT, clients, link::cut, link::mend);
            add(Fault.Kind.BREAK, clients, link::reset, () -> {});
            add(Fault.Kind.SLOW, clients, () -> link.delay(SLOWNESS), () -> link.delay(Duration.ZERO));
        });
        cluster.links()
                .ifPresent(between ->
                        addLinks(between, List.copyOf(cluster.gateways().keySet())));
        for (Victim victim : cluster.victims()) {
            add(Fault.Kind.KILL, victim.name(), victim::kill, victim::start);
            add(Fault.Kind.PAUSE, victim.name(), victim::pause, victim::resume);
            if (victim.canFillDisk()) {
                add(Fault.Kind.DISK_FULL, victim.name(), victim::fillDisk, victim::freeDisk);
            }
        }
        add(
                Fault.Kind.SCHEMA_CHANGE,
                AppendClient.TABLE,
                () -> change(
                        direct,
                        "ALTER TABLE " + AppendClient.TABLE + " ADD COLUMN IF NOT EXISTS note VARCHAR DEFAULT 'none'",
                        "CREATE INDEX IF NOT EXISTS movr_check_by_note ON " + AppendClient.TABLE + " (note)"),
                () -> change(
                        direct,
                        "DROP INDEX IF EXISTS movr_check_by_note",
                        "ALTER TABLE " + AppendClient.TABLE + " DROP COLUMN IF EXISTS note"));
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
                        () -> between.roundTrip(here, there, usual.plus(SLOWNESS.multipliedBy(2))),
                        () -> between.roundTrip(here, there, usual));
            }
        }
    }

    private void add(Fault.Kind kind, String target, Step begin, Step end) {
        actions.computeIfAbsent(kind, none -> new TreeMap<>()).put(target, new Nemesis.Action() {
            @Override
            public void begin() throws Exception {
                begin.run();
            }

            @Override
            public void end() throws Exception {
                end.run();
            }
        });
    }

    /** A change that gives way to transactions is made again. */
    private static void change(Gateway gateway, String... statements) throws SQLException {
        try (Connection connection = gateway.connect("movr-check-schema")) {
            for (String statement : statements) {
                for (int attempt = 1; ; attempt++) {
                    try {
                        Rows.execute(connection, statement);
                        break;
                    } catch (SQLException failed) {
                        if (attempt == 10 || !SqlState.isRetryable(failed)) {
                            throw failed;
                        }
                    }
                }
            }
        }
    }

    /** The gateways as clients reach them. */
    public List<Gateway> gateways() {
        return List.copyOf(gateways);
    }

    /** By kind and target. */
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
