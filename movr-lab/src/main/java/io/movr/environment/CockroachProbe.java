package io.movr.environment;

import io.movr.UserError;
import io.movr.database.Closeables;
import io.movr.database.CockroachVersion;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.database.SqlState;
import io.movr.dataset.Table;
import io.movr.report.LabResults.Check;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The checks of a CockroachDB cluster before a measurement. */
final class CockroachProbe implements ServerProbe {

    /** One more than the concurrent transactions of a throttled cluster, whose seven days without a licence are over. */
    private static final int TRANSACTIONS = 6;

    @Override
    public List<Check> checks(Gateway gateway, Connection connection) throws SQLException {
        List<Check> checks = new ArrayList<>();
        checks.add(version(Rows.one(connection, "SELECT version()")));
        checks.add(licence(gateway));
        checks.add(otherStatements(connection));
        checks.add(jobs(connection));
        checks.add(statistics(connection));
        return checks;
    }

    @Override
    public List<String> waits(Connection connection) throws SQLException {
        List<String> reasons = new ArrayList<>();
        openInternals(connection);
        String queues = Rows.query(
                        connection,
                        "SELECT name, CAST(value AS INT) FROM crdb_internal.node_metrics"
                                + " WHERE name LIKE 'admission.wait_queue_length.%' AND value > 0 ORDER BY value DESC",
                        List.of())
                .stream()
                .map(row -> row.get(0).replace("admission.wait_queue_length.", "") + " " + row.get(1))
                .collect(Collectors.joining(", "));
        if (!queues.isEmpty()) {
            reasons.add("work that waits for admission: " + queues);
        }
        Rows.query(
                        connection,
                        "SELECT substr(query, 1, 80), phase FROM [SHOW CLUSTER STATEMENTS]"
                                + " WHERE application_name <> 'movr-diagnosis' ORDER BY start LIMIT 3",
                        List.of())
                .forEach(row -> reasons.add(row.get(1) + " " + row.get(0).replaceAll("\\s+", " ")));
        return reasons;
    }

    @Override
    public List<TableBytes> tableBytes(Connection connection) throws SQLException {
        openInternals(connection);
        // SHOW RANGES would count neighbours that share a range.
        return TableBytes.of(connection, """
                SELECT quote_ident(tables.schema_name) || '.' || quote_ident(tables.name), tables.name,
                    sum((span.stats->'total_stats'->>'live_bytes')::INT8)::INT8,
                    coalesce(sum((span.stats->'total_stats'->>'live_bytes')::INT8)
                        FILTER (WHERE indexes.index_type <> 'primary'), 0)::INT8
                FROM crdb_internal.tables AS tables
                JOIN crdb_internal.table_indexes AS indexes ON indexes.descriptor_id = tables.table_id,
                LATERAL crdb_internal.tenant_span_stats(ARRAY[(
                    crdb_internal.index_span(indexes.descriptor_id, indexes.index_id)[1],
                    crdb_internal.index_span(indexes.descriptor_id, indexes.index_id)[2])]) AS span
                WHERE tables.database_name = current_database() AND tables.drop_time IS NULL
                GROUP BY tables.schema_name, tables.name""");
    }

    /** Enables crdb_internal, which is disabled by default from v26.1 on; earlier versions lack the setting. */
    private static void openInternals(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET allow_unsafe_internals = on");
        } catch (SQLException older) {
            if (!SqlState.UNDEFINED_OBJECT.equals(older.getSQLState())) {
                throw older;
            }
        }
    }

    /** Plans, answers of SHOW statements and defaults change from one version to the next. */
    static Check version(String full) {
        CockroachVersion version = CockroachVersion.in(full).orElse(null);
        if (CockroachVersion.TRIED.equals(version)) {
            return new Check("version", "ok", CockroachVersion.TRIED.toString(), "");
        }
        return new Check(
                "version",
                "warning",
                version == null
                        ? "not known: " + full
                        : version + "; movr has been tried on " + CockroachVersion.TRIED + " only",
                "run movr doctor --full on it first");
    }

    /** Checks whether the cluster is throttled, by opening more concurrent transactions than a throttled one allows. */
    private static Check licence(Gateway gateway) throws SQLException {
        List<Connection> open = new ArrayList<>();
        try {
            for (int number = 0; number < TRANSACTIONS; number++) {
                Connection connection = gateway.connect("movr-preflight");
                open.add(connection);
                connection.setAutoCommit(false);
                Rows.query(connection, "SELECT 1", List.of());
            }
            return new Check("licence", "ok", TRANSACTIONS + " transactions can be open at once: not throttled", "");
        } catch (SQLException | UserError refused) {
            return new Check(
                    "licence",
                    "problem",
                    "transaction " + open.size() + " at once was refused: " + UserError.firstLine(refused),
                    "set a licence (SET CLUSTER SETTING enterprise.license = …), or measure on a new cluster");
        } finally {
            Closeables.closeAll(open, Connection::close);
        }
    }

    private static Check otherStatements(Connection connection) throws SQLException {
        String active = Rows.one(
                connection,
                "SELECT count(*) FROM [SHOW CLUSTER STATEMENTS] WHERE application_name <> 'movr-preflight'"
                        + " AND application_name NOT LIKE '$ internal%'");
        return Preflight.idle("other sessions", active, "no other session is working", " other statements are running");
    }

    private static Check jobs(Connection connection) throws SQLException {
        String running = Rows.one(
                connection,
                "SELECT count(*) FROM [SHOW JOBS] WHERE status IN ('pending', 'running')"
                        + " AND job_type IN ('SCHEMA CHANGE', 'NEW SCHEMA CHANGE', 'BACKUP', 'RESTORE', 'IMPORT',"
                        + " 'CREATE STATS')");
        boolean idle = running.equals("0");
        return new Check(
                "jobs",
                idle ? "ok" : "warning",
                idle ? "no schema change, backup or statistics job is running" : running + " jobs are running",
                idle ? "" : "wait until they are done: SHOW JOBS");
    }

    private static Check statistics(Connection connection) throws SQLException {
        List<String> missing = new ArrayList<>();
        for (Table table : Table.values()) {
            boolean there = !Rows.query(
                            connection,
                            "SELECT 1 FROM pg_tables WHERE schemaname = 'public' AND tablename = ?",
                            List.of(table.sql()))
                    .isEmpty();
            if (there
                    && Rows.one(connection, "SELECT count(*) FROM [SHOW STATISTICS FOR TABLE " + table.sql() + "]")
                            .equals("0")) {
                missing.add(table.sql());
            }
        }
        return missing.isEmpty()
                ? new Check("statistics", "ok", "every table has some", "")
                : new Check(
                        "statistics", "problem", "missing for " + String.join(", ", missing), "run ANALYZE on them");
    }
}
