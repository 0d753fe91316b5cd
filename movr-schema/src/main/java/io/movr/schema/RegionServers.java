package io.movr.schema;

import io.movr.UserError;
import io.movr.database.EmbeddedRegions;
import io.movr.database.Gateway;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The servers that each have a region's rows, and the tables on them. */
final class RegionServers {

    private final EmbeddedRegions cluster;
    private final RegionMap regions;
    private final Map<Region, Gateway> others;

    /**
     * Creates an instance for a cluster.
     *
     * @throws UserError if their regions are not the regions of the map
     */
    RegionServers(EmbeddedRegions cluster, RegionMap regions) {
        this.cluster = cluster;
        this.regions = regions;
        Map<Region, Gateway> servers = new LinkedHashMap<>(cluster.servers());
        if (!servers.keySet().equals(regions.cities().keySet())) {
            throw new UserError("The regions that run are " + servers.keySet() + ", not "
                    + regions.cities().keySet() + ": name them with --home");
        }
        servers.remove(regions.primary());
        this.others = Collections.unmodifiableMap(servers);
    }

    RegionMap regions() {
        return regions;
    }

    /** Returns the gateway of the primary region. */
    Gateway primary() {
        return cluster.gateway();
    }

    /** Returns the gateways of all other regions. */
    Map<Region, Gateway> others() {
        return others;
    }

    /** Returns how the server of another region connects to the server of the primary one, as text in SQL. */
    String primarySeenFrom(Region region, String more) {
        return Sql.text(cluster.connectionInfo(region, regions.primary()) + more);
    }

    /** Returns the statements of a stage, as on a server that has all rows. */
    List<String> statements(Stage stage) {
        return new PostgresStages(regions)
                .changes(stage).stream().map(Change::sql).toList();
    }

    /** Redirects each gateway to the server of its own region. */
    void rerouteToHomes() {
        cluster.rerouteToHomes();
    }

    /** Returns the partitions on a region's server: its own, and in the primary region the partition of all other cities. */
    List<String> places(Region region) {
        String own = EngineStages.partition(region);
        return region.equals(regions.primary()) ? List.of(own, PostgresStages.ELSEWHERE) : List.of(own);
    }

    /** Returns the statements that replace the tables of all cities by partitioned tables, on a region's server. */
    List<String> partitions(Region here) {
        List<String> statements = new ArrayList<>();
        for (String table : EngineStages.TABLES) {
            statements.add("ALTER TABLE " + table + " RENAME TO " + before(table));
            statements.add("CREATE TABLE " + table + " (LIKE " + before(table)
                    + " INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY LIST (city)");
            regions.cities()
                    .forEach((region, cities) -> statements.add(partition(
                            table,
                            EngineStages.partition(region),
                            "FOR VALUES IN (" + Sql.texts(cities) + ")",
                            here,
                            region)));
            statements.add(partition(table, PostgresStages.ELSEWHERE, "DEFAULT", here, regions.primary()));
        }
        return statements;
    }

    /** Returns the statements that follow when the partitions of a region's server have their rows: keys, indexes. */
    List<String> keys(Region here) {
        List<String> statements = new ArrayList<>();
        statements.add("DROP TABLE "
                + EngineStages.TABLES.stream().map(RegionServers::before).collect(Collectors.joining(", ")));
        for (String place : places(here)) {
            for (String table : EngineStages.TABLES) {
                statements.add("ALTER TABLE " + table + "_" + place + " ADD PRIMARY KEY ("
                        + PostgresStages.KEYS.get(table) + ")");
            }
            for (String index : PostgresStages.INDEXES) {
                String[] words = index.split(" ", 4);
                statements.add("CREATE INDEX ON " + words[2] + "_" + place + " " + words[3]);
            }
            PostgresStages.FOREIGN_KEYS.entrySet().stream()
                    .map(key -> "ALTER TABLE " + key.getKey().replaceFirst(" ", "_" + place + " ") + " REFERENCES "
                            + key.getValue().replaceFirst(" ", "_" + place + " "))
                    .sorted()
                    .forEach(statements::add);
        }
        return statements;
    }

    /** Returns the name of a table of all cities after a partitioned table has replaced it. */
    static String before(String table) {
        return table + "_before";
    }

    private static String partition(String table, String place, String bound, Region here, Region home) {
        String name = table + "_" + place;
        return here.equals(home)
                ? "CREATE TABLE " + name + " PARTITION OF " + table + " " + bound
                : "CREATE FOREIGN TABLE " + name + " PARTITION OF " + table + " " + bound + " SERVER "
                        + Sql.name(home.name());
    }

    /** Gathers the statistics of a region's partitions on its server. */
    void analyze(Statement statement, Region here) throws SQLException {
        for (String place : places(here)) {
            for (String table : EngineStages.TABLES) {
                statement.execute("ANALYZE " + table + "_" + place);
            }
        }
    }
}
