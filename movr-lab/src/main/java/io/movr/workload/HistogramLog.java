package io.movr.workload;

import io.movr.UserError;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes a run's response times as an HdrHistogram log: an interval histogram for each operation and tick, its tag the
 * operation's name, its values in nanoseconds. Tools that read such logs merge and plot them.
 */
final class HistogramLog implements RunListener, AutoCloseable {

    private final PrintStream stream;
    private final HistogramLogWriter writer;
    private long lastMillis;

    /**
     * Begins a log, and overwrites the file.
     *
     * @throws UserError when it cannot be written
     */
    public HistogramLog(Path file) {
        try {
            stream = new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new UserError(
                    "Cannot write '" + file + "' (" + UserError.firstLine(failed) + "): name another file with"
                            + " --histograms",
                    failed);
        }
        writer = new HistogramLogWriter(stream);
        writer.outputLogFormatVersion();
    }

    @Override
    public void measuringBegins() {
        lastMillis = Instant.now().toEpochMilli();
        writer.outputComment("[Response times in nanoseconds; the tag is the operation]");
        writer.outputStartTime(lastMillis);
        writer.outputLegend();
    }

    @Override
    public void tick(Tick tick) {
        long now = Instant.now().toEpochMilli();
        for (Tick.Part part : tick.operations()) {
            Histogram interval = part.interval().responseNanos().copy();
            interval.setTag(part.interval().name());
            interval.setStartTimeStamp(lastMillis);
            interval.setEndTimeStamp(now);
            writer.outputIntervalHistogram(interval);
        }
        lastMillis = now;
    }

    @Override
    public void lastTick(Tick tick) {
        tick(tick);
    }

    @Override
    public void close() {
        stream.close();
        if (stream.checkError()) {
            throw new UserError("The histograms are incomplete: free some disk space");
        }
    }
}
