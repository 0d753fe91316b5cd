package io.movr.cli;

import io.movr.bench.BenchmarkListener;
import io.movr.dataset.LoadProgress;
import io.movr.report.RunDisplay;
import java.util.Locale;

/** The display of a run of benchmarks in the terminal. */
final class BenchDisplay implements BenchmarkListener, AutoCloseable {

    private final Terminal terminal;
    private final PreparationDisplay preparation;
    private long measuringSince;
    private double expectedSeconds;

    BenchDisplay(Terminal terminal, LoadProgress load, long totalRows) {
        this.terminal = terminal;
        preparation = new PreparationDisplay(terminal, load, totalRows);
    }

    @Override
    public void preparing(String what) {
        preparation.show(what);
    }

    @Override
    public void planned(int jobs, int rounds, double seconds) {
        preparation.close();
        measuringSince = System.nanoTime();
        expectedSeconds = seconds;
        terminal.line(String.format(
                Locale.ROOT,
                "%d measurements, controls included, in each of %d rounds: about %s",
                jobs,
                rounds,
                RunDisplay.duration(seconds)));
    }

    @Override
    public void measuring(int number, int of, String job) {
        terminal.progress(String.format(
                Locale.ROOT,
                "%d/%d %s, about %s left",
                number,
                of,
                job,
                RunDisplay.duration(secondsLeft(number, of, measuringSince, expectedSeconds))));
    }

    /** Returns the expected time until the run ends: by its plan at first, later by the measurements that are done. */
    private static double secondsLeft(int number, int of, long measuringSince, double expectedSeconds) {
        double gone = (System.nanoTime() - measuringSince) / 1e9;
        double whole = number <= 3 ? expectedSeconds : gone / (number - 1) * of;
        return Math.max(0, whole - gone);
    }

    @Override
    public void roundDone(int round, int of) {
        if (round < of) {
            terminal.line(String.format(Locale.ROOT, "Round %d of %d is done, round %d begins", round, of, round + 1));
        }
    }

    @Override
    public void failed(String job, String why) {
        if (!Movr.isStopping()) {
            terminal.line(job + " FAILED: " + why);
        }
    }

    @Override
    public void close() {
        preparation.close();
        terminal.clear();
    }
}
