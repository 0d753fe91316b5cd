package io.movr.lab;

import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.environment.Unanswered;
import io.movr.report.LabResults.WriteCost;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.apache.commons.statistics.descriptive.Median;
import org.jspecify.annotations.Nullable;

/** What a write costs a PostgreSQL server beside its time: bytes of the write-ahead log, and updates that reach the indexes. */
final class WriteCosts {

    private static final int EXECUTIONS = 50;

    private static final String END_OF_WAL = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')";
    private static final String UPDATES =
            "SELECT coalesce(sum(n_tup_upd), 0), coalesce(sum(n_tup_hot_upd), 0) FROM pg_stat_xact_user_tables";

    private WriteCosts() {}

    /**
     * Executes a write some times and takes each back, outside what is counted. It was executed before, so that few pages are
     * written to the log whole.
     *
     * @return {@code null} on an engine that does not say
     */
    static @Nullable WriteCost of(Gateway database, Side side) throws SQLException {
        Operation operation = side.operation().inBlock(0);
        double[] walBytes = new double[EXECUTIONS];
        long updates = 0;
        long hot = 0;
        try (Connection connection =
                Unanswered.bounded(database, Unanswered.LIMIT).connect("movr-lab")) {
            if (Engine.of(connection) != Engine.POSTGRESQL) {
                return null;
            }
            operation.prepare(connection);
            for (int execution = 0; execution < EXECUTIONS; execution++) {
                double before = Double.parseDouble(Rows.one(connection, END_OF_WAL));
                connection.setAutoCommit(false);
                operation.run(connection);
                // Of this transaction; there is none left if the operation has committed its own.
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
