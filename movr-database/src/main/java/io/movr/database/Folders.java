package io.movr.database;

import io.movr.UserError;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates, protects and deletes the folders of servers. */
public final class Folders {

    private static final Set<PosixFilePermission> WRITABLE_BY_OTHERS =
            Set.of(PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_WRITE);

    private Folders() {}

    /** Returns the name of a folder for a message of one line. */
    static String printable(Path folder) {
        return folder.toString().replaceAll("\\p{Cntrl}", "?");
    }

    /**
     * Returns where temporary files of this user's servers are. Others may pass through it, and read nothing.
     *
     * @throws UserError if another user may have written to it
     */
    static Path temporaryRoot() throws IOException {
        String user = System.getProperty("user.name", "user").replaceAll("[^A-Za-z0-9._-]", "_");
        return ownedByThisUser(
                Path.of(System.getProperty("java.io.tmpdir"), "movr-" + user), "MOVR_JAVA_OPTS=-Djava.io.tmpdir=…");
    }

    /**
     * Creates a folder that only this user may write to, or checks an existing one: a user who can write to it could replace the
     * programs that this user runs.
     *
     * @param setting the setting that selects another folder
     * @throws UserError if another user may have written to it
     */
    static Path ownedByThisUser(Path folder, String setting) throws IOException {
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (!isPosix()) {
            return Files.createDirectories(folder);
        }
        try {
            Files.createDirectory(folder, permissions("rwx--x--x"));
        } catch (FileAlreadyExistsException madeBefore) {
            // By this user or by another one, as follows.
        }
        PosixFileAttributes found = Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        String fault = "";
        if (!found.isDirectory()) {
            fault = "it is no folder";
        } else if ((int) Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS) != userId()) {
            fault = "it belongs to another user";
        } else if (found.permissions().stream().anyMatch(WRITABLE_BY_OTHERS::contains)) {
            fault = "other users may write to it";
        }
        if (!fault.isEmpty()) {
            throw new UserError("'" + folder + "' is not used, because " + fault
                    + ": remove it, and movr makes it anew, or name another place in " + setting);
        }
        return folder;
    }

    /**
     * Returns the user id under which this process creates files; 0 for root.
     *
     * @throws UserError if there is no room for a temporary file
     */
    static int userId() {
        try {
            Path probe = Files.createTempFile("movr", "uid");
            try {
                return (int) Files.getAttribute(probe, "unix:uid");
            } finally {
                Files.delete(probe);
            }
        } catch (IOException full) {
            throw new UserError(
                    "Cannot write to " + System.getProperty("java.io.tmpdir") + " (" + UserError.firstLine(full)
                            + "): free some space there, or name another folder in MOVR_JAVA_OPTS=-Djava.io.tmpdir=…",
                    full);
        }
    }

    /** Makes a folder, with those above it, whose content only this user may list; one that is there stays as it is. */
    static Path createPrivateFolders(Path folder) throws IOException {
        return isPosix() ? Files.createDirectories(folder, permissions("rwx--x--x")) : Files.createDirectories(folder);
    }

    /** Makes an empty file that only this user may read; one that is there stays as it is. */
    static void createPrivateFile(Path file) throws IOException {
        try {
            if (isPosix()) {
                Files.createFile(file, permissions("rw-------"));
            }
        } catch (FileAlreadyExistsException madeBefore) {
            // It may have lines of earlier runs.
        }
    }

    private static boolean isPosix() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("unix");
    }

    private static FileAttribute<Set<PosixFilePermission>> permissions(String text) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
    }

    /** Writes a file that only this user may read, atomically. */
    static Path writeSecret(Path file, String text) throws IOException {
        // Temporary files are made for their owner only.
        Path half = Files.createTempFile(file.toAbsolutePath().getParent(), "half-", ".tmp");
        try {
            Files.writeString(half, text);
            return Files.move(half, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(half);
        }
    }

    /** Copies a folder with all that is in it and its permissions, to where there is none yet. */
    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** Deletes a folder with its content, without following links. A missing folder is not an error. */
    public static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                Files.deleteIfExists(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
