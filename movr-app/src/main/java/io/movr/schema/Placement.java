package io.movr.schema;

import io.movr.Refusal;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedRegions;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a cluster, foremost CockroachDB, keeps the rows of MovR's tables: the ranges of every index, with the region of each leaseholder and of
 * each replica. After a stage that places rows both keep moving for minutes.
 *
 * @param ranges all of them, by table and index
 */
public record Placement(List<Range> ranges) {

    /**
     * A range of an index.
     *
     * @param home the region where its rows are at home, nothing for one that belongs to no partition and may lie anywhere
     * @param leaseholder the region of the replica that reads and writes go to, nothing when the node has no region
     * @param replicas the regions of all replicas, one for each
     * @param bytes its size
     */
    public record Range(
            String table,
            String index,
            @Nullable String home,
            @Nullable String leaseholder,
            List<String> replicas,
            long bytes) {

        /** Whether it is where it should be. */
        public boolean isAtHome() {
            return home == null || home.equals(leaseholder);
        }
    }

    /** A range as the server tells of it. */
    record Row(String startKey, @Nullable String leaseLocality, String replicaLocalities, long bytes) {}

    /** A key that begins a partition: a city, or the byte that stands for a region. What lies between has a longer one. */
    private static final Pattern PARTITION = Pattern.compile("…(?:/\\d+)?/\"((?:[^\"\\\\]|\\\\.)*)\"");

    private static final Pattern REGION = Pattern.compile("region=([^,\"}]+)");
    private static final Pattern BYTE = Pattern.compile("\\\\x([0-9a-f]{2})");
    private static final Duration PAUSE = Duration.ofSeconds(2);

    /**
     * Asks a cluster.
     *
     * @throws SQLException when it does not answer
     */
    public static Placement read(Connection connection, RegionMap regions) throws SQLException {
        List<Range> ranges = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            for (String table : RegionalStages.TABLES) {
                Set<String> indexes = new LinkedHashSet<>();
                try (ResultSet rows = statement.executeQuery("SHOW INDEXES FROM " + table)) {
                    while (rows.next()) {
                        indexes.add(rows.getString("index_name"));
                    }
                }
                for (String index : indexes) {
                    List<Row> found = new ArrayList<>();
                    // Of each index by itself: of a table, those of dropped indexes would be told too.
                    try (ResultSet rows = statement.executeQuery(
                            "SHOW RANGES FROM INDEX " + table + "@" + Sql.name(index) + " WITH DETAILS")) {
                        while (rows.next()) {
                            found.add(new Row(
                                    rows.getString("start_key"),
                                    rows.getString("lease_holder_locality"),
                                    rows.getString("replica_localities"),
                                    rows.getLong("range_size")));
                        }
                    }
                    ranges.addAll(ranges(table, index, found, regions));
                }
            }
        }
        return new Placement(List.copyOf(ranges));
    }

    /**
     * Asks a cluster of any engine: of servers that each have a region's partitions these stand for ranges. Nothing where one
     * server has all rows.
     *
     * @throws SQLException when it does not answer
     */
    public static Optional<Placement> of(Cluster cluster, RegionMap regions) throws SQLException {
        if (cluster instanceof EmbeddedRegions servers) {
            List<Range> ranges = new ArrayList<>();
            for (Map.Entry<Region, Gateway> server : servers.servers().entrySet()) {
                ranges.addAll(onServer(server.getKey(), server.getValue(), regions));
            }
            return Optional.of(new Placement(List.copyOf(ranges)));
        }
        if (cluster.engine() != Engine.COCKROACHDB) {
            return Optional.empty();
        }
        try (Connection connection = cluster.gateway().connect("movr-placement")) {
            return Optional.of(read(connection, regions));
        }
    }

    private static List<Range> onServer(Region region, Gateway server, RegionMap regions) throws SQLException {
        Map<String, String> homes = new HashMap<>();
        for (String table : RegionalStages.TABLES) {
            regions.cities()
                    .keySet()
                    .forEach(home -> homes.put(table + "_" + RegionalStages.partition(home), home.name()));
        }
        List<Range> ranges = new ArrayList<>();
        try (Connection connection = server.connect("movr-placement");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("""
                        SELECT whole.name, part.relname, pg_total_relation_size(part.oid)
                        FROM unnest(ARRAY[%s]) WITH ORDINALITY AS whole (name, place) JOIN pg_class AS part
                          ON part.relkind = 'r' AND part.relnamespace = 'public'::regnamespace
                         AND (part.relname = whole.name OR EXISTS (
                           SELECT 1 FROM pg_inherits WHERE inhrelid = part.oid AND inhparent = to_regclass(whole.name)))
                        ORDER BY whole.place, part.relname""".formatted(Sql.texts(RegionalStages.TABLES)))) {
            while (rows.next()) {
                String part = rows.getString(2);
                ranges.add(new Range(
                        rows.getString(1),
                        part,
                        homes.get(part),
                        region.name(),
                        List.of(region.name()),
                        rows.getLong(3)));
            }
        }
        return ranges;
    }

    static List<Range> ranges(String table, String index, List<Row> rows, RegionMap regions) {
        Map<Integer, String> homes = homesByByte(rows, regions);
        return rows.stream()
                .map(row -> {
                    List<String> replicas = new ArrayList<>();
                    Matcher region = REGION.matcher(row.replicaLocalities());
                    while (region.find()) {
                        replicas.add(region.group(1));
                    }
                    Matcher lease = REGION.matcher(row.leaseLocality() == null ? "" : row.leaseLocality());
                    return new Range(
                            table,
                            index,
                            home(row.startKey(), homes, regions),
                            lease.find() ? lease.group(1) : null,
                            List.copyOf(replicas),
                            row.bytes());
                })
                .toList();
    }

    private static @Nullable String home(String startKey, Map<Integer, String> homes, RegionMap regions) {
        Matcher partition = PARTITION.matcher(startKey);
        if (!isOfPartition(startKey, partition)) {
            return null;
        }
        return regions.regionOf(partition.group(1)).map(Region::name).orElseGet(() -> homes.get(firstByte(partition)));
    }

    /** The bytes that stand for regions, in the alphabetical order of these. */
    private static Map<Integer, String> homesByByte(List<Row> rows, RegionMap regions) {
        Map<Integer, String> homes = new TreeMap<>();
        for (Row row : rows) {
            Matcher partition = PARTITION.matcher(row.startKey());
            if (isOfPartition(row.startKey(), partition)
                    && regions.regionOf(partition.group(1)).isEmpty()) {
                homes.put(firstByte(partition), "");
            }
        }
        List<String> names =
                regions.cities().keySet().stream().map(Region::name).sorted().toList();
        if (homes.size() != names.size()) {
            return Map.of();
        }
        int place = 0;
        for (Map.Entry<Integer, String> home : homes.entrySet()) {
            home.setValue(names.get(place++));
        }
        return homes;
    }

    /** Also of one that was split further on; what lies between two partitions begins after the end of the first. */
    private static boolean isOfPartition(String startKey, Matcher partition) {
        return partition.lookingAt() && !startKey.endsWith("/PrefixEnd");
    }

    private static int firstByte(Matcher partition) {
        Matcher escaped = BYTE.matcher(partition.group(1));
        if (escaped.lookingAt()) {
            return Integer.parseInt(escaped.group(1), 16);
        }
        return partition.group(1).isEmpty() ? -1 : partition.group(1).charAt(0);
    }

    /** Whether there are partitions at all, so that there is a home to be at. */
    public boolean isPlaced() {
        return ranges.stream().anyMatch(range -> range.home() != null);
    }

    /** The ranges whose leaseholder is not in the region where it should be. */
    public List<Range> away() {
        return ranges.stream().filter(range -> !range.isAtHome()).toList();
    }

    /**
     * What of an index or a table is in a region.
     *
     * @param leaseholders of its ranges
     * @param replicas of its ranges, leaseholders among them
     * @param bytes of the ranges whose leaseholders these are
     */
    public record Share(long leaseholders, long replicas, long bytes) {

        /** Of a region that has nothing. */
        public static final Share NONE = new Share(0, 0, 0);

        private Share plus(Share other) {
            return new Share(leaseholders + other.leaseholders, replicas + other.replicas, bytes + other.bytes);
        }
    }

    /**
     * How the ranges of each index lie, by region, under {@code table@index}; where rows are placed only those that belong
     * to a partition. What has no region is under a question mark.
     */
    public Map<String, Map<String, Share>> shares() {
        return shares(range -> range.table() + "@" + range.index());
    }

    /** The same of whole tables. */
    public Map<String, Map<String, Share>> sharesOfTables() {
        return shares(Range::table);
    }

    private Map<String, Map<String, Share>> shares(Function<Range, String> of) {
        Map<String, Map<String, Share>> shares = new LinkedHashMap<>();
        for (Range range : ranges) {
            if (range.home() != null || !isPlaced()) {
                Map<String, Share> byRegion = shares.computeIfAbsent(of.apply(range), name -> new TreeMap<>());
                String leaseholder = range.leaseholder() == null ? "?" : range.leaseholder();
                byRegion.merge(leaseholder, new Share(1, 0, range.bytes()), Share::plus);
                range.replicas().forEach(region -> byRegion.merge(region, new Share(0, 1, 0), Share::plus));
            }
        }
        return shares;
    }

    /**
     * Waits until every partition's leaseholder is in its region, twice in a row.
     *
     * @param limit after which it is given up
     * @param progress is told how many are still away
     * @return the last that was seen; some are {@link #away} when the limit has passed
     * @throws Refusal when the cluster does not answer
     */
    public static Placement await(Gateway gateway, RegionMap regions, Duration limit, Consumer<Placement> progress) {
        long end = System.nanoTime() + limit.toNanos();
        int settled = 0;
        try (Connection connection = gateway.connect("movr-placement")) {
            while (true) {
                Placement now = read(connection, regions);
                settled = now.away().isEmpty() && now.isPlaced() ? settled + 1 : 0;
                if (settled == 2 || System.nanoTime() > end) {
                    return now;
                }
                progress.accept(now);
                TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            }
        } catch (SQLException failed) {
            throw new Refusal("Cannot ask where the rows are: " + Refusal.firstLine(failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new Refusal("Waiting for the rows to be placed was interrupted", interrupted);
        }
    }
}
