package io.movr.compare;

import io.movr.UserError;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/** A file of text, packed by gzip if its name ends in {@code .gz}. */
record TextFile(Path path) {

    private static final int BEGINNING = 1 << 16;

    /** The characters that tell its format. */
    String beginning() {
        try (Reader reader = open()) {
            char[] characters = new char[BEGINNING];
            int length = 0;
            int read = reader.read(characters, 0, BEGINNING);
            while (read > 0) {
                length += read;
                read = reader.read(characters, length, BEGINNING - length);
            }
            return new String(characters, 0, length);
        } catch (IOException unreadable) {
            throw unreadable(unreadable);
        }
    }

    List<String> lines() {
        return read(Stream::toList);
    }

    String text() {
        return String.join("\n", lines());
    }

    /** Reads lines without keeping them, because a log may be larger than the memory. */
    <T> T read(Function<Stream<String>, T> function) {
        try (BufferedReader reader = open()) {
            return function.apply(reader.lines());
        } catch (IOException unreadable) {
            throw unreadable(unreadable);
        } catch (UncheckedIOException unreadable) {
            throw unreadable(Objects.requireNonNull(unreadable.getCause()));
        }
    }

    /** The error of a file that lacks what its program writes last. */
    UserError cutOff(String expected) {
        return new UserError(path + " is not whole, as it lacks " + expected + ": measure or copy it again");
    }

    private BufferedReader open() throws IOException {
        InputStream stream = new BufferedInputStream(Files.newInputStream(path));
        return new BufferedReader(new InputStreamReader(
                path.toString().endsWith(".gz") ? new GZIPInputStream(stream) : stream, StandardCharsets.UTF_8));
    }

    private UserError unreadable(IOException problem) {
        return new UserError(
                "Cannot read " + path + " (" + UserError.firstLine(problem) + "): check the path and the rights",
                problem);
    }
}
