package io.movr.cli;

import io.movr.PrintableText;
import io.movr.report.RunDisplay;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a command on standard error. In a terminal it is one line that is overwritten. In a file it is plain lines, one
 * at least every eleven seconds, from the first progress until {@link #clear}.
 */
final class Terminal implements RunDisplay {

    private static final Duration LINE_INTERVAL = Duration.ofSeconds(10);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    private static final int MAX_WIDTH = 110;
    private static final String WIPE = "\r\u001b[K";

    private final PrintWriter out;
    private final boolean watched;
    private final LongSupplier nanoTime;
    private final Duration checkInterval;
    private boolean lineOpen;
    private long lastPlain;

    /** The current progress; empty if there is none. */
    private String current = "";

    private long currentSince;
    private @Nullable ScheduledExecutorService heart;

    Terminal(PrintWriter standardError) {
        this(standardError, Boolean.getBoolean("movr.terminal"), System::nanoTime, CHECK_INTERVAL);
    }

    Terminal(PrintWriter standardError, boolean watched, LongSupplier nanoTime, Duration checkInterval) {
        this.out = standardError;
        this.watched = watched;
        this.nanoTime = nanoTime;
        this.checkInterval = checkInterval;
        this.lastPlain = nanoTime.getAsLong();
    }

    @Override
    public synchronized void line(String text) {
        wipe();
        plain(text);
    }

    @Override
    public synchronized void progress(String text) {
        if (watched) {
            // A line that wraps cannot be overwritten.
            String line = PrintableText.ofLine(text);
            PrintableWriter.printRaw(
                    out, WIPE + (line.length() > MAX_WIDTH ? line.substring(0, MAX_WIDTH - 1) + "…" : line));
            out.flush();
            lineOpen = true;
            return;
        }
        if (!text.equals(current)) {
            current = text;
            currentSince = nanoTime.getAsLong();
        }
        if (heart == null) {
            heart = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "still-running");
                thread.setDaemon(true);
                return thread;
            });
            long millis = checkInterval.toMillis();
            var unused = heart.scheduleAtFixedRate(this::beat, millis, millis, TimeUnit.MILLISECONDS);
        }
        if (nanoTime.getAsLong() - lastPlain > LINE_INTERVAL.toNanos()) {
            plain(text);
        }
    }

    /** Prints that the work is still running, if no line has been printed for a while. */
    synchronized void beat() {
        long now = nanoTime.getAsLong();
        if (!current.isEmpty() && now - lastPlain >= LINE_INTERVAL.toNanos()) {
            long unchanged = now - currentSince;
            plain(
                    unchanged < LINE_INTERVAL.toNanos()
                            ? current
                            : "… still running: " + current + ", " + RunDisplay.duration(unchanged / 1e9));
        }
    }

    private void plain(String text) {
        lastPlain = nanoTime.getAsLong();
        out.println(PrintableText.of(text));
        out.flush();
    }

    @Override
    public synchronized void clear() {
        wipe();
        current = "";
        if (heart != null) {
            heart.shutdownNow();
            heart = null;
        }
    }

    private void wipe() {
        if (lineOpen) {
            PrintableWriter.printRaw(out, WIPE);
            out.flush();
            lineOpen = false;
        }
    }
}
