package io.movr.database;

import io.movr.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The wall clock of processes that are started with {@link #environment}: it can jump, by libfaketime, which Debian has in the
 * package {@code faketime}. Monotonic clocks, by which timeouts are measured, go on.
 */
public final class FakeClock implements AutoCloseable {

    private static final String LIBRARY = "libfaketimeMT.so.1";
    private static final int DEPTH = 3;

    private final Path library;
    private final Path offset;

    /**
     * A clock that is right.
     *
     * @param library see {@link #library}
     * @param offset the file that says how far the clock is off; it goes when this is closed
     */
    public FakeClock(Path library, Path offset) {
        this.library = library;
        this.offset = offset.toAbsolutePath();
        jump(Duration.ZERO);
    }

    /** Where libfaketime is: in a folder of {@code LD_LIBRARY_PATH}, or where it is installed; empty if it is not. */
    public static Optional<Path> library() {
        List<Path> folders = new ArrayList<>();
        for (String folder :
                Optional.ofNullable(System.getenv("LD_LIBRARY_PATH")).orElse("").split(":", -1)) {
            if (!folder.isBlank()) {
                folders.add(Path.of(folder));
            }
        }
        folders.addAll(List.of(Path.of("/usr/lib"), Path.of("/usr/lib64"), Path.of("/usr/local/lib")));
        return folders.stream().flatMap(folder -> in(folder).stream()).findFirst();
    }

    private static Optional<Path> in(Path folder) {
        try (Stream<Path> found = Files.find(folder, DEPTH, (path, is) -> path.endsWith(LIBRARY))) {
            return found.findFirst().map(Path::toAbsolutePath);
        } catch (IOException | UncheckedIOException missing) {
            return Optional.empty();
        }
    }

    /** The variables that a process needs to take the time from this clock. */
    public Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", offset.toString(),
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "DONT_FAKE_MONOTONIC", "1",
                // Otherwise every timed wait of a JVM returns at once, and its threads spin.
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /**
     * Sets the clock; processes notice within a second.
     *
     * @param ahead of the right time, in whole seconds; negative if behind it
     */
    public void jump(Duration ahead) {
        try {
            // A file that is empty for a moment would end the processes.
            Path next = offset.resolveSibling(offset.getFileName() + ".next");
            Files.writeString(next, (ahead.isNegative() ? "" : "+") + ahead.toSeconds() + "\n");
            Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            throw new UserError(
                    "Cannot set the clock in '" + offset + "' (" + UserError.firstLine(failed) + ")", failed);
        }
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(offset);
        } catch (IOException failed) {
            throw new UserError("Cannot delete '" + offset + "' (" + UserError.firstLine(failed) + ")", failed);
        }
    }
}
