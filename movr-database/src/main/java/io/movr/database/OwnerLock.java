package io.movr.database;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The lock of a folder's owner. The operating system releases it when its holder ends, even if it is killed.
 *
 * <p>On POSIX systems a process loses its lock on a file as soon as it closes that file anywhere, also where it opened it
 * only to see whether it is locked. So a process first checks its own locks.
 */
public final class OwnerLock implements AutoCloseable {

    /** Its name, in the folder. */
    public static final String FILE = "owner.lock";

    private static final Set<Path> OWN = new HashSet<>();

    private final Path file;
    private final FileChannel channel;

    private OwnerLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Locks a folder; returns empty if a living process, this one included, holds the lock. */
    public static Optional<OwnerLock> take(Path folder) throws IOException {
        Path file = folder.toRealPath().resolve(FILE);
        synchronized (OWN) {
            if (OWN.contains(file)) {
                return Optional.empty();
            }
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                if (channel.tryLock() != null) {
                    OWN.add(file);
                    return Optional.of(new OwnerLock(file, channel));
                }
            } catch (OverlappingFileLockException notByUs) {
                channel.close();
                throw new IOException(file + " is locked by something else in this process", notByUs);
            }
            channel.close();
            return Optional.empty();
        }
    }

    /** Locks a folder that this process has just created. */
    static OwnerLock taken(Path made) throws IOException {
        return take(made).orElseThrow(() -> new IOException("Somebody else locked the new folder " + made));
    }

    /** Returns what it locks. */
    Path folder() {
        return Objects.requireNonNull(file.getParent());
    }

    /** Releases the folder. */
    @Override
    public void close() throws IOException {
        synchronized (OWN) {
            channel.close();
            OWN.remove(file);
        }
    }
}
