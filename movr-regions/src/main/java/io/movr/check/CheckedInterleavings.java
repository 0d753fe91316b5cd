package io.movr.check;

import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.environment.EnvironmentProbe;
import io.movr.environment.Program;
import io.movr.report.CheckResults;
import io.movr.report.CpuSteal;
import io.movr.report.Environment;
import io.movr.report.RunBundle;
import io.movr.report.RunDisplay;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The anomalies that each isolation level of a server permits.
 *
 * @param product the database and its version
 * @param folder the run bundle
 */
public record CheckedInterleavings(String product, List<CheckResults.Interleaving> found, Path folder) {

    /**
     * Opens the database, and runs the interleavings.
     *
     * @param out the folder in which the run bundle is made
     * @param command the words of the command line, for the record
     */
    public static CheckedInterleavings of(
            DatabaseSource source, Path out, Program program, List<String> command, RunDisplay display)
            throws InterruptedException {
        Instant startedAt = Instant.now();
        RunBundle.check(out);
        display.progress("Starting the database…");
        try (Cluster cluster = source.temporary();
                CheckDatabase database = CheckDatabase.of(cluster, source)) {
            CpuSteal stolen = new CpuSteal();
            Environment environment = EnvironmentProbe.of(cluster, database.direct(), program);
            List<CheckResults.Interleaving> found = Interleavings.run(database.direct(), display::progress);
            RunBundle bundle = RunBundle.create(out, startedAt, cluster.engine().folder(), "check");
            bundle.write(new CheckResults(
                    CheckResults.SCHEMA_VERSION,
                    "check",
                    startedAt.toString(),
                    command,
                    true,
                    environment.with(stolen),
                    Map.of(),
                    List.of(),
                    found));
            return new CheckedInterleavings(Cluster.product(cluster.version()), found, bundle.folder());
        } finally {
            display.clear();
        }
    }
}
