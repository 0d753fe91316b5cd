package io.movr.environment;

import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.report.LabResults.Check;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Durability, other work, and statistics of a PostgreSQL server. */
final class PostgresProbe implements ServerProbe {

    @Override
    public List<Check> checks(Gateway gateway, Connection connection) throws SQLException {
        return List.of(
                durability(connection), otherSessions(connection), maintenance(connection), statistics(connection));
    }

    @Override
    public List<String> waits(Connection connection) throws SQLException {
        return Rows.query(
                        connection,
                        "SELECT 'waits for ' || wait_event_type || ' ' || wait_event || ' in ' || left(query, 80)"
                                + " || COALESCE(', blocked by the sessions ' || nullif(array_to_string(pg_blocking_pids(pid), ', '), ''), '')"
                                + " FROM pg_stat_activity WHERE state = 'active' AND wait_event IS NOT NULL"
                                + " AND backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY query_start LIMIT 3",
                        List.of())
                .stream()
                .map(row -> row.get(0).replaceAll("\\s+", " "))
                .toList();
    }

    @Override
    public List<TableBytes> tableBytes(Connection connection) throws SQLException {
        return TableBytes.of(connection, """
                SELECT quote_ident(space.nspname) || '.' || quote_ident(whole.relname), part.relname,
                    pg_total_relation_size(part.oid), pg_indexes_size(part.oid)
                FROM pg_class AS part
                JOIN pg_class AS whole ON whole.oid = coalesce(pg_partition_root(part.oid)::oid, part.oid)
                JOIN pg_namespace AS space ON space.oid = whole.relnamespace
                WHERE part.relkind IN ('r', 'p', 'm') AND space.nspname <> 'information_schema'
                  AND space.nspname NOT LIKE 'pg\\_%'""");
    }

    private static Check durability(Connection connection) throws SQLException {
        List<String> off = Rows.query(
                        connection,
                        "SELECT name FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'full_page_writes')"
                                + " AND setting = 'off' ORDER BY name",
                        List.of())
                .stream()
                .map(row -> row.get(0))
                .toList();
        return off.isEmpty()
                ? new Check("durability", "ok", "fsync, synchronous_commit and full_page_writes are on", "")
                : new Check(
                        "durability",
                        "problem",
                        String.join(" and ", off) + " off: writes are measured that a crash would lose",
                        "set " + String.join(" = on, ", off) + " = on");
    }

    private static Check otherSessions(Connection connection) throws SQLException {
        String active = Rows.one(
                connection,
                "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND state = 'active'"
                        + " AND backend_type = 'client backend'");
        return Preflight.idle("other sessions", active, "no other session is working", " other sessions are working");
    }

    private static Check maintenance(Connection connection) throws SQLException {
        String busy = Rows.one(
                connection,
                "SELECT (SELECT count(*) FROM pg_stat_progress_vacuum)"
                        + " + (SELECT count(*) FROM pg_stat_progress_create_index)"
                        + " + (SELECT count(*) FROM pg_stat_progress_basebackup)");
        return Preflight.idle(
                "maintenance",
                busy,
                "no vacuum, index build or backup is running",
                " vacuums, index builds or backups");
    }

    private static Check statistics(Connection connection) throws SQLException {
        List<String> stale = Rows.query(connection, """
                        SELECT relname FROM pg_stat_user_tables
                        WHERE relname IN ('users', 'vehicles', 'rides', 'vehicle_location_histories',
                                          'promo_codes', 'user_promo_codes')
                          AND (coalesce(last_analyze, last_autoanalyze) IS NULL
                               OR n_mod_since_analyze > 1000 + n_live_tup / 10)
                        ORDER BY relname""", List.of()).stream()
                .map(row -> row.get(0))
                .toList();
        return stale.isEmpty()
                ? new Check("statistics", "ok", "every table was analyzed since it changed much", "")
                : new Check(
                        "statistics",
                        "problem",
                        "stale or missing for " + String.join(", ", stale),
                        "run VACUUM ANALYZE on them");
    }
}
