package io.movr.database;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The temporary files of this process. They are in a folder of its own below the folder of the user's servers, which is removed
 * when the process ends. If the process is killed, the next process removes it.
 */
public final class TemporaryFiles {

    private static final Logger LOG = LoggerFactory.getLogger(TemporaryFiles.class);
    private static final String FOLDER = "files-";

    private static @Nullable Path folder;

    private TemporaryFiles() {}

    /** Creates an empty file that only this user may read. */
    public static Path file(String prefix, String suffix) throws IOException {
        return Files.createTempFile(folder(), prefix, suffix);
    }

    /** Creates an empty folder that only this user may read. */
    public static Path folder(String prefix) throws IOException {
        return Files.createTempDirectory(folder(), prefix);
    }

    private static synchronized Path folder() throws IOException {
        if (folder == null) {
            OwnerLock lock = owned(FOLDER);
            new ShutdownHook("temporary-files-remover", () -> remove(lock)).add();
            folder = lock.folder();
        }
        return folder;
    }

    /** Makes a folder of this process whose name begins so, and removes those of processes that were killed. */
    static OwnerLock owned(String prefix) throws IOException {
        Path root = Folders.temporaryRoot();
        return InstanceFolder.alone(root, () -> {
            removeAbandoned(root, prefix);
            return OwnerLock.taken(Files.createTempDirectory(root, prefix));
        });
    }

    /**
     * Removes the folders whose names begin so, and whose owners are gone; to be called where no other process makes one, see
     * {@link InstanceFolder#alone}.
     */
    static void removeAbandoned(Path root, String prefix) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, prefix + "*")) {
            for (Path left : folders) {
                OwnerLock.take(left).ifPresent(TemporaryFiles::removeFolder);
            }
        }
    }

    /** Removes a folder of this process. */
    static void remove(OwnerLock owner) {
        try {
            InstanceFolder.alone(Objects.requireNonNull(owner.folder().getParent()), () -> removeFolder(owner));
        } catch (IOException failed) {
            warn(owner, failed);
        }
    }

    /**
     * Removes a folder. A failure is only logged: a program that is ending may still write to it.
     */
    private static Path removeFolder(OwnerLock owner) {
        LOG.debug("Removing {}", owner.folder());
        try (owner) {
            Folders.delete(owner.folder());
        } catch (IOException failed) {
            warn(owner, failed);
        }
        return owner.folder();
    }

    private static void warn(OwnerLock owner, IOException failed) {
        LOG.warn("{} could not be removed; the next process will: {}", owner.folder(), failed.getMessage());
    }
}
