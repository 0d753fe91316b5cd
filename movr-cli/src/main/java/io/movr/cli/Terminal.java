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
 * Says on standard error how long work gets on: on one line that is written over where somebody watches, and as plain
 * lines now and then where the output goes to a file. There a line at least every eleven seconds tells that work goes on,
 * from the first progress until {@link #clear}.
 */
final class Terminal implements RunDisplay {

    private static final Duration PLAIN_EVERY = Duration.ofSeconds(10);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final int WIDEST = 110;
    private static final String WIPE = "\r\u001b[K";

    private final PrintWriter out;
    private final boolean watched;
    private final LongSupplier nanoTime;
    private final Duration lookEvery;
    private boolean lineOpen;
    private long lastPlain;

    /** What goes on, and since when; empty if nothing does. */
    private String current = "";

    private long currentSince;
    private @Nullable ScheduledExecutorService heart;

    Terminal(PrintWriter standardError) {
        this(standardError, Boolean.getBoolean("movr.terminal"), System::nanoTime, LOOK_EVERY);
    }

    Terminal(PrintWriter standardError, boolean watched, LongSupplier nanoTime, Duration lookEvery) {
        this.out = standardError;
        this.watched = watched;
        this.nanoTime = nanoTime;
        this.lookEvery = lookEvery;
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
            // A line that wraps could not be written over.
            String line = PrintableText.ofLine(text);
            PrintableWriter.printRaw(out, WIPE + (line.length() > WIDEST ? line.substring(0, WIDEST - 1) + "…" : line));
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
            long millis = lookEvery.toMillis();
            var unused = heart.scheduleAtFixedRate(this::beat, millis, millis, TimeUnit.MILLISECONDS);
        }
        if (nanoTime.getAsLong() - lastPlain > PLAIN_EVERY.toNanos()) {
            plain(text);
        }
    }

    /** Tells that work goes on, if nothing has been said for a while. */
    synchronized void beat() {
        long now = nanoTime.getAsLong();
        if (!current.isEmpty() && now - lastPlain >= PLAIN_EVERY.toNanos()) {
            long unchanged = now - currentSince;
            plain(
                    unchanged < PLAIN_EVERY.toNanos()
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
