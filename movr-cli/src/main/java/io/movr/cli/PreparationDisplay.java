package io.movr.cli;

import io.movr.dataset.LoadProgress;
import org.jspecify.annotations.Nullable;

/** The display of the preparation of a measurement; a load is shown with its rows. */
final class PreparationDisplay implements AutoCloseable {

    private final Terminal terminal;
    private final LoadProgress load;
    private final long totalRows;
    private @Nullable LoadDisplay loading;

    PreparationDisplay(Terminal terminal, LoadProgress load, long totalRows) {
        this.terminal = terminal;
        this.load = load;
        this.totalRows = totalRows;
    }

    void show(String what) {
        close();
        if (what.startsWith("Loading")) {
            loading = new LoadDisplay(terminal, load, totalRows);
        } else {
            terminal.progress(what + "…");
        }
    }

    @Override
    public void close() {
        if (loading != null) {
            loading.close();
            loading = null;
        }
    }
}
