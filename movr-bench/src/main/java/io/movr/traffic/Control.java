package io.movr.traffic;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.movr.UserError;
import io.movr.database.OwnerLock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * By which other commands of this machine's user reach regions that run: a port of the loopback address, and a file that
 * names it together with a secret.
 */
public final class Control implements AutoCloseable {

    private static final String FILE = "running.properties";
    private static final String SECRET = "X-Movr-Secret";
    /** Begins the last line of an answer. */
    private static final String DONE = "done: ";

    private static final String FAILED = "failed: ";
    private static final String STOP = "stop";

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "regions-control");
        thread.setDaemon(true);
        return thread;
    });
    private final String secret = UUID.randomUUID().toString();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Path file;
    private final OwnerLock claim;
    private @Nullable HttpServer server;
    private @Nullable Orders orders;

    private Control(Path file, OwnerLock claim) {
        this.file = file;
        this.claim = claim;
    }

    /**
     * Takes a folder for the regions that are going to run, which others can reach from {@link #open} on.
     *
     * @param folder where others look for them, made when it is missing
     * @throws UserError when regions run there already
     */
    public static Control claim(Path folder) {
        try {
            OwnerLock claim = OwnerLock.take(Files.createDirectories(folder))
                    .orElseThrow(() -> new UserError("Regions run here already: stop them with 'movr regions --stop'"));
            Path file = folder.resolve(FILE);
            Files.deleteIfExists(file);
            return new Control(file, claim);
        } catch (IOException failed) {
            throw new UserError(
                    "The folder '" + folder + "' cannot be used (" + UserError.firstLine(failed) + ")", failed);
        }
    }

    /**
     * Begins to listen.
     *
     * @param taken those that others may give
     */
    public void open(Orders taken) {
        try {
            HttpServer listening = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
            orders = taken;
            server = listening;
            listening.setExecutor(threads);
            listening.createContext("/", this::serve);
            listening.start();
            Properties properties = new Properties();
            properties.setProperty(
                    "port", Integer.toString(listening.getAddress().getPort()));
            properties.setProperty("secret", secret);
            Files.createFile(file);
            file.toFile().deleteOnExit();
            if (!file.toFile().setReadable(false, false) || !file.toFile().setReadable(true, true)) {
                throw new IOException("its permissions cannot be set");
            }
            try (Writer writer = Files.newBufferedWriter(file)) {
                properties.store(writer, "How other commands reach the regions that run");
            }
        } catch (IOException failed) {
            throw new UserError(
                    "Other commands cannot reach the regions (" + UserError.firstLine(failed) + ")", failed);
        }
    }

    @Override
    public void close() {
        if (server != null) {
            server.stop(0);
        }
        threads.shutdownNow();
        try (claim) {
            Files.deleteIfExists(file);
        } catch (IOException left) {
            throw new UserError("'" + file + "' cannot be removed (" + UserError.firstLine(left) + ")", left);
        }
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String given = exchange.getRequestHeaders().getFirst(SECRET);
            if (given == null
                    || !MessageDigest.isEqual(
                            given.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8))) {
                exchange.sendResponseHeaders(403, -1);
                return;
            }
            List<String> words = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream answer = exchange.getResponseBody()) {
                String last;
                try {
                    last = DONE + carryOut(words, line -> say(answer, line));
                } catch (RuntimeException failed) {
                    last = FAILED + UserError.firstLine(failed);
                }
                say(answer, last);
            }
            if (words.get(0).equals(STOP)) {
                // When the answer is out: this server ends with the regions.
                stop.countDown();
            }
        }
    }

    private String carryOut(List<String> words, Consumer<String> listener) {
        return words.get(0).equals(STOP)
                ? "the regions are being stopped"
                : Objects.requireNonNull(orders).carryOut(words, listener);
    }

    /** Waits until somebody wants the regions stopped; false when nobody did for a while. */
    public boolean awaitStop(Duration limit) throws InterruptedException {
        return stop.await(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void say(OutputStream answer, String line) {
        try {
            answer.write((line.replaceAll("\\R\\s*", " ") + "\n").getBytes(StandardCharsets.UTF_8));
            answer.flush();
        } catch (IOException gone) {
            // Whoever asked does not listen any more; what was begun is ended all the same.
        }
    }

    /**
     * Whether regions run that others reach by a folder.
     *
     * @throws UserError when they are about to
     */
    public static boolean isRunning(Path folder) {
        return find(folder).isPresent();
    }

    /**
     * Has something done by regions that run.
     *
     * @param told each line that they say meanwhile
     * @return what they say in the end
     * @throws UserError when they cannot, saying why, or none run
     */
    public static String ask(Path folder, List<String> words, Consumer<String> told) {
        Properties running =
                find(folder).orElseThrow(() -> new UserError("No regions run here: start them with 'movr regions'"));
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) URI.create("http://127.0.0.1:" + running.getProperty("port") + "/")
                            .toURL()
                            .openConnection();
            connection.setRequestMethod("POST");
            connection.setDoOutput(true);
            connection.setRequestProperty(SECRET, running.getProperty("secret"));
            try (OutputStream body = connection.getOutputStream()) {
                body.write(String.join("\n", words).getBytes(StandardCharsets.UTF_8));
            }
            try (var answer =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = answer.readLine(); line != null; line = answer.readLine()) {
                    if (line.startsWith(DONE)) {
                        return line.substring(DONE.length());
                    }
                    if (line.startsWith(FAILED)) {
                        throw new UserError(line.substring(FAILED.length()));
                    }
                    told.accept(line);
                }
            }
            throw new UserError("The regions ended before they had done it");
        } catch (IOException failed) {
            throw new UserError("The regions that run do not answer: " + UserError.firstLine(failed), failed);
        }
    }

    private static boolean isClaimed(Path folder) {
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
            throw new UserError(
                    "The folder '" + folder + "' cannot be used (" + UserError.firstLine(failed) + ")", failed);
        }
    }

    private static Optional<Properties> find(Path folder) {
        if (!isClaimed(folder)) {
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
