package io.movr.console;

import io.movr.UserError;
import io.movr.report.RunBundle;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Every event in {@code console.jsonl} of a bundle, a line each, and in the end {@code console.html}, which opens from disk
 * and shows what the console showed at any time.
 */
final class Recording implements AutoCloseable {

    /** About twelve hours of three regions. The page that holds them all has to open in a browser. */
    private static final long MOST_CHARACTERS = 40L << 20;

    private static final String FILE = "console.jsonl";

    private final RunBundle bundle;
    private final Writer writer;
    private long characters;
    private boolean closed;

    Recording(RunBundle bundle) {
        this.bundle = bundle;
        try {
            writer = Files.newBufferedWriter(file());
        } catch (IOException failed) {
            throw new UserError("Cannot write " + file() + ": " + UserError.firstLine(failed), failed);
        }
    }

    Path file() {
        return bundle.folder().resolve(FILE);
    }

    synchronized void add(String event) {
        characters += event.length() + 1;
        if (closed || characters > MOST_CHARACTERS) {
            return;
        }
        try {
            writer.write(event);
            writer.write('\n');
            // A process that is killed leaves what was seen until then.
            writer.flush();
        } catch (IOException full) {
            closed = true;
            System.err.println("movr: the console is recorded no more (" + UserError.firstLine(full) + ")");
        }
    }

    /** Writes the page; nothing is recorded afterwards. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (Stream<String> lines = Files.lines(file())) {
            writer.close();
            bundle.write("console.html", Pages.standalone(lines.collect(Collectors.joining(",\n", "[", "]"))));
        } catch (IOException failed) {
            throw new UserError("Cannot read " + file() + ": " + UserError.firstLine(failed), failed);
        }
    }
}
