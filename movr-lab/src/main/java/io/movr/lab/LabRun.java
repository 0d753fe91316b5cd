package io.movr.lab;

import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.dataset.LoadProgress;
import io.movr.report.RunDisplay;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A run of the laboratory on a database that is opened for it. */
public final class LabRun {

    /** Of an experiment on a CockroachDB that movr starts, with loading its databases, as measured on two cores. */
    private static final Duration ONE_REGION = Duration.ofSeconds(20);

    private static final Duration REGIONAL = Duration.ofSeconds(25);
    private static final Duration REGIONS_READY = Duration.ofMinutes(2);

    private LabRun() {}

    /** The display of a run, which is closed when the run is over. */
    public interface Watch extends LabListener, AutoCloseable {

        @Override
        void close();
    }

    /** Makes the display of a run. */
    public interface Watcher {

        /**
         * Returns a display.
         *
         * @param load the progress of loading
         * @param totalRows the number of rows that are loaded
         */
        Watch watch(LoadProgress load, long totalRows);
    }

    /**
     * Measures the experiments of statements.
     *
     * @param regions where the experiments run that need several; {@code null} if there are none
     */
    public static LabOutcome of(
            DatabaseSource database,
            LabRequest request,
            @Nullable Regions regions,
            RunDisplay display,
            Watcher watcher) {
        int number = request.ofStatements().size();
        display.progress("Starting the database…");
        LoadProgress progress = new LoadProgress();
        try (Watch watch = watcher.watch(progress, request.totalRows());
                Cluster cluster = database.temporary()) {
            display.line(cluster.version().replaceAll(" on .*", "") + (cluster.embedded() ? ", embedded" : "") + "; "
                    + (request.loadsMovr()
                            ? String.format(
                                            Locale.ROOT,
                                            "%,d",
                                            request.dataset().rides()) + " rides; "
                            : "")
                    + number
                    + (number == 1 ? " experiment" : " experiments")
                    + (cluster.embedded() && !cluster.engine().copiesDatabases() ? expected(request) : ""));
            return new Lab(cluster, request, regions, watch).run(progress);
        }
    }

    /** Every stage is loaded by itself there, and those of regions wait for their leaseholders. */
    private static String expected(LabRequest request) {
        List<String> regional = request.ofRegions();
        Duration expected = ONE_REGION
                .multipliedBy(request.ofStatements().size() - regional.size())
                .plus(REGIONAL.multipliedBy(regional.size()))
                .plus(regional.isEmpty() ? Duration.ZERO : REGIONS_READY);
        return "; about " + RunDisplay.duration(expected.toMillis() / 1e3) + " on two cores at scale quick";
    }
}
