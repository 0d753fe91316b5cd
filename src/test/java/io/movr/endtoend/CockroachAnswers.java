package io.movr.endtoend;

import io.movr.endtoend.RecordingServer.Answer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What a cluster of nine nodes in three regions answered on v26.1, as far as commands need it to go on to their next statement.
 */
final class CockroachAnswers {

    private static final String INSTALLED_ON = "2026-11-24 12:00:00";

    private CockroachAnswers() {}

    /** A cluster with an empty database, which remembers the migrations that Flyway applies. */
    static RecordingServer cluster() throws IOException {
        List<String> applied = new CopyOnWriteArrayList<>();
        return new RecordingServer()
                .answering("^SELECT EXISTS", Answer.of("exists:bool", "f"))
                .answering("^SELECT count", Answer.of("count", "0"))
                .answering("^SELECT 1$", Answer.of("one", "1"))
                .answering("^SELECT true$", Answer.of("true:bool", "t"))
                .answering(
                        "(?i)^SELECT version\\(\\)",
                        Answer.of(
                                "version", "CockroachDB CCL v26.1.0 (x86_64-pc-linux-gnu, built 2026/01/01 00:00:00)"))
                .answering("(?i)^SELECT (current_database\\(\\)|current_catalog)", Answer.of("database", "movr"))
                .answering("(?i)^SELECT current_user|SHOW SESSION_USER", Answer.of("user", "root"))
                .answering("(?i)^SHOW search_path|^SELECT current_schema$", Answer.of("search_path", "public"))
                .answering("^SHOW transaction_isolation", Answer.of("transaction_isolation", "serializable"))
                .answering("information_schema.schemata", Answer.of("exists:bool", "t"))
                .answering("^SELECT current_schema\\(\\) = 'public'", Answer.of("empty:bool", "t"))
                .answering("SHOW REGIONS FROM CLUSTER", Answer.of("region", "europe-west1", "us-east1", "us-west1"))
                .answering(
                        "^SELECT EXISTS.*information_schema.tables.*flyway_schema_history",
                        Answer.of("exists:bool", "t"))
                .answering("INSERT INTO \"public\".\"flyway_schema_history\".*VALUES \\('(.*)'\\)", found -> {
                    // rank, version, description, type, script, checksum, user, milliseconds, success
                    String[] row = found.group(1).split("', '", -1);
                    applied.add(String.join(
                            "\t", row[0], row[1], row[2], row[3], row[4], row[5], INSTALLED_ON, row[6], row[7], "t"));
                    return null;
                })
                .answering(
                        "^SELECT \"installed_rank\".* > '?(-?\\d+)",
                        found -> Answer.of(
                                "installed_rank version description type script checksum installed_on installed_by"
                                        + " execution_time success",
                                applied.stream()
                                        .filter(row -> Integer.parseInt(row.split("\t", -1)[0])
                                                > Integer.parseInt(found.group(1)))
                                        .toArray(String[]::new)))
                .answering("^(BACKUP|RESTORE) DATABASE", Answer.of("job_id status", "1\tsucceeded"))
                .answering("^SELECT convert_from\\(crdb_internal.read_file", Answer.of("read_file", "try"))
                .answering(
                        "^IMPORT INTO .*/(\\d+)'\\) WITH",
                        found -> Answer.of(
                                "job_id status fraction_completed rows", "1\tsucceeded\t1\t" + found.group(1)))
                .answering(
                        "^SELECT extract\\(epoch",
                        found -> Answer.of("now", Double.toString(System.currentTimeMillis() / 1000.0)));
    }

    /** A cluster with a table of orders that a query reads whole. */
    static RecordingServer withOrders() throws IOException {
        return cluster()
                .answering("^EXPLAIN", Answer.of("info", """
                        planning time: 582µs
                        execution time: 2ms
                        distribution: local
                        vectorized: true
                        rows decoded from KV: 2,071 (196 KiB, 1 gRPC calls)
                        maximum memory usage: 370 KiB

                        • filter
                        │ actual row count: 1
                        │ filter: customer_id = 7
                        │
                        └── • scan
                              actual row count: 2,071
                              estimated row count: 2,071 (100% of the table; stats collected 28 seconds ago)
                              table: orders@orders_pkey
                              spans: FULL SCAN""".split("\n")))
                .answering("^SELECT \\* FROM orders", Answer.of("id customer_id", "1\t7"));
    }

    /** A cluster whose database is at stage 10, with one partitioned index. */
    static RecordingServer placed() throws IOException {
        String nodes = "{1,2,3}\t{region=us-east1,region=us-east1,region=us-east1}\t{1,2,3}\t4096";
        return cluster()
                .answering(
                        "^SHOW RANGES FROM DATABASE",
                        Answer.of(
                                "table_name index_name table_id index_id raw_index_start_key:bytea"
                                        + " raw_index_end_key:bytea lease_holder_locality replicas:int[]"
                                        + " replica_localities:text[] voting_replicas:int[] range_size",
                                "users\tusers_pkey\t106\t1\t\\xf2\t\\xf3\tregion=us-east1\t" + nodes))
                .answering("SHOW REGIONS FROM DATABASE", Answer.of("region", "us-east1", "us-west1", "europe-west1"))
                .answering("SHOW PARTITIONS FROM DATABASE", Answer.of("index_name", "users@users_pkey"))
                .answering(
                        "crdb_sql_type FROM information_schema.columns",
                        Answer.of(
                                "table_name column_name crdb_sql_type",
                                "users\tregion\tpublic.crdb_internal_region",
                                "users\tcity\tVARCHAR",
                                "users\tid\tUUID"))
                .answering(
                        "FROM information_schema.statistics",
                        Answer.of(
                                "table_name index_name column_name",
                                "users\tusers_pkey\tregion",
                                "users\tusers_pkey\tcity",
                                "users\tusers_pkey\tid"))
                .answering(
                        "^SELECT crdb_internal.encode_key",
                        Answer.of(
                                "a:bytea b:bytea c:bytea d:bytea e:bytea f:bytea",
                                "\\xf200\t\\xf201\t\\xf202\t\\xf203\t\\xf204\t\\xf205"));
    }
}
