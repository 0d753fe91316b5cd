package io.movr.schema;

import io.movr.UserError;
import io.movr.database.Cluster;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where a cluster keeps the rows of MovR's tables: the ranges of every index, with the region of each leaseholder and of
 * each replica. On CockroachDB both keep moving for minutes after a stage that places rows.
 *
 * @param ranges all of them, by table and index
 */
public record Placement(List<Range> ranges) {

    /**
     * A range of an index.
     *
     * @param home the home region of its rows, {@code null} for a range outside all partitions, which may be anywhere; a
     *     range that holds rows of several home regions is listed once for each
     * @param leaseholder the region of the replica that serves reads and writes, {@code null} if the node has no region
     * @param replicas the regions of all replicas, one for each
     * @param voters the regions of those of them that vote on writes
     * @param bytes its size
     */
    public record Range(
            String table,
            String index,
            @Nullable String home,
            @Nullable String leaseholder,
            List<String> replicas,
            List<String> voters,
            long bytes) {

        /** Returns whether its leaseholder is in the home region. */
        public boolean isInHomeRegion() {
            return home == null || home.equals(leaseholder);
        }
    }

    private static final Duration PAUSE = Duration.ofSeconds(2);

    /**
     * Reads the placement of a cluster of any engine; empty if one server has all rows. On servers that each have a region's
     * partitions, a partition counts as a range.
     *
     * @throws SQLException when it does not answer
     */
    public static Optional<Placement> of(Cluster cluster, RegionMap regions) throws SQLException {
        if (!cluster.servers().isEmpty()) {
            List<Range> ranges = new ArrayList<>();
            for (Map.Entry<Region, Gateway> server : cluster.servers().entrySet()) {
                ranges.addAll(onServer(server.getKey(), server.getValue(), regions));
            }
            return Optional.of(new Placement(List.copyOf(ranges)));
        }
        if (!cluster.engine().isMultiRegion()) {
            return Optional.empty();
        }
        try (Connection connection = cluster.gateway().connect("movr-placement")) {
            return Optional.of(new Placement(new CockroachPlacement(connection, regions).ranges()));
        }
    }

    private static List<Range> onServer(Region region, Gateway server, RegionMap regions) throws SQLException {
        Map<String, String> homes = new HashMap<>();
        for (String table : EngineStages.TABLES) {
            regions.cities()
                    .keySet()
                    .forEach(home -> homes.put(table + "_" + EngineStages.partition(home), home.name()));
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
                        ORDER BY whole.place, part.relname""".formatted(Sql.texts(EngineStages.TABLES)))) {
            while (rows.next()) {
                String part = rows.getString(2);
                ranges.add(new Range(
                        rows.getString(1),
                        part,
                        homes.get(part),
                        region.name(),
                        List.of(region.name()),
                        List.of(region.name()),
                        rows.getLong(3)));
            }
        }
        return ranges;
    }

    /** Returns whether any rows have a home region. */
    public boolean isPlaced() {
        return ranges.stream().anyMatch(range -> range.home() != null);
    }

    /** Returns whether every table has its rows placed by region, and every leaseholder is in the home region of its rows. */
    public boolean isSettled() {
        return unplaced().isEmpty() && away().isEmpty();
    }

    /** Returns the ranges whose leaseholder is not in the home region of their rows. */
    public List<Range> away() {
        return ranges.stream().filter(range -> !range.isInHomeRegion()).toList();
    }

    /** Returns the tables whose rows are not placed by region. */
    private List<String> unplaced() {
        List<String> placed = ranges.stream()
                .filter(range -> range.home() != null)
                .map(Range::table)
                .distinct()
                .toList();
        return EngineStages.TABLES.stream()
                .filter(table -> !placed.contains(table))
                .toList();
    }

    /** Returns what is missing until {@link #isSettled}, by table and region; empty if nothing is. */
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        unplaced().forEach(table -> missing.add(table + ": not partitioned by region"));
        Map<String, Map<String, Long>> byTable = away().stream()
                .collect(Collectors.groupingBy(
                        Range::table,
                        LinkedHashMap::new,
                        Collectors.groupingBy(
                                range -> String.valueOf(range.home()), TreeMap::new, Collectors.counting())));
        byTable.forEach((table, homes) -> homes.forEach((home, count) -> missing.add(
                table + ": " + count + " of " + count(table, home) + " leaseholders not in " + home + " yet")));
        return missing;
    }

    private long count(String table, String home) {
        return ranges.stream()
                .filter(range -> range.table().equals(table) && home.equals(range.home()))
                .count();
    }

    /**
     * The part of an index or a table in a region.
     *
     * @param leaseholders of its ranges
     * @param replicas of its ranges, including leaseholders
     * @param bytes of the ranges whose leaseholders these are
     */
    public record Share(long leaseholders, long replicas, long bytes) {

        /** The share of a region without ranges. */
        public static final Share NONE = new Share(0, 0, 0);

        private Share plus(Share other) {
            return new Share(leaseholders + other.leaseholders, replicas + other.replicas, bytes + other.bytes);
        }
    }

    /**
     * Returns the share of each region, by {@code table@index}. If rows are placed, only ranges of partitions count. Ranges
     * without a region are under a question mark.
     */
    public Map<String, Map<String, Share>> shares() {
        return shares(range -> range.table() + "@" + range.index());
    }

    /** Returns the same of whole tables. */
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

    /** Returns what is missing until every leaseholder is in one region; empty if nothing is. */
    private List<String> missingIn(Region region) {
        long away = ranges.stream()
                .filter(range -> !region.name().equals(range.leaseholder()))
                .count();
        return away == 0
                ? List.of()
                : List.of(away + " of " + ranges.size() + " leaseholders not in " + region + " yet");
    }

    /**
     * Waits until the placement {@link #isSettled}, twice in a row.
     *
     * @param limit after which it gives up
     * @param progress receives what is {@link #missing}, one line each time
     * @return the last placement that was read, which is not settled if the limit has passed
     * @throws UserError if the cluster does not answer
     */
    public static Placement await(Gateway gateway, RegionMap regions, Duration limit, Consumer<String> progress) {
        return await(gateway, regions, limit, Placement::missing, progress);
    }

    private static Placement await(
            Gateway gateway,
            RegionMap regions,
            Duration limit,
            Function<Placement, List<String>> missing,
            Consumer<String> progress) {
        long begun = System.nanoTime();
        int settled = 0;
        try (Connection connection = gateway.connect("movr-placement")) {
            CockroachPlacement reader = new CockroachPlacement(connection, regions);
            while (true) {
                Placement now = new Placement(reader.ranges());
                List<String> left = missing.apply(now);
                settled = left.isEmpty() ? settled + 1 : 0;
                if (settled == 2 || System.nanoTime() - begun > limit.toNanos()) {
                    return now;
                }
                progress.accept(
                        settled > 0
                                ? "every leaseholder is in its home region; checking once more"
                                : "placing rows: " + String.join("; ", left));
                TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            }
        } catch (SQLException failed) {
            throw new UserError("Cannot ask where the rows are: " + UserError.firstLine(failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError("Waiting for the rows to be placed was interrupted", interrupted);
        }
    }

    /**
     * Waits as {@link #await} does, and fails if the placement is not settled by then.
     *
     * @throws UserError naming what is missing, if the limit has passed
     */
    public static Placement require(Gateway gateway, RegionMap regions, Duration limit, Consumer<String> progress) {
        Placement placement = await(gateway, regions, limit, progress);
        requireNothing(placement.missing(), limit);
        return placement;
    }

    private static void requireNothing(List<String> missing, Duration limit) {
        if (!missing.isEmpty()) {
            throw new UserError("After " + limit.toMinutes() + " minutes rows are not where they should be: "
                    + String.join("; ", missing) + ". See 'movr regions status'");
        }
    }

    /**
     * Waits until a database has its rows where a stage places them: before {@link Stage#GEO_PARTITIONED} the primary region
     * holds all leases, and after a stage that {@linkplain Stage#movesRows moves rows} each region holds the leases of its rows.
     * Other stages, and engines that move no rows, need no wait.
     *
     * @throws UserError naming what is missing, if the limit has passed
     */
    public static void settle(
            Engine engine, Gateway gateway, RegionMap regions, Stage stage, Duration limit, Consumer<String> progress) {
        if (!engine.isMultiRegion()) {
            return;
        }
        if (stage.movesRows()) {
            require(gateway, regions, limit, progress);
        } else if (!stage.isRegional()) {
            hold(gateway, regions, regions.primary(), limit, progress);
        }
    }

    /**
     * Moves all leases of a CockroachDB database whose rows are not placed by region yet to one region, and waits until they are
     * there. Without this the cluster chooses their regions, and measurements from several regions are not repeatable. A
     * migration to a regional stage removes the preference.
     *
     * @throws UserError naming what is missing, if the limit has passed
     */
    public static void hold(
            Gateway gateway, RegionMap regions, Region region, Duration limit, Consumer<String> progress) {
        CockroachPlacement.prefer(gateway, region);
        requireNothing(
                await(gateway, regions, limit, placement -> placement.missingIn(region), progress)
                        .missingIn(region),
                limit);
    }
}
