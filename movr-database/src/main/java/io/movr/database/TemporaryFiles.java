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
 * Files that nobody needs after this process. They lie in a folder of its own below that of its user's servers, which goes when
 * the process ends. If it is killed, the folder goes when another process makes one.
 */
public final class TemporaryFiles {

    private static final Logger LOG = LoggerFactory.getLogger(TemporaryFiles.class);
    private static final String FOLDER = "files-";

    private static @Nullable Path folder;

    private TemporaryFiles() {}

    /** Makes an empty file that nobody else may read. */
    public static Path file(String prefix, String suffix) throws IOException {
        return Files.createTempFile(folder(), prefix, suffix);
    }

    /** Makes an empty folder that nobody else may read. */
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
            removeLeft(root, prefix);
            return OwnerLock.taken(Files.createTempDirectory(root, prefix));
        });
    }

    /**
     * Removes the folders whose names begin so, and whose owners are gone; to be called where no other process makes one, see
     * {@link InstanceFolder#alone}.
     */
    static void removeLeft(Path root, String prefix) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, prefix + "*")) {
            for (Path left : folders) {
                OwnerLock.take(left).ifPresent(TemporaryFiles::removeAlone);
            }
        }
    }

    /** Removes a folder of this process. */
    static void remove(OwnerLock owner) {
        try {
            InstanceFolder.alone(Objects.requireNonNull(owner.folder().getParent()), () -> removeAlone(owner));
        } catch (IOException failed) {
            warn(owner, failed);
        }
    }

    /** What cannot be removed, as where a program that is ending still writes, is no reason for anything else to fail. */
    private static Path removeAlone(OwnerLock owner) {
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
