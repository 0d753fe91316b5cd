package io.movr.cli;

import io.movr.dataset.LoadProgress;
import io.movr.report.RunDisplay;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The display of a load in the terminal: rows, rows per second, and the time left. */
final class LoadDisplay {

    private final Terminal terminal;
    private final LoadProgress progress;
    private final long totalRows;
    private final long begun = System.nanoTime();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "load-display");
        thread.setDaemon(true);
        return thread;
    });

    private final ScheduledFuture<?> ticking;

    LoadDisplay(Terminal terminal, LoadProgress progress, long totalRows) {
        this.terminal = terminal;
        this.progress = progress;
        this.totalRows = totalRows;
        ticking = clock.scheduleAtFixedRate(this::show, 250, 250, TimeUnit.MILLISECONDS);
    }

    private void show() {
        String trouble = progress.trouble();
        if (!trouble.isEmpty()) {
            terminal.progress(progress.step() + ": " + trouble);
            return;
        }
        long rows = progress.rows();
        double seconds = (System.nanoTime() - begun) / 1e9;
        if (rows == 0 || rows >= totalRows) {
            terminal.progress((progress.step().isEmpty() ? "Preparing the tables" : progress.step()) + "…");
            return;
        }
        double rate = rows / seconds;
        terminal.progress(String.format(
                Locale.ROOT,
                "%s: %,d of %,d rows (%.0f%%), %,.0f rows/s, %s left",
                progress.step(),
                rows,
                totalRows,
                100.0 * rows / totalRows,
                rate,
                RunDisplay.duration((totalRows - rows) / rate)));
    }

    void close() {
        ticking.cancel(false);
        clock.shutdownNow();
        terminal.clear();
    }
}
