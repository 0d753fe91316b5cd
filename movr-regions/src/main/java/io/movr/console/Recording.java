package io.movr.console;

import io.movr.UserError;
import io.movr.report.RunBundle;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The recording of all events in {@code console.jsonl} of a bundle, one per line. Closing it writes
 * {@code console.html}, a page that opens from disk and shows the console at any time of the run.
 */
final class Recording implements AutoCloseable {

    /** The size of about six hours of three regions. A browser must be able to open the page with all events. */
    private static final long MAX_CHARACTERS = 40L << 20;

    private static final String FILE = "console.jsonl";
    private static final String PAGE = "console.html";

    private final RunBundle bundle;
    private final long maxCharacters;
    private final OutputStream out;
    private long characters;
    private long events;
    private boolean full;
    private boolean closed;

    Recording(RunBundle bundle) {
        this(bundle, MAX_CHARACTERS);
    }

    Recording(RunBundle bundle, long maxCharacters) {
        this.bundle = bundle;
        this.maxCharacters = maxCharacters;
        try {
            out = Files.newOutputStream(file());
        } catch (IOException failed) {
            throw new UserError("Cannot write " + file() + ": " + UserError.firstLine(failed), failed);
        }
    }

    Path file() {
        return bundle.folder().resolve(FILE);
    }

    /** Returns the page that shows the recording, once it is closed. */
    Path page() {
        return bundle.folder().resolve(PAGE);
    }

    synchronized void add(String event) {
        if (closed || full) {
            return;
        }
        characters += event.length() + 1;
        if (characters > maxCharacters) {
            end("a browser could not open a longer one");
            return;
        }
        try {
            // Unbuffered, so that a killed process leaves its events.
            out.write((event + "\n").getBytes(StandardCharsets.UTF_8));
            events++;
        } catch (IOException failed) {
            end(UserError.firstLine(failed));
        }
    }

    private void end(String why) {
        full = true;
        System.err.println("movr: the console continues without a recording (" + why + ")");
    }

    /** Ends the recording and writes its page. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            out.close();
            // If the disk was full, the last line is incomplete.
            try (Stream<String> lines = Files.lines(file()).limit(events)) {
                bundle.write(PAGE, Pages.standalone(lines.collect(Collectors.joining(",\n", "[", "]"))));
            }
        } catch (IOException failed) {
            throw new UserError("Cannot read " + file() + ": " + UserError.firstLine(failed), failed);
        }
    }
}
