package io.movr.lab;

import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.environment.StatementTimeout;
import io.movr.report.LabResults.WriteCost;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.apache.commons.statistics.descriptive.Median;
import org.jspecify.annotations.Nullable;

/**
 * The costs of a write on a PostgreSQL server in addition to its time: bytes of the write-ahead log, and updates that
 * write indexes.
 */
final class WriteCosts {

    private static final int EXECUTIONS = 50;

    private static final String END_OF_WAL = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')";
    private static final String UPDATES =
            "SELECT coalesce(sum(n_tup_upd), 0), coalesce(sum(n_tup_hot_upd), 0) FROM pg_stat_xact_user_tables";

    private WriteCosts() {}

    /**
     * Executes a write some times and resets each, which is not counted. The write must have run before, so that few
     * pages are written to the log as a whole.
     *
     * @return {@code null} if the engine has no such figures
     */
    static @Nullable WriteCost of(Gateway database, Side side) throws SQLException {
        Operation operation = side.operation().inBlock(0);
        double[] walBytes = new double[EXECUTIONS];
        long updates = 0;
        long hot = 0;
        try (Connection connection =
                StatementTimeout.bounded(database, StatementTimeout.LIMIT).connect("movr-lab")) {
            if (Engine.of(connection) != Engine.POSTGRESQL) {
                return null;
            }
            operation.prepare(connection);
            for (int execution = 0; execution < EXECUTIONS; execution++) {
                double before = Double.parseDouble(Rows.one(connection, END_OF_WAL));
                connection.setAutoCommit(false);
                operation.run(connection);
                // Counts this transaction; an operation that has committed its own transaction leaves none.
                List<String> rows = Rows.query(connection, UPDATES, List.of()).get(0);
                connection.commit();
                connection.setAutoCommit(true);
                walBytes[execution] = Double.parseDouble(Rows.one(connection, END_OF_WAL)) - before;
                updates += Long.parseLong(rows.get(0));
                hot += Long.parseLong(rows.get(1));
                operation.reset(connection);
            }
        }
        return new WriteCost(
                Math.round(Median.withDefaults().evaluate(walBytes)), updates == 0 ? null : 100.0 * hot / updates);
    }
}
