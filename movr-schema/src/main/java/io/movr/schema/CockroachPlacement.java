package io.movr.schema;

import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.schema.Placement.Range;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads where a CockroachDB cluster keeps MovR's rows. The ranges of a region are those between the keys of the first and the
 * last row that the region can have, as the cluster encodes them. The start keys of ranges are not sufficient, because a
 * partition may share its range with the gap before it.
 */
final class CockroachPlacement {

    /**
     * The part of an index in a range, as {@code SHOW RANGES WITH INDEXES, KEYS, DETAILS} lists it.
     *
     * @param start the first key of it, in hexadecimal digits, which sort as the bytes do
     * @param end the key behind its last one
     * @param leaseLocality of the leaseholder's node, {@code null} if that has none
     * @param voterLocalities of the replicas that vote on writes
     */
    record Row(
            String start,
            String end,
            @Nullable String leaseLocality,
            String replicaLocalities,
            String voterLocalities,
            long bytes) {}

    /** The encoded keys of the first and the last row that a home region, or a city in it, can have in an index. */
    record Span(String home, String first, String last) {}

    private record KeyColumn(String name, String type) {}

    private record Index(String table, String name) {}

    /** What identifies an index in keys. */
    private record Ids(long table, long index) {}

    private static final Pattern REGION = Pattern.compile("region=([^,\"} ]+)");
    private static final String REGION_TYPE = "PUBLIC.CRDB_INTERNAL_REGION";

    private final Connection connection;
    private final RegionMap regions;
    /** Those whose spans are known. */
    private Map<Index, Ids> spansOf = Map.of();

    private Map<Index, List<Span>> spans = Map.of();

    CockroachPlacement(Connection connection, RegionMap regions) {
        this.connection = connection;
        this.regions = regions;
    }

    /** Sets the lease preference of a database to a region. */
    static void prefer(Gateway database, Region region) {
        // Lease preferences can only be set together with constraints, and those for some replicas with their number.
        configureZone(
                database,
                "USING num_replicas = COPY FROM PARENT, constraints = " + Sql.text("{\"+region=" + region + "\": 1}")
                        + ", lease_preferences = " + Sql.text("[[+region=" + region + "]]"));
    }

    /** Removes the lease preference that {@link #prefer} has set. */
    static void preferNone(Gateway database) {
        List<String> zone;
        try (Connection connection = database.connect(MigrationWatch.MIGRATING);
                Statement statement = connection.createStatement()) {
            zone = texts(
                    statement,
                    "SELECT raw_config_sql FROM [SHOW ZONE CONFIGURATION FROM DATABASE " + Sql.name(database.database())
                            + "]");
        } catch (SQLException failed) {
            throw new UserError(
                    "Cannot read where the leases of " + database.shown() + " are held: " + UserError.firstLine(failed),
                    failed);
        }
        if (String.join("", zone).contains("lease_preferences = '[[+region=")) {
            configureZone(database, "DISCARD");
        }
    }

    private static void configureZone(Gateway database, String change) {
        try (Connection connection = database.connect(MigrationWatch.MIGRATING);
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER DATABASE " + Sql.name(database.database()) + " CONFIGURE ZONE " + change);
        } catch (SQLException failed) {
            throw new UserError(
                    "Cannot configure where the leases of " + database.shown() + " are held: "
                            + UserError.firstLine(failed),
                    failed);
        }
    }

    List<Range> ranges() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            Map<Index, Ids> ids = new LinkedHashMap<>();
            Map<Index, List<Row>> rows = new LinkedHashMap<>();
            // With INDEXES, because of a table as such the ranges of dropped indexes are listed too.
            try (ResultSet found = statement.executeQuery("SHOW RANGES FROM DATABASE "
                    + Sql.name(connection.getCatalog()) + " WITH INDEXES, KEYS, DETAILS")) {
                while (found.next()) {
                    Index index = new Index(found.getString("table_name"), found.getString("index_name"));
                    if (EngineStages.TABLES.contains(index.table())) {
                        ids.put(index, new Ids(found.getLong("table_id"), found.getLong("index_id")));
                        rows.computeIfAbsent(index, first -> new ArrayList<>())
                                .add(new Row(
                                        hex(found.getBytes("raw_index_start_key")),
                                        hex(found.getBytes("raw_index_end_key")),
                                        found.getString("lease_holder_locality"),
                                        found.getString("replica_localities"),
                                        voterLocalities(found),
                                        found.getLong("range_size")));
                    }
                }
            }
            if (!ids.equals(spansOf)) {
                spans = spans(statement, ids);
                spansOf = ids;
            }
            List<Range> ranges = new ArrayList<>();
            rows.forEach((index, of) ->
                    ranges.addAll(ranges(index.table(), index.name(), of, spans.getOrDefault(index, List.of()))));
            return List.copyOf(ranges);
        }
    }

    private static String voterLocalities(ResultSet range) throws SQLException {
        List<?> replicas = Arrays.asList((Object[]) range.getArray("replicas").getArray());
        Object[] localities = (Object[]) range.getArray("replica_localities").getArray();
        Object[] voters = (Object[]) range.getArray("voting_replicas").getArray();
        return Arrays.stream(voters)
                .map(voter -> String.valueOf(localities[replicas.indexOf(voter)]))
                .collect(Collectors.joining(" "));
    }

    /** Returns where the rows of each region, or of each of its cities, are in the indexes that are partitioned. */
    private Map<Index, List<Span>> spans(Statement statement, Map<Index, Ids> indexes) throws SQLException {
        Map<Index, List<KeyColumn>> keys = keys(statement);
        List<String> known = texts(statement, "SELECT region FROM [SHOW REGIONS FROM DATABASE]");
        List<String> partitioned = texts(
                statement,
                "SELECT DISTINCT index_name FROM [SHOW PARTITIONS FROM DATABASE " + Sql.name(connection.getCatalog())
                        + "]");
        List<Index> asked = new ArrayList<>();
        List<String> homes = new ArrayList<>();
        List<String> encoded = new ArrayList<>();
        indexes.forEach((index, ids) -> {
            List<KeyColumn> key = keys.getOrDefault(index, List.of());
            if (!key.isEmpty() && partitioned.contains(index.table() + "@" + index.name())) {
                homes(key.get(0), known).forEach((value, home) -> {
                    asked.add(index);
                    homes.add(home);
                    encoded.add(encoded(ids, key, value, false));
                    encoded.add(encoded(ids, key, value, true));
                });
            }
        });
        Map<Index, List<Span>> spans = new HashMap<>();
        if (!encoded.isEmpty()) {
            try (ResultSet found = statement.executeQuery("SELECT " + String.join(", ", encoded))) {
                found.next();
                for (int place = 0; place < asked.size(); place++) {
                    spans.computeIfAbsent(asked.get(place), index -> new ArrayList<>())
                            .add(new Span(
                                    homes.get(place),
                                    hex(found.getBytes(2 * place + 1)),
                                    hex(found.getBytes(2 * place + 2))));
                }
            }
        }
        return spans;
    }

    /**
     * Returns the columns of each index's key, including the columns that CockroachDB has added. A statement reads system tables,
     * perhaps in another region, and takes as long for a table as for all of them.
     */
    private static Map<Index, List<KeyColumn>> keys(Statement statement) throws SQLException {
        String ours = "WHERE table_schema = 'public' AND table_name IN (" + Sql.texts(EngineStages.TABLES) + ")";
        Map<String, Map<String, String>> types = new HashMap<>();
        try (ResultSet columns = statement.executeQuery(
                "SELECT table_name, column_name, crdb_sql_type FROM information_schema.columns " + ours)) {
            while (columns.next()) {
                types.computeIfAbsent(columns.getString(1), table -> new HashMap<>())
                        .put(columns.getString(2), columns.getString(3).toUpperCase(Locale.ROOT));
            }
        }
        Map<Index, List<KeyColumn>> keys = new HashMap<>();
        try (ResultSet columns =
                statement.executeQuery("SELECT table_name, index_name, column_name FROM information_schema.statistics "
                        + ours + " AND storing = 'NO' ORDER BY table_name, index_name, seq_in_index")) {
            while (columns.next()) {
                Index index = new Index(columns.getString(1), columns.getString(2));
                String column = columns.getString(3);
                keys.computeIfAbsent(index, first -> new ArrayList<>())
                        .add(new KeyColumn(
                                column,
                                types.getOrDefault(index.table(), Map.of()).getOrDefault(column, "")));
            }
        }
        return keys;
    }

    /** Returns the home region by each value of a key's first column. */
    private Map<String, String> homes(KeyColumn first, List<String> known) {
        Map<String, String> homes = new LinkedHashMap<>();
        regions.cities().forEach((region, cities) -> {
            if (!first.type().equals(REGION_TYPE)) {
                cities.forEach(city -> homes.put(city, region.name()));
            } else if (known.contains(region.name())) {
                homes.put(region.name(), region.name());
            }
        });
        return homes;
    }

    /** Returns the first or the last key that begins with a value, as an expression. */
    private static String encoded(Ids ids, List<KeyColumn> key, String value, boolean last) {
        String row = key.stream()
                .map(column -> (column.equals(key.get(0)) ? Sql.text(value) : end(column, last)) + "::" + column.type())
                .collect(Collectors.joining(", "));
        return "crdb_internal.encode_key(" + ids.table() + ", " + ids.index() + ", (" + row + "))";
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
            return last ? "e'\\U0010FFFF'" : "''";
        }
        throw new IllegalStateException(column + " has a type that no key of MovR has");
    }

    /** Returns the ranges of an index, each with the home region of the rows that it can hold. */
    static List<Range> ranges(String table, String index, List<Row> rows, List<Span> spans) {
        List<Range> ranges = new ArrayList<>();
        for (Row row : rows) {
            List<String> homes = spans.stream()
                    .filter(span ->
                            row.start().compareTo(span.last()) <= 0 && row.end().compareTo(span.first()) > 0)
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

    private static String hex(byte[] key) {
        return HexFormat.of().formatHex(key);
    }

    private static Range range(String table, String index, Row row, @Nullable String home) {
        List<String> leaseholder = regions(row.leaseLocality() == null ? "" : row.leaseLocality());
        return new Range(
                table,
                index,
                home,
                leaseholder.isEmpty() ? null : leaseholder.get(0),
                regions(row.replicaLocalities()),
                regions(row.voterLocalities()),
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
