package io.movr.schema;

import io.movr.Refusal;
import io.movr.database.Gateway;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.schema.Placement.Range;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads from a CockroachDB cluster where it keeps MovR's rows. Which ranges hold the rows of a region is asked of the
 * cluster, with {@code SHOW RANGE … FOR ROW} of the first and the last key that such a row can have: the start keys of
 * ranges do not tell, because a partition may share its range with the gap before it.
 */
final class CockroachPlacement {

    /**
     * A range as {@code SHOW RANGES} lists it, in the order of keys.
     *
     * @param leaseLocality of the leaseholder's node, {@code null} if that has none
     */
    record Row(long id, @Nullable String leaseLocality, String replicaLocalities, long bytes) {}

    /** The first and the last range with rows of a home region. */
    record Span(String home, long first, long last) {}

    private record KeyColumn(String name, String type) {}

    private static final Pattern REGION = Pattern.compile("region=([^,\"}]+)");
    private static final String REGION_TYPE = "CRDB_INTERNAL_REGION";

    private final Connection connection;
    private final RegionMap regions;

    CockroachPlacement(Connection connection, RegionMap regions) {
        this.connection = connection;
        this.regions = regions;
    }

    /** Has the nodes of a region hold the leases of a database. */
    static void prefer(Gateway database, Region region) {
        configure(database, Sql.text("[[+region=" + region + "]]"));
    }

    /** Lets leases be held anywhere again, where they were held in one region. */
    static void preferNone(Gateway database) {
        configure(database, "COPY FROM PARENT");
    }

    private static void configure(Gateway database, String leasePreferences) {
        try (Connection connection = database.connect(MigrationWatch.MIGRATING);
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER DATABASE " + Sql.name(database.database())
                    + " CONFIGURE ZONE USING lease_preferences = " + leasePreferences);
        } catch (SQLException failed) {
            throw new Refusal(
                    "Cannot say where the leases of " + database.shown() + " are held: " + Refusal.firstLine(failed),
                    failed);
        }
    }

    List<Range> ranges() throws SQLException {
        List<Range> ranges = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            for (String table : RegionalStages.TABLES) {
                Map<String, List<KeyColumn>> indexes = indexes(statement, table);
                List<String> partitioned =
                        texts(statement, "SELECT DISTINCT index_name FROM [SHOW PARTITIONS FROM TABLE " + table + "]");
                for (Map.Entry<String, List<KeyColumn>> index : indexes.entrySet()) {
                    String name = table + "@" + Sql.name(index.getKey());
                    List<KeyColumn> key = index.getValue();
                    List<Span> spans =
                            key.get(0).type().equals(REGION_TYPE) || partitioned.contains(table + "@" + index.getKey())
                                    ? spans(statement, name, key)
                                    : List.of();
                    ranges.addAll(ranges(table, index.getKey(), rows(statement, name), spans));
                }
            }
        }
        return List.copyOf(ranges);
    }

    /** The columns of each index's key, those that CockroachDB has added included. */
    private static Map<String, List<KeyColumn>> indexes(Statement statement, String table) throws SQLException {
        Map<String, String> types = new HashMap<>();
        try (ResultSet columns =
                statement.executeQuery("SELECT column_name, data_type FROM [SHOW COLUMNS FROM " + table + "]")) {
            while (columns.next()) {
                types.put(columns.getString(1), columns.getString(2).toUpperCase(Locale.ROOT));
            }
        }
        Map<String, List<KeyColumn>> indexes = new TreeMap<>();
        try (ResultSet columns = statement.executeQuery("SELECT index_name, column_name FROM [SHOW INDEXES FROM "
                + table + "] WHERE NOT storing ORDER BY index_name, seq_in_index")) {
            while (columns.next()) {
                String column = columns.getString(2);
                indexes.computeIfAbsent(columns.getString(1), name -> new ArrayList<>())
                        .add(new KeyColumn(column, types.getOrDefault(column, "")));
            }
        }
        return indexes;
    }

    /** Of an index by itself: {@code SHOW RANGES FROM TABLE} lists those of dropped indexes too. */
    private static List<Row> rows(Statement statement, String index) throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (ResultSet found = statement.executeQuery("SHOW RANGES FROM INDEX " + index + " WITH DETAILS")) {
            while (found.next()) {
                rows.add(new Row(
                        found.getLong("range_id"),
                        found.getString("lease_holder_locality"),
                        found.getString("replica_localities"),
                        found.getLong("range_size")));
            }
        }
        return rows;
    }

    /** Where the rows of each region, or of each of its cities, begin and end in an index. */
    private List<Span> spans(Statement statement, String index, List<KeyColumn> key) throws SQLException {
        Map<String, String> homes = new LinkedHashMap<>();
        if (key.get(0).type().equals(REGION_TYPE)) {
            List<String> known = texts(statement, "SELECT region FROM [SHOW REGIONS FROM DATABASE]");
            regions.cities().keySet().stream()
                    .map(Region::name)
                    .filter(known::contains)
                    .forEach(region -> homes.put(region, region));
        } else {
            regions.cities().forEach((region, cities) -> cities.forEach(city -> homes.put(city, region.name())));
        }
        String both = homes.keySet().stream()
                .map(value -> "SELECT " + Sql.text(value) + ", (SELECT range_id FROM [SHOW RANGE FROM INDEX " + index
                        + " FOR ROW (" + row(value, key, false) + ")]), (SELECT range_id FROM [SHOW RANGE FROM INDEX "
                        + index + " FOR ROW (" + row(value, key, true) + ")])")
                .collect(Collectors.joining(" UNION ALL "));
        List<Span> spans = new ArrayList<>();
        try (ResultSet found = statement.executeQuery(both)) {
            while (found.next()) {
                spans.add(new Span(String.valueOf(homes.get(found.getString(1))), found.getLong(2), found.getLong(3)));
            }
        }
        return spans;
    }

    /** The first or the last key that begins with a value. */
    private static String row(String value, List<KeyColumn> key, boolean last) {
        return key.stream()
                .map(column -> column.equals(key.get(0)) ? Sql.text(value) : end(column, last))
                .collect(Collectors.joining(", "));
    }

    private static String end(KeyColumn column, boolean last) {
        String type = column.type();
        if (type.equals("UUID")) {
            return last ? "'ffffffff-ffff-ffff-ffff-ffffffffffff'" : "'00000000-0000-0000-0000-000000000000'";
        }
        if (type.startsWith("TIMESTAMP")) {
            return last ? "'9999-12-31'" : "'0001-01-01'";
        }
        if (type.startsWith("VARCHAR") || type.startsWith("STRING")) {
            return last ? "E'\\U0010FFFF'" : "''";
        }
        throw new IllegalStateException("The key column " + column + " has a type that was not expected");
    }

    /** Sets what was listed beside where regions begin and end. */
    static List<Range> ranges(String table, String index, List<Row> rows, List<Span> spans) {
        List<Long> ids = rows.stream().map(Row::id).toList();
        List<Range> ranges = new ArrayList<>();
        for (int place = 0; place < rows.size(); place++) {
            Row row = rows.get(place);
            int here = place;
            List<String> homes = spans.stream()
                    .filter(span -> ids.indexOf(span.first()) <= here && here <= ids.indexOf(span.last()))
                    .map(Span::home)
                    .distinct()
                    .toList();
            if (homes.isEmpty()) {
                ranges.add(range(table, index, row, null));
            }
            homes.forEach(home -> ranges.add(range(table, index, row, home)));
        }
        return ranges;
    }

    private static Range range(String table, String index, Row row, @Nullable String home) {
        List<String> leaseholder = regions(row.leaseLocality() == null ? "" : row.leaseLocality());
        return new Range(
                table,
                index,
                home,
                leaseholder.isEmpty() ? null : leaseholder.get(0),
                regions(row.replicaLocalities()),
                row.bytes());
    }

    private static List<String> regions(String localities) {
        Matcher region = REGION.matcher(localities);
        return region.results().map(found -> found.group(1)).toList();
    }

    private static List<String> texts(Statement statement, String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }
}
