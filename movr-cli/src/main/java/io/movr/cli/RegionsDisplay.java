package io.movr.cli;

import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.traffic.RunningRegions;

/** The display of regions that are started. */
record RegionsDisplay(Terminal terminal) implements RunningRegions.Listener {

    @Override
    public void progress(String what) {
        terminal.progress(what + "…");
    }

    @Override
    public Runnable loading(LoadProgress progress, DatasetSpec rows) {
        LoadDisplay display = new LoadDisplay(terminal, progress, rows.totalRows());
        return display::close;
    }
}
