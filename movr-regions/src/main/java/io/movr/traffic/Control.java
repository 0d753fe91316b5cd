package io.movr.traffic;

import io.movr.UserError;
import io.movr.database.OwnerLock;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The control endpoint of running regions for other commands of the same user. The regions lock a folder, which
 * contains a file with the address of their HTTP server and its token. Only the user can read the file.
 */
public final class Control implements AutoCloseable {

    /** The path of the server that takes commands. */
    public static final String COMMANDS = "api/commands";

    /** The header that carries the token. */
    public static final String TOKEN = "X-Movr-Token";

    /** The field of a line of the answer that reports progress. */
    public static final String PROGRESS = "progress";

    /** The field of the last line of the answer, if the command succeeded. */
    public static final String DONE = "done";

    /** The field of the last line of the answer, if the command failed. */
    public static final String FAILED = "failed";

    private static final String FILE = "running.properties";
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
    private static final JsonMapper JSON = JsonMapper.shared();

    private final CountDownLatch stop = new CountDownLatch(1);
    private final Path file;
    private final OwnerLock lock;

    private Control(Path file, OwnerLock lock) {
        this.file = file;
        this.lock = lock;
    }

    /**
     * Locks a folder for regions before they start.
     *
     * @param folder the folder in which other commands find the regions; created if it is missing
     * @throws UserError if regions run there already
     */
    public static Control lock(Path folder) {
        try {
            OwnerLock lock = OwnerLock.take(Files.createDirectories(folder))
                    .orElseThrow(() -> new UserError("Regions run here already: stop them with 'movr regions stop'"));
            Path file = folder.resolve(FILE);
            Files.deleteIfExists(file);
            return new Control(file, lock);
        } catch (IOException failed) {
            throw unusable(folder, failed);
        }
    }

    private static UserError unusable(Path folder, IOException failed) {
        return new UserError(
                "The folder '" + folder + "' cannot be used (" + UserError.firstLine(failed) + ")", failed);
    }

    /** Writes the address of the server and its token to the file. */
    public void publish(String url, String token) {
        Properties properties = new Properties();
        properties.setProperty("url", url);
        properties.setProperty("token", token);
        try {
            // A temporary file is readable by its user only from the start.
            Path whole = Files.createTempFile(file.getParent(), FILE, null);
            try (Writer writer = Files.newBufferedWriter(whole)) {
                properties.store(writer, "The server of the running regions");
            }
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
            file.toFile().deleteOnExit();
        } catch (IOException failed) {
            throw new UserError("'" + file + "' cannot be written (" + UserError.firstLine(failed) + ")", failed);
        }
    }

    /** Removes the file, before the server ends. */
    public void withdraw() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            throw new UserError("'" + file + "' cannot be removed (" + UserError.firstLine(left) + ")", left);
        }
    }

    /** Requests that the regions stop. */
    public void requestStop() {
        stop.countDown();
    }

    /** Waits until a command requests that the regions stop; false if none does within a time. */
    public boolean awaitStop(Duration limit) throws InterruptedException {
        return stop.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Removes the file and releases the folder. */
    @Override
    public void close() {
        try (lock) {
            withdraw();
        } catch (IOException failed) {
            throw unusable(file, failed);
        }
    }

    /**
     * Returns whether regions run in a folder.
     *
     * @throws UserError if they are being started or stopped
     */
    public static boolean isRunning(Path folder) {
        return find(folder).isPresent();
    }

    /**
     * Sends a command to running regions.
     *
     * @param words the verb, then its arguments; see {@link RegionCommands}
     * @param progress receives each line that the regions report before the end
     * @return the result
     * @throws UserError if the command fails, or no regions run
     */
    public static String sendCommand(Path folder, List<String> words, Consumer<String> progress) {
        Properties running = find(folder)
                .orElseThrow(() -> new UserError("No regions run here: start them with 'movr regions start'"));
        HttpRequest request = HttpRequest.newBuilder(URI.create(running.getProperty("url") + COMMANDS))
                .header(TOKEN, running.getProperty("token"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JSON.writeValueAsString(Map.of("words", words))))
                .build();
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(HttpClient.Builder.NO_PROXY)
                .connectTimeout(CONNECT_LIMIT)
                .build();
        try {
            HttpResponse<Stream<String>> answer = client.send(request, BodyHandlers.ofLines());
            try (Stream<String> lines = answer.body()) {
                return result(answer.statusCode(), lines.iterator(), progress);
            }
        } catch (IOException | UncheckedIOException | JacksonException failed) {
            throw new UserError("The running regions do not answer: " + UserError.firstLine(failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError("The command to the regions was interrupted", interrupted);
        }
    }

    private static String result(int status, Iterator<String> lines, Consumer<String> progress) {
        while (lines.hasNext()) {
            JsonNode line = JSON.readTree(lines.next());
            if (line.has(DONE)) {
                return line.path(DONE).asString();
            }
            if (line.has(FAILED)) {
                throw new UserError(line.path(FAILED).asString());
            }
            if (line.has("error")) {
                throw new UserError(line.path("error").asString());
            }
            progress.accept(line.path(PROGRESS).asString());
        }
        throw new UserError(
                status == 200
                        ? "The regions ended before the command was done"
                        : "The server of the running regions answered with status " + status);
    }

    private static boolean isLocked(Path folder) {
        if (!Files.exists(folder.resolve(OwnerLock.FILE))) {
            return false;
        }
        try {
            Optional<OwnerLock> free = OwnerLock.take(folder);
            if (free.isPresent()) {
                free.get().close();
            }
            return free.isEmpty();
        } catch (IOException failed) {
            throw unusable(folder, failed);
        }
    }

    private static Optional<Properties> find(Path folder) {
        if (!isLocked(folder)) {
            return Optional.empty();
        }
        Path file = folder.resolve(FILE);
        if (!Files.exists(file)) {
            throw new UserError("The regions are still being started, or stopped: try again in a moment");
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException unreadable) {
            throw new UserError("'" + file + "' cannot be read (" + UserError.firstLine(unreadable) + ")", unreadable);
        }
        return Optional.of(properties);
    }
}
