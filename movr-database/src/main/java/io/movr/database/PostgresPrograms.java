package io.movr.database;

import io.movr.UserError;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PasswordUtil;
import org.tukaani.xz.XZInputStream;

/**
 * The programs of the embedded PostgreSQL: unpacked once for each user, and run as a user whom PostgreSQL accepts.
 *
 * <p>PostgreSQL refuses to run as root. There its programs run in a user namespace of their own, or where the kernel
 * forbids that, as the user {@code nobody}.
 */
final class PostgresPrograms {

    /** The user as whom the programs run. */
    enum RunAs {
        THIS_USER(""),
        NOBODY_IN_NAMESPACE("unshare -U"),
        NOBODY("setpriv --reuid=65534 --regid=65534 --clear-groups");

        private final String prefix;

        RunAs(String prefix) {
            this.prefix = prefix;
        }

        private List<String> command() {
            return prefix.isEmpty() ? new ArrayList<>() : new ArrayList<>(List.of(prefix.split(" ", -1)));
        }

        private boolean works() {
            List<String> command = command();
            command.add("true");
            return ExternalProgram.of(command).works();
        }
    }

    private static final int NOBODY_ID = 65534;
    private static final int INITDB_LIMIT_SECONDS = 120;
    private static final List<String> INITDB =
            List.of("-U", EmbeddedPostgres.SUPERUSER, "-A", "reject", "-E", "UTF8", "--locale=C", "--no-instructions");
    private static final String CONFIGURATION = "\ninclude 'movr.conf'\n";
    private static final String ACCESS = "host all all 127.0.0.1/32 scram-sha-256\n";
    private static final String ACCESS_FILE = "pg_hba.conf";
    private static final String PASSWORD_FILE = "pgpass";
    private static final int PASSWORD_BYTES = 24;
    private static final int SALT_BYTES = 16;
    /** More iterations would slow down each connection; the random password needs no protection from guessing. */
    private static final int SCRAM_ITERATIONS = 1;

    private static final int SINGLE_USER_LIMIT_SECONDS = 120;

    private final Path folder;
    private final RunAs runAs;

    private PostgresPrograms(Path folder, RunAs runAs) {
        this.folder = folder;
        this.runAs = runAs;
    }

    /**
     * Returns the programs, and unpacks them if this user has not done so yet.
     *
     * @throws UserError if there are none for this machine, or no user to run them as
     */
    static PostgresPrograms ready() {
        RunAs runAs = findServerUser();
        try {
            URL archive = archive();
            Path cache = runAs == RunAs.NOBODY
                    ? Folders.temporaryRoot()
                    : Folders.ownedByThisUser(cacheFolder(), "XDG_CACHE_HOME");
            requirePlain(cache);
            Path programs = cache.resolve("postgresql-" + identity(archive));
            if (!Files.isDirectory(programs)) {
                createAtomically(programs, folder -> extract(archive, folder));
            }
            return new PostgresPrograms(programs, runAs);
        } catch (IOException failed) {
            throw new UserError(
                    "Cannot unpack the embedded PostgreSQL: " + UserError.firstLine(failed)
                            + ". Free some disk space, or use a database of your own with --url",
                    failed);
        }
    }

    /**
     * Makes the files of a new server: copies of files that initdb created once for this user. Copying takes 10% of the time of
     * initdb.
     *
     * @param data the folder, which is empty or does not exist
     * @param kept whether the files must survive a crash of the machine
     * @throws UserError when initdb fails
     */
    void initialise(Path data, Path log, boolean kept) throws IOException {
        Folders.copy(template(log), data);
        if (runAs == RunAs.NOBODY) {
            try (Stream<Path> files = Files.walk(data)) {
                for (Path file : files.toList()) {
                    own(file);
                }
            }
        }
        if (kept) {
            initdb(log, Stream.of("--sync-only", "-D", data.toString()));
        }
    }

    /** Returns the files of a server that never ran, made once for this user with a password of its own. */
    private Path template(Path log) throws IOException {
        Path made = folder.resolveSibling(folder.getFileName() + "-data-"
                + Integer.toHexString((INITDB + CONFIGURATION + ACCESS + SCRAM_ITERATIONS).hashCode()));
        if (!Files.isDirectory(made)) {
            createAtomically(made, half -> {
                own(half);
                initdb(log, Stream.concat(Stream.of("-D", half.toString()), INITDB.stream()));
                String password = Base64.getUrlEncoder().encodeToString(random(PASSWORD_BYTES));
                setPassword(half, log, PasswordFile.line(EmbeddedPostgres.SUPERUSER, password));
                Files.writeString(half.resolve("postgresql.conf"), CONFIGURATION, StandardOpenOption.APPEND);
            });
        }
        return made;
    }

    /** Returns the file in the data folder of a server that holds its password, as libpq reads it. */
    static Path passwordFile(Path data) {
        return data.resolve(PASSWORD_FILE);
    }

    /**
     * Sets the password of a stopped server to the password of this user's other servers, which connect to each other. Servers
     * of earlier versions had none.
     */
    void secure(Path data, Path log) throws IOException {
        Path template = template(log);
        if (!isLike(template, data, PASSWORD_FILE) || !isLike(template, data, ACCESS_FILE)) {
            setPassword(data, log, Files.readString(passwordFile(template)));
        }
    }

    private static boolean isLike(Path template, Path data, String file) throws IOException {
        return Files.exists(data.resolve(file)) && Files.mismatch(template.resolve(file), data.resolve(file)) < 0;
    }

    /** If it is interrupted, {@link #secure} does it again: the password file is written last. */
    private void setPassword(Path data, Path log, String passwordFile) throws IOException {
        String password =
                passwordFile.substring(passwordFile.lastIndexOf(':') + 1).strip();
        // Hashed here, so that no log of the server can quote it.
        String hashed = PasswordUtil.encodeScramSha256(password.toCharArray(), SCRAM_ITERATIONS, random(SALT_BYTES));
        Path statement = Folders.writeSecret(
                data.resolve("password.sql"),
                "ALTER ROLE " + EmbeddedPostgres.SUPERUSER + " PASSWORD '" + hashed + "'\n");
        List<String> arguments = List.of("--single", "-c", "exit_on_error=on", "-D", data.toString(), "postgres");
        try {
            if (run(log, SINGLE_USER_LIMIT_SECONDS, "postgres", arguments, Map.of(), statement) != 0) {
                throw new UserError("PostgreSQL cannot set its password: " + complaint(log));
            }
        } finally {
            Files.delete(statement);
        }
        own(Folders.writeSecret(data.resolve(ACCESS_FILE), ACCESS));
        own(Folders.writeSecret(passwordFile(data), passwordFile));
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    private void initdb(Path log, Stream<String> arguments) throws IOException {
        if (run(log, INITDB_LIMIT_SECONDS, "initdb", arguments.toList()) != 0) {
            throw new UserError("PostgreSQL cannot make its files: " + complaint(log));
        }
    }

    /** Returns the last error in a program's log, and the path of the log. */
    static String complaint(Path log) throws IOException {
        List<String> lines = Logs.lines(log);
        return lines.stream()
                        .filter(line -> line.contains("FATAL:") || line.contains("PANIC:") || line.contains("error:"))
                        .reduce((earlier, later) -> later)
                        .or(() -> lines.stream().filter(line -> !line.isBlank()).reduce((earlier, later) -> later))
                        .map(String::strip)
                        .orElse("it says nothing")
                + " (log: " + log + "; or use a database of your own with --url)";
    }

    /** Gives a file or folder to the user as whom the programs run. */
    void own(Path directory) throws IOException {
        if (runAs == RunAs.NOBODY) {
            Files.setAttribute(directory, "unix:uid", NOBODY_ID);
            Files.setAttribute(directory, "unix:gid", NOBODY_ID);
        }
    }

    /**
     * Runs a program to its end, its output appended to a log.
     *
     * @return its exit code
     */
    int run(Path log, int limitSeconds, String program, List<String> arguments) {
        return run(log, limitSeconds, program, arguments, Map.of(), null);
    }

    /**
     * Runs pg_ctl on the server of a folder. It passes the names of its files to a shell, so they are relative to the folder.
     *
     * @return its exit code
     */
    int control(InstanceFolder server, int limitSeconds, List<String> arguments) {
        Path log = server.path().resolve("pg_ctl.log");
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("-D", relative(server, server.data()), "-w"));
        // With it the server connects to this user's other servers.
        Map<String, String> password =
                Map.of("PGPASSFILE", passwordFile(server.data()).toString());
        return run(log, limitSeconds, "pg_ctl", all, password, null, server.path());
    }

    static String relative(InstanceFolder server, Path file) {
        return server.path().relativize(file).toString();
    }

    /**
     * As {@link #run(Path, int, String, List)}.
     *
     * @param variables added to its environment
     * @param input what it reads; {@code null} for nothing
     */
    int run(
            Path log,
            int limitSeconds,
            String program,
            List<String> arguments,
            Map<String, String> variables,
            @Nullable Path input) {
        return run(log, limitSeconds, program, arguments, variables, input, null);
    }

    private int run(
            Path log,
            int limitSeconds,
            String program,
            List<String> arguments,
            Map<String, String> variables,
            @Nullable Path input,
            @Nullable Path workingFolder) {
        List<String> command = runAs.command();
        boolean windows = osName().contains("windows");
        command.add(folder.resolve("bin")
                .resolve(windows ? program + ".exe" : program)
                .toString());
        command.addAll(arguments);
        try {
            Files.createDirectories(log.toAbsolutePath().getParent());
            Map<String, String> environment = new HashMap<>(variables);
            environment.put("LC_ALL", "C");
            ExternalProgram external = ExternalProgram.of(command).with(environment);
            if (workingFolder != null) {
                external = external.in(workingFolder);
            }
            Duration limit = Duration.ofSeconds(limitSeconds);
            int code = input == null ? external.run(limit, log) : external.run(limit, log, input);
            if (code == ExternalProgram.LATE) {
                throw new UserError(
                        program + " of the embedded PostgreSQL took longer than " + limitSeconds + " s: see " + log);
            }
            return code;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError(
                    "Interrupted while waiting for " + program + " of the embedded PostgreSQL", interrupted);
        }
    }

    private static RunAs findServerUser() {
        if (!isRoot()) {
            return RunAs.THIS_USER;
        }
        for (RunAs candidate : List.of(RunAs.NOBODY_IN_NAMESPACE, RunAs.NOBODY)) {
            if (candidate.works()) {
                return candidate;
            }
        }
        throw new UserError("PostgreSQL refuses to run as root, and neither 'unshare -U' nor 'setpriv' works here:"
                + " run movr as an ordinary user, or use a database of your own with --url");
    }

    private static boolean isRoot() {
        if (osName().contains("windows")) {
            return false;
        }
        return Folders.userId() == 0;
    }

    private static String osName() {
        return System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    }

    private static Path cacheFolder() {
        String configured = System.getenv("XDG_CACHE_HOME");
        Path cache = configured != null && !configured.isBlank()
                ? Path.of(configured)
                : Path.of(System.getProperty("user.home"), ".cache");
        return cache.resolve("movr");
    }

    /** PostgreSQL's programs run each other through a shell, with the names of their files in double quotes. */
    static void requirePlain(Path cache) {
        String special = osName().contains("windows") ? "\"%\n\r" : "$`\"\\\n\r";
        if (cache.toString().chars().anyMatch(character -> special.indexOf(character) >= 0)) {
            throw new UserError("The folder of the embedded PostgreSQL, '" + Folders.printable(cache)
                    + "', has a character in its name that a shell would interpret: name another one with"
                    + " XDG_CACHE_HOME");
        }
    }

    private static URL archive() {
        String os = osName();
        String system = os.contains("windows") ? "windows" : os.contains("mac") ? "darwin" : "linux";
        String processor = System.getProperty("os.arch", "");
        String architecture = switch (processor) {
            case "amd64" -> "x86_64";
            case "aarch64" -> "arm_64";
            default -> processor;
        };
        String name = "/postgres-" + system + "-" + architecture;
        // Its C library is another one.
        boolean alpine = Files.exists(Path.of("/etc/alpine-release"));
        URL archive = PostgresPrograms.class.getResource(name + (alpine ? "-alpine_linux" : "") + ".txz");
        if (archive == null) {
            throw new UserError("There is no embedded PostgreSQL for " + (alpine ? "Alpine " : "") + system + " on "
                    + processor + ": use a database of your own with --url");
        }
        return archive;
    }

    /** Returns what identifies an archive without reading it, which takes a quarter of a second. */
    private static String identity(URL archive) throws IOException {
        if (!(archive.openConnection() instanceof JarURLConnection connection)) {
            throw new IOException(archive + " is in no jar");
        }
        JarEntry entry = connection.getJarEntry();
        return String.format(Locale.ROOT, "%08x-%d", entry.getCrc(), entry.getSize());
    }

    /** Fills a folder that is empty. */
    interface Work {
        void on(Path folder) throws IOException;
    }

    /**
     * Creates a folder of the cache atomically, once for all processes and threads. Threads wait for each other,
     * because the lock on the file is their process's.
     */
    static synchronized void createAtomically(Path target, Work work) throws IOException {
        Path lockFile = target.resolveSibling("unpacking.lock");
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (Files.isDirectory(target) || !lock.isValid()) {
                return;
            }
            Path halfDone = target.resolveSibling(target.getFileName() + ".unpacking");
            Folders.delete(halfDone);
            Files.createDirectories(halfDone);
            work.on(halfDone);
            Files.move(halfDone, target, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static void extract(URL archive, Path target) throws IOException {
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(archive.openStream())))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path path = target.resolve(entry.getName()).normalize();
                if (!path.startsWith(target)) {
                    throw new IOException("The archive names a file outside its folder: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(path);
                    continue;
                }
                Path parent = path.getParent();
                if (parent == null) {
                    throw new IOException("The archive names no file: " + entry.getName());
                }
                Files.createDirectories(parent);
                if (entry.isSymbolicLink() || entry.isLink()) {
                    Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
                } else {
                    Files.copy(tar, path);
                    if (parent.endsWith("bin") && !path.toFile().setExecutable(true, false)) {
                        throw new IOException("Cannot make " + path + " executable");
                    }
                }
            }
        }
    }
}
