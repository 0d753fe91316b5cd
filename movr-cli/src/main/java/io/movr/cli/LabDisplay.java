package io.movr.cli;

import io.movr.dataset.LoadProgress;
import io.movr.lab.LabRun;
import io.movr.report.LabReport;
import io.movr.report.LabResults;
import io.movr.report.RunDisplay;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The display of a run of the laboratory in the terminal. */
final class LabDisplay implements LabRun.Watch {

    private static final double MIN_PART = 0.03;

    private final Terminal terminal;
    private final PreparationDisplay preparation;
    private final long begun = System.nanoTime();
    private String current = "";
    private int number;
    private int of;
    private long measuringSince;

    LabDisplay(Terminal terminal, LoadProgress load, long totalRows) {
        this.terminal = terminal;
        preparation = new PreparationDisplay(terminal, load, totalRows);
    }

    @Override
    public void preparing(String what) {
        preparation.show(what);
    }

    @Override
    public void noted(String what) {
        preparation.close();
        terminal.line("! " + what);
    }

    @Override
    public void measuring(int newNumber, int newOf, String id) {
        preparation.close();
        if (newNumber == 1) {
            measuringSince = System.nanoTime();
            terminal.line(String.format(
                    Locale.ROOT, "Databases ready after %s", RunDisplay.duration((measuringSince - begun) / 1e9)));
        }
        number = newNumber;
        of = newOf;
        current = id;
        progress(0);
    }

    @Override
    public void pricing(String id) {
        of = 0;
        current = "price of " + id;
        progress(0);
    }

    @Override
    public void progress(double part) {
        if (of == 0) {
            terminal.progress(String.format(Locale.ROOT, "%s %3.0f%%", current, 100 * part));
            return;
        }
        double done = (number - 1 + part) / of;
        Double seconds = secondsLeft(done, measuringSince);
        String left = seconds == null ? "" : ", about " + RunDisplay.duration(seconds) + " left";
        terminal.progress(String.format(Locale.ROOT, "%d/%d %-14s %3.0f%%%s", number, of, current, 100 * part, left));
    }

    /** Returns the time left at the present rate; {@code null} if too little is done to estimate it. */
    private static @Nullable Double secondsLeft(double done, long sinceNanos) {
        return done > MIN_PART ? (System.nanoTime() - sinceNanos) / 1e9 / done * (1 - done) : null;
    }

    @Override
    public void measured(LabResults.Experiment result) {
        if (Movr.isStopping()) {
            // Its databases are being dropped.
            return;
        }
        terminal.line(String.format(Locale.ROOT, "%d/%d %s", number, of, LabReport.line(result)));
    }

    @Override
    public void close() {
        preparation.close();
        terminal.clear();
    }
}
