package io.movr.database;

import io.movr.UserError;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of one embedded server, owned by the process that holds its lock.
 *
 * <p>The operating system releases the lock when its holder ends, even if it is killed. A folder whose lock is free was left
 * behind; a folder whose lock is held is never touched.
 */
final class InstanceFolder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(InstanceFolder.class);
    private static final Duration START_TOLERANCE = Duration.ofMinutes(1);
    private static final String TEMPORARY = "server-";
    private static final int FAST_STOP_SECONDS = 60;
    private static final int IMMEDIATE_STOP_SECONDS = 20;

    private final Path path;
    private final boolean temporary;
    private final OwnerLock lock;

    private InstanceFolder(Path path, boolean temporary, OwnerLock lock) {
        this.path = path;
        this.temporary = temporary;
        this.lock = lock;
    }

    /** Creates a folder that is removed with its server, and removes the folders that killed processes left behind. */
    static InstanceFolder temporary(PostgresPrograms programs) throws IOException {
        Path root = Folders.temporaryRoot();
        return alone(root, () -> {
            sweep(root, programs);
            Path path = Files.createTempDirectory(root, TEMPORARY);
            if (!path.toFile().setExecutable(true, false)) {
                throw new IOException("Cannot set the permissions of " + path);
            }
            return new InstanceFolder(path, true, OwnerLock.taken(path));
        });
    }

    /** Work on folders while no other process creates or removes one. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException;
    }

    /**
     * Runs work while this process holds the lock of the root folder. Otherwise a folder could be removed between its creation
     * and its locking, or while its owner removes it.
     */
    static <T> T alone(Path root, Work<T> work) throws IOException {
        synchronized (InstanceFolder.class) {
            try (FileChannel gate = FileChannel.open(
                            root.resolve("gate.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock open = gate.lock()) {
                if (!open.isValid()) {
                    throw new IOException("Lost the lock on " + root);
                }
                return work.run();
            }
        }
    }

    /**
     * Locks a folder that is kept.
     *
     * @return empty if a living process has it open
     * @throws UserError when the folder holds something else
     */
    static Optional<InstanceFolder> kept(Path folder, PostgresPrograms programs) throws IOException {
        Path path = folder.toAbsolutePath().normalize();
        if (path.toString().chars().anyMatch(Character::isISOControl)) {
            // The server notes its folder as one line of a file.
            throw new UserError("'" + Folders.printable(path)
                    + "' has a line break or another control character in its name: name another folder with"
                    + " --data-dir");
        }
        if (Files.exists(path) && !Files.exists(path.resolve(OwnerLock.FILE)) && !isEmpty(path)) {
            throw new UserError("'" + folder + "' holds other files: name an empty or a new folder with --data-dir");
        }
        Folders.createPrivateFolders(path);
        synchronized (InstanceFolder.class) {
            Optional<OwnerLock> lock = OwnerLock.take(path);
            if (lock.isEmpty()) {
                return Optional.empty();
            }
            InstanceFolder taken = new InstanceFolder(path, false, lock.get());
            taken.stopOrphan(programs);
            return Optional.of(taken);
        }
    }

    /** Returns where PostgreSQL keeps its files. */
    Path data() {
        return data(path);
    }

    /** Returns the same, of a folder that another process may have open. */
    static Path data(Path folder) {
        return folder.resolve("data");
    }

    Path log() {
        return path.resolve("server.log");
    }

    Path path() {
        return path;
    }

    /** Returns whether it stays when its server has stopped. */
    boolean isKept() {
        return !temporary;
    }

    @Override
    public void close() throws IOException {
        if (temporary) {
            alone(Objects.requireNonNull(path.getParent()), this::remove);
        } else {
            lock.close();
        }
    }

    private Path remove() throws IOException {
        Folders.delete(path);
        lock.close();
        return path;
    }

    /** Returns the port on which the server of a folder answers, once it does. */
    static Optional<Integer> port(Path folder) throws IOException {
        Path pidFile = data(folder).resolve("postmaster.pid");
        if (!Files.exists(pidFile)) {
            return Optional.empty();
        }
        List<String> lines = Logs.lines(pidFile);
        boolean ready = lines.size() > 7 && lines.get(7).strip().equals("ready");
        return ready ? Optional.of(Integer.valueOf(lines.get(3).strip())) : Optional.empty();
    }

    private static void sweep(Path root, PostgresPrograms programs) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(root, TEMPORARY + "*")) {
            for (Path left : folders) {
                Optional<OwnerLock> lock = OwnerLock.take(left);
                if (lock.isPresent()) {
                    LOG.info("Removing the server that a killed process left in {}", left);
                    InstanceFolder orphan = new InstanceFolder(left, true, lock.get());
                    orphan.stopOrphan(programs);
                    orphan.remove();
                }
            }
        }
    }

    /** Ends the servers whose owners are gone, in the folders of a folder, and keeps their files. */
    static void endOrphans(Path root, PostgresPrograms programs) throws IOException {
        try (DirectoryStream<Path> folders =
                Files.newDirectoryStream(root, path -> Files.exists(path.resolve(OwnerLock.FILE)))) {
            for (Path kept : folders) {
                Optional<InstanceFolder> free = kept(kept, programs);
                if (free.isPresent()) {
                    free.get().close();
                }
            }
        }
    }

    /** Ends a server that still runs on this folder although its owner is gone. */
    private void stopOrphan(PostgresPrograms programs) throws IOException {
        stopServer(programs);
        Files.deleteIfExists(pidFile());
    }

    /**
     * Stops the server: by a fast shutdown if its files are kept, and by force if that fails. Committed transactions are in its
     * log either way.
     *
     * @throws UserError if it still runs
     */
    void stopServer(PostgresPrograms programs) throws IOException {
        ProcessHandle server = server();
        if (server == null
                || (!temporary && stop(programs, "fast", FAST_STOP_SECONDS))
                || stop(programs, "immediate", IMMEDIATE_STOP_SECONDS)) {
            return;
        }
        server.destroyForcibly();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(IMMEDIATE_STOP_SECONDS);
        while (isRunning(server)) {
            if (System.nanoTime() > end) {
                throw new UserError(
                        "The server in " + path + " does not stop: end process " + server.pid() + " by hand");
            }
            try {
                TimeUnit.MILLISECONDS.sleep(50);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Returns whether the server has stopped, and has removed its process file as its last act. */
    private boolean stop(PostgresPrograms programs, String mode, int seconds) {
        int exit = programs.control(this, seconds + 10, List.of("stop", "-m", mode, "-t", Integer.toString(seconds)));
        LOG.debug("pg_ctl stop -m {} ended with {}", mode, exit);
        return exit == 0;
    }

    /**
     * Returns whether a process is at work. One that has ended stays in the process table until process 1 takes note,
     * which in many containers is late or never.
     */
    static boolean isRunning(ProcessHandle process) {
        if (!process.isAlive()) {
            return false;
        }
        try {
            String stat = Logs.text(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return !stat.startsWith(" Z", stat.lastIndexOf(')') + 1);
        } catch (IOException noSuchFile) {
            return process.isAlive();
        }
    }

    Path pidFile() {
        return data().resolve("postmaster.pid");
    }

    /** Returns the first process of the server that is at work on this folder; {@code null} if there is none. */
    @Nullable
    ProcessHandle server() throws IOException {
        if (!Files.exists(pidFile())) {
            return null;
        }
        List<String> lines = Logs.lines(pidFile());
        return lines.size() < 3
                ? null
                : process(lines.get(0).strip(), lines.get(2).strip());
    }

    private @Nullable ProcessHandle process(String pid, String startedAt) {
        // The number may long belong to another program: only a postgres on this very folder is ours.
        return ProcessHandle.of(Long.parseLong(pid))
                .filter(InstanceFolder::isRunning)
                .filter(handle -> handle.info()
                        .commandLine()
                        .map(line -> line.contains("postgres"))
                        .orElse(true))
                .filter(handle -> worksHere(handle, Instant.ofEpochSecond(Long.parseLong(startedAt))))
                .orElse(null);
    }

    /** Returns whether a process is the server of this folder, by its working folder on Linux and by its start time elsewhere. */
    private boolean worksHere(ProcessHandle process, Instant startedAt) {
        try {
            return Files.isSameFile(Path.of("/proc", Long.toString(process.pid()), "cwd"), data());
        } catch (IOException notShown) {
            return process.info()
                    .startInstant()
                    .map(start -> Duration.between(start, startedAt).abs().compareTo(START_TOLERANCE) < 0)
                    .orElse(true);
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (DirectoryStream<Path> content = Files.newDirectoryStream(folder)) {
            return !content.iterator().hasNext();
        }
    }
}
