package io.movr.workload;

import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.report.RunDisplay;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * MovR's rows, as its workload needs them.
 *
 * @param stage of the schema; {@code null} for the stage of the database
 * @param load whether missing rows are loaded
 * @param replace whether existing rows are removed first
 */
public record MovrRows(DatasetSpec spec, @Nullable Stage stage, boolean load, boolean replace) {

    /**
     * Loads the rows and migrates the schema, as requested.
     *
     * @param loading receives the start of a load, and returns what is called when the load has ended
     * @return the settings of the run that are known only now, by the names of the options
     */
    public Map<String, String> prepare(
            Cluster cluster, Gateway gateway, RunDisplay display, Function<LoadProgress, Runnable> loading) {
        Schema schema = new Schema(cluster.engine(), gateway);
        if (load) {
            LoadProgress progress = new LoadProgress();
            Runnable loaded = loading.apply(progress);
            try {
                new BulkLoader(cluster.engine(), gateway, progress)
                        .load(spec, BulkLoader.defaultConnections(), replace ? IfFilled.REPLACE : IfFilled.KEEP);
            } finally {
                loaded.run();
            }
            if (stage != null) {
                display.progress("Migrating to " + stage + "…");
                schema.migrateTo(stage);
            }
        }
        return Map.of("stage", schema.current().map(Stage::id).orElse("none"));
    }
}
