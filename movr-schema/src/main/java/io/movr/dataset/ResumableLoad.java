package io.movr.dataset;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Rows;
import io.movr.database.StatementWatchdog;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.BulkLoader.Result;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A load into CockroachDB, which needs small transactions and may require a retry of each. The same command continues an
 * interrupted load, see {@link ChunkedLoader}.
 */
final class ResumableLoad implements LoadStrategy {

    private final LoadProgress progress;
    private final StatementWatchdog watch;

    ResumableLoad(LoadProgress progress, StatementWatchdog watch) {
        this.progress = progress;
        this.watch = watch;
    }

    @Override
    public Result load(Connection control, Load load) {
        DatasetSpec spec = load.spec();
        long begun = System.nanoTime();
        try {
            boolean fromEmpty = prepare(control, spec, load.ifFilled());
            DatasetSpec rows = fromEmpty ? spec : spec.withoutPublishedRows();
            new ChunkedLoader(watch, progress, rows).load(load.connections(), fromEmpty && !load.withForeignKeys());
            control.setAutoCommit(false);
            Rows.execute(control, "DELETE FROM movr_load_chunks WHERE seed = " + spec.seed());
            Rows.execute(control, "DELETE FROM movr_loads WHERE state <> 'complete'");
            BulkLoader.note(control, spec, "complete");
            control.commit();
            control.setAutoCommit(true);
            return new Result(rows.totalRows(), progress.bytes(), BulkLoader.secondsSince(begun), load.connections());
        } catch (SQLException | IOException failed) {
            throw new UserError(
                    "The load failed: " + watch.reason(failed)
                            + ". The same command continues it; --replace starts again",
                    failed);
        }
    }

    /**
     * Records the load that begins, unless it continues an interrupted one.
     *
     * @return whether the tables were empty when the load began
     */
    private boolean prepare(Connection control, DatasetSpec spec, IfFilled ifFilled) throws SQLException {
        if (BulkLoader.exists(
                control,
                "SELECT 1 FROM " + Engine.of(control).sessions() + " WHERE application_name = '" + ChunkedLoader.NAME
                        + "'")) {
            throw new UserError("Another load into this cluster is running: wait for it to end");
        }
        BulkLoader.createNotes(control);
        ChunkedLoader.createNotes(control);
        ChunkedLoader.endImports(control, progress);
        String same = ChunkedLoader.fingerprint(spec);
        String interrupted = "SELECT 1 FROM movr_loads WHERE state ";
        if (ifFilled != IfFilled.REPLACE && BulkLoader.exists(control, interrupted + "<> 'complete'")) {
            if (BulkLoader.exists(control, interrupted + "= 'loading " + same + "'")) {
                return true;
            }
            if (BulkLoader.exists(control, interrupted + "= 'appending " + same + "'")) {
                return false;
            }
            throw new UserError(
                    "A load of other rows was interrupted: run its command again to continue it, or load anew"
                            + " with --replace");
        }
        if (ifFilled == IfFilled.REPLACE) {
            Rows.execute(control, "TRUNCATE movr_loads, movr_load_chunks, " + BulkLoader.TABLES);
        }
        boolean filled = BulkLoader.isFilled(control, spec, ifFilled);
        BulkLoader.note(control, spec, (filled ? "appending " : "loading ") + same);
        return !filled;
    }
}
