package io.movr.environment;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.database.Machine;
import io.movr.database.Rows;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.Table;
import io.movr.report.Environment;
import io.movr.report.LabResults;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes the environment of a measurement: the machine, the JVM, the server and its settings. */
public final class EnvironmentProbe {

    private static final List<String> SETTINGS = List.of(
            "fsync",
            "synchronous_commit",
            "full_page_writes",
            "shared_buffers",
            "effective_cache_size",
            "work_mem",
            "maintenance_work_mem",
            "random_page_cost",
            "jit",
            "max_parallel_workers_per_gather",
            "max_wal_size",
            "autovacuum",
            "default_transaction_isolation",
            "server_encoding");

    private EnvironmentProbe() {}

    /**
     * Describes them.
     *
     * <p>Whether they were quiet shows only {@linkplain Environment#with when the measuring is over}.
     *
     * @param gateway a database that is measured, whose settings count
     * @throws UserError if the server does not answer
     */
    public static Environment of(Cluster cluster, Gateway gateway, Program program) {
        Map<String, String> settings = new LinkedHashMap<>();
        try (Connection connection =
                StatementTimeout.bounded(gateway, StatementTimeout.SAMPLE_LIMIT).connect("movr-lab")) {
            for (String name : SETTINGS) {
                List<List<String>> value = Rows.query(
                        connection, "SELECT current_setting(name) FROM pg_settings WHERE name = ?", List.of(name));
                if (!value.isEmpty()) {
                    settings.put(name, value.get(0).get(0));
                }
            }
        } catch (SQLException failed) {
            throw new UserError("Cannot read the settings of " + gateway.shown() + ": " + failed.getMessage(), failed);
        }
        return new Environment(
                program.version(),
                program.commit(),
                Machine.java(),
                Machine.os(),
                Machine.processor(),
                Machine.cores(),
                Machine.memoryBytes(),
                cluster.engine().title(),
                cluster.version(),
                cluster.gateway().recorded(),
                cluster.embedded(),
                null,
                settings);
    }

    /** Describes the rows that were measured on. */
    public static LabResults.Dataset dataset(String scale, DatasetSpec spec, @Nullable Double loadSeconds) {
        Map<String, Long> rows = new LinkedHashMap<>();
        for (Table table : Table.values()) {
            rows.put(table.sql(), spec.count(table));
        }
        return new LabResults.Dataset(scale, spec.seed(), spec.cities(), rows, loadSeconds);
    }
}
