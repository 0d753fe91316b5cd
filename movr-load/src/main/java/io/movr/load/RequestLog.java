package io.movr.load;

import io.movr.UserError;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code requests.csv} and {@code ledger.csv} of a run, written by one thread, which also counts the requests. Records reach the
 * file within a second.
 */
final class RequestLog implements AutoCloseable {

    private static final long FLUSH_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final LinkedBlockingQueue<Runnable> lines = new LinkedBlockingQueue<>();
    private final BufferedWriter requests;
    private final BufferedWriter ledger;
    private final Results results;
    private final Thread writer;
    private volatile boolean closing;
    private volatile @Nullable IOException failed;

    /**
     * Opens both files.
     *
     * @throws UserError when the folder holds a run already
     */
    RequestLog(Path folder, Results results) throws IOException {
        this.results = results;
        Files.createDirectories(folder);
        Path requestsFile = folder.resolve("requests.csv");
        if (Files.exists(requestsFile)) {
            throw new UserError(folder + " holds a run already: give out=another folder, or remove it");
        }
        requests = Files.newBufferedWriter(requestsFile);
        ledger = Files.newBufferedWriter(folder.resolve("ledger.csv"));
        requests.write(RequestRecord.HEADER + "\n");
        ledger.write(LedgerEntry.HEADER + "\n");
        writer = new Thread(this::write, "request-log");
        writer.setDaemon(true);
        writer.start();
    }

    void add(RequestRecord request) {
        lines.add(() -> {
            results.count(request);
            append(requests, request.line());
        });
    }

    void add(LedgerEntry entry) {
        lines.add(() -> append(ledger, entry.line()));
    }

    private void append(BufferedWriter file, String line) {
        try {
            file.write(line);
            file.write('\n');
        } catch (IOException full) {
            failed = full;
        }
    }

    private void write() {
        long flushed = System.nanoTime();
        try {
            while (!closing || !lines.isEmpty()) {
                Runnable line = lines.poll(100, TimeUnit.MILLISECONDS);
                if (line != null) {
                    line.run();
                }
                if (System.nanoTime() - flushed >= FLUSH_EVERY_NANOS) {
                    requests.flush();
                    ledger.flush();
                    flushed = System.nanoTime();
                }
            }
        } catch (IOException full) {
            failed = full;
        } catch (InterruptedException interrupted) {
            failed = new IOException("The writer was interrupted", interrupted);
        }
    }

    /**
     * Writes the remaining records.
     *
     * @throws IOException when any line could not be written
     */
    @Override
    public void close() throws IOException {
        closing = true;
        try {
            writer.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the last requests were being written", interrupted);
        }
        IOException before = failed;
        try (requests;
                ledger) {
            if (before != null) {
                throw before;
            }
        }
    }
}
