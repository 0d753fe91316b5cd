package io.movr.database;

import io.movr.UserError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL server that this process starts and stops. Its binaries come with the build; it needs neither an installation nor
 * a container, and runs also for root. It listens on the loopback address only, requires a password that is kept in a file of
 * the user, and is durable by default.
 *
 * <p>Its folder is temporary or kept. The next start removes the server and the folder that a killed process left behind. If
 * another living process has opened the folder, this one uses its server.
 */
public final class EmbeddedPostgres implements Cluster {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres.class);
    static final String SUPERUSER = "movr";
    private static final String SETTINGS = "movr.conf";
    private static final String DATABASE = "movr";
    private static final long MIN_DISK_BYTES = 300L << 20;
    private static final int START_LIMIT_SECONDS = 120;
    private static final int PORT_TRIES = 5;

    private final PostgresPrograms programs;
    private final @Nullable InstanceFolder folder;
    private final int port;
    private final Gateway gateway;
    private final String version;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final ShutdownHook endHook = new ShutdownHook("embedded-postgres-stopper", this::stop);

    /**
     * How a server shares this machine with others.
     *
     * @param servers the number of servers that share the memory
     * @param settings its own settings, which override the common ones
     */
    record Share(int servers, Map<String, String> settings) {}

    private EmbeddedPostgres(PostgresPrograms programs, @Nullable InstanceFolder folder, Path data, int port) {
        this.programs = programs;
        this.folder = folder;
        this.port = port;
        this.gateway = new Gateway("jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE + "?user=" + SUPERUSER)
                .withPasswordFile(PostgresPrograms.passwordFile(data));
        if (folder != null) {
            endHook.add();
        }
        try {
            createDatabase();
            this.version = Cluster.askVersion(gateway);
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /**
     * Starts a server whose folder goes when it is closed, on a port that is free.
     *
     * @throws UserError if it cannot start; the message says why and what to do
     */
    public static EmbeddedPostgres temporary() {
        return temporary(0);
    }

    /** Starts the same server on a given port; 0 is any free one. */
    public static EmbeddedPostgres temporary(int port) {
        return temporary(port, new Share(1, Map.of()));
    }

    static EmbeddedPostgres temporary(int port, Share share) {
        PostgresPrograms programs = PostgresPrograms.ready();
        try {
            return start(programs, InstanceFolder.temporary(programs), port, share);
        } catch (IOException failed) {
            throw cannotStart(failed);
        }
    }

    /**
     * Starts the server of a folder that is kept, or joins it when another process runs it already.
     *
     * @param path the folder, made when it is missing
     * @param port the port to listen on, 0 for any that is free
     * @throws UserError if it cannot start; the message says why and what to do
     */
    public static EmbeddedPostgres in(Path path, int port) {
        return in(path, port, new Share(1, Map.of()));
    }

    static EmbeddedPostgres in(Path path, int port, Share share) {
        PostgresPrograms programs = PostgresPrograms.ready();
        try {
            Optional<InstanceFolder> folder = InstanceFolder.kept(path, programs);
            if (folder.isPresent()) {
                return start(programs, folder.get(), port, share);
            }
            Path joined = path.toAbsolutePath().normalize();
            int running = InstanceFolder.port(joined)
                    .orElseThrow(() -> new UserError("'" + path + "' is in use by another movr that has not started its"
                            + " server yet: try again in a moment, or name another folder with --data-dir"));
            return new EmbeddedPostgres(programs, null, InstanceFolder.data(joined), running);
        } catch (IOException failed) {
            throw cannotStart(failed);
        }
    }

    @Override
    public Engine engine() {
        return Engine.POSTGRESQL;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public Gateway gateway() {
        return gateway;
    }

    int port() {
        return port;
    }

    @Override
    public boolean embedded() {
        return true;
    }

    /** Returns the folder; empty if the server belongs to another process. */
    @Override
    public Optional<Path> path() {
        return Optional.ofNullable(folder).map(InstanceFolder::path);
    }

    @Override
    public Optional<ProcessHandle> process() {
        if (folder == null) {
            return Optional.empty();
        }
        try (Connection connection = gateway.connect()) {
            return ProcessHandle.of(Long.parseLong(Rows.one(connection, "SELECT pg_backend_pid()")))
                    .flatMap(ProcessHandle::parent);
        } catch (SQLException unasked) {
            return Optional.empty();
        }
    }

    @Override
    public List<FaultTarget> faultTargets() {
        return target("server").map(List::of).orElse(List.of());
    }

    /** This server under a name; empty if it belongs to another process. */
    Optional<FaultTarget> target(String name) {
        return Optional.ofNullable(folder).map(mine -> new PostgresFaultTarget(name, programs, mine));
    }

    /** Stops the server, and removes its folder when that is temporary. */
    @Override
    public void close() {
        if (folder == null) {
            return;
        }
        endHook.remove();
        stop();
    }

    private static EmbeddedPostgres start(PostgresPrograms programs, InstanceFolder folder, int port, Share share) {
        try {
            prepare(programs, folder);
            int listening = launch(programs, folder, port, share);
            return new EmbeddedPostgres(programs, folder, folder.data(), listening);
        } catch (IOException | RuntimeException failed) {
            try {
                folder.close();
            } catch (IOException left) {
                failed.addSuppressed(left);
            }
            throw failed instanceof UserError refusal ? refusal : cannotStart(failed);
        }
    }

    private static void prepare(PostgresPrograms programs, InstanceFolder folder) throws IOException {
        long freeBytes = Files.getFileStore(folder.path()).getUsableSpace();
        if (freeBytes < MIN_DISK_BYTES) {
            throw new UserError(String.format(
                    Locale.ROOT,
                    "Only %d MB are free at %s, and PostgreSQL needs %d to begin with: free some, or name another"
                            + " folder with --data-dir",
                    freeBytes >> 20,
                    folder.path(),
                    MIN_DISK_BYTES >> 20));
        }
        if (!Files.exists(folder.data().resolve(SETTINGS))) {
            // A process that was killed before its server started left a part of the files, with no rows in it yet.
            Folders.delete(folder.data());
            programs.initialise(folder.data(), folder.log(), folder.isKept());
        } else {
            programs.secure(folder.data(), folder.log());
        }
    }

    private static int launch(PostgresPrograms programs, InstanceFolder folder, int wantedPort, Share share)
            throws IOException {
        for (int attempt = 1; ; attempt++) {
            int port = wantedPort == 0 ? Ports.find(0, 1).get(0) : wantedPort;
            Map<String, String> all = ServerSettings.forThisMachine(port, share.servers());
            all.putAll(share.settings());
            String settings = all.entrySet().stream()
                    .map(setting -> setting.getKey() + " = '" + quoted(setting.getValue()) + "'\n")
                    .collect(Collectors.joining());
            Files.writeString(folder.data().resolve(SETTINGS), settings);
            long logged = Files.exists(folder.log()) ? Files.size(folder.log()) : 0;
            if (start(programs, folder) == 0) {
                return port;
            }
            String said = Logs.text(folder.log(), logged);
            boolean portTaken = said.contains("Address already in use");
            if (portTaken && wantedPort != 0) {
                throw new UserError("Port " + port + " is taken: choose another one, or leave the choice to movr");
            }
            if (!portTaken || attempt == PORT_TRIES) {
                throw new UserError(
                        "The embedded PostgreSQL does not start: " + PostgresPrograms.complaint(folder.log()));
            }
        }
    }

    /** Starts the server with its settings, waits until it answers, and returns the exit code of pg_ctl. */
    static int start(PostgresPrograms programs, InstanceFolder folder) throws IOException {
        return programs.control(
                folder,
                START_LIMIT_SECONDS + 30,
                List.of(
                        "start",
                        "-l",
                        PostgresPrograms.relative(folder, serverLog(programs, folder)),
                        "-t",
                        Integer.toString(START_LIMIT_SECONDS)));
    }

    /** Quotes a value for a configuration file. */
    private static String quoted(String value) {
        return value.replace("\\", "\\\\").replace("'", "''");
    }

    private static Path serverLog(PostgresPrograms programs, InstanceFolder folder) throws IOException {
        if (!Files.exists(folder.log())) {
            Files.createFile(folder.log());
        }
        programs.own(folder.log());
        return folder.log();
    }

    private void createDatabase() {
        try (Connection connection = gateway.toDatabase("postgres").connect();
                Statement statement = connection.createStatement()) {
            try (var exists = statement.executeQuery("SELECT 1 FROM pg_database WHERE datname = '" + DATABASE + "'")) {
                if (exists.next()) {
                    return;
                }
            }
            statement.execute("CREATE DATABASE " + DATABASE);
        } catch (SQLException failed) {
            throw new UserError("Cannot create the database " + DATABASE + ": " + UserError.firstLine(failed), failed);
        }
    }

    private void stop() {
        InstanceFolder mine = folder;
        if (mine == null || closed.getAndSet(true)) {
            return;
        }
        // An interrupted thread still stops the servers that it has started.
        boolean interrupted = Thread.interrupted();
        try (mine) {
            mine.stopServer(programs);
        } catch (IOException | UncheckedIOException | UserError failed) {
            LOG.warn("The embedded PostgreSQL in {} did not stop cleanly: {}", mine.path(), failed.getMessage());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static UserError cannotStart(Exception failed) {
        return new UserError(
                "The embedded PostgreSQL does not start: " + UserError.firstLine(failed)
                        + ". Free some disk space, name another folder with --data-dir, or use --url",
                failed);
    }
}
