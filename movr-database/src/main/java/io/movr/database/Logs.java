package io.movr.database;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Reads log files as UTF-8. Logs may contain names and values of a database with another encoding: malformed bytes become
 * replacement characters.
 */
public final class Logs {

    private Logs() {}

    /** Returns the lines of a file. */
    public static List<String> lines(Path log) throws IOException {
        return text(log, 0).lines().toList();
    }

    /** Returns a whole file. */
    public static String text(Path log) throws IOException {
        return text(log, 0);
    }

    /**
     * Returns the end of a file.
     *
     * @param from where it begins, in bytes
     */
    static String text(Path log, long from) throws IOException {
        try (FileChannel channel =
                        FileChannel.open(log, StandardOpenOption.READ).position(from);
                InputStream stream = Channels.newInputStream(channel)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
