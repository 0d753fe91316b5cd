package io.movr.compare;

import io.movr.TextInput;
import io.movr.UserError;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.ZipException;

/** A file of text, as {@link TextInput} opens it. */
record TextFile(Path path) {

    /** The maximum size of a file that is read at once, in characters. */
    private static final int MAX_CHARACTERS = 1 << 28;

    /** Returns the first characters, or all of a shorter file. */
    String beginning(int characters) {
        try (Reader reader = TextInput.open(path)) {
            StringBuilder text = new StringBuilder();
            char[] buffer = new char[1 << 13];
            int read = reader.read(buffer, 0, Math.min(buffer.length, characters));
            while (read > 0) {
                text.append(buffer, 0, read);
                read = reader.read(buffer, 0, Math.min(buffer.length, characters - text.length()));
            }
            return text.toString();
        } catch (IOException unreadable) {
            throw unreadable(unreadable);
        }
    }

    List<String> lines() {
        AtomicLong characters = new AtomicLong();
        return read(lines -> lines.peek(line -> {
                    if (characters.addAndGet(line.length() + 1L) > MAX_CHARACTERS) {
                        throw new UserError(path + " is larger than " + (MAX_CHARACTERS >> 20)
                                + " million characters, which is too large for its format: name a smaller file");
                    }
                })
                .toList());
    }

    String text() {
        return String.join("\n", lines());
    }

    /** Reads lines without keeping them, because a log may be larger than the memory. */
    <T> T read(Function<Stream<String>, T> function) {
        try (BufferedReader reader = TextInput.open(path)) {
            return function.apply(reader.lines());
        } catch (IOException unreadable) {
            throw unreadable(unreadable);
        } catch (UncheckedIOException unreadable) {
            throw unreadable(Objects.requireNonNull(unreadable.getCause()));
        }
    }

    /** Returns the error of a file that lacks what its program writes last. */
    UserError cutOff(String expected) {
        return new UserError(path + " is not whole, as it lacks " + expected + ": measure or copy it again");
    }

    UserError unreadable(IOException problem) {
        if (problem instanceof EOFException || problem instanceof ZipException) {
            return new UserError(
                    path + " is packed by gzip and cannot be unpacked (" + UserError.firstLine(problem)
                            + "): copy it again whole",
                    problem);
        }
        return new UserError(
                "Cannot read " + path + " (" + UserError.firstLine(problem) + "): check the path and the rights",
                problem);
    }
}
