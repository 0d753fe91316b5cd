package io.movr.traffic;

import io.movr.UserError;
import io.movr.database.ExternalProgram;
import io.movr.database.Gateway;
import io.movr.database.Logs;
import io.movr.database.Machine;
import io.movr.database.SupervisedProcess;
import io.movr.sender.HttpSender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The service in a process of its own, which ends with this one. */
public final class ServiceProcess implements AutoCloseable {

    /** What its heap may grow to. */
    public static final int HEAP_MEBIBYTES = 256;

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final long POLL_MILLIS = 200;

    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(20);

    private final HttpSender sender = new HttpSender();
    private final String name;
    private final int port;
    private final Path log;
    private final ExternalProgram program;
    private volatile SupervisedProcess process;

    private ServiceProcess(String name, int port, Path log, ExternalProgram program) throws IOException {
        this.name = name;
        this.port = port;
        this.log = log;
        this.program = program;
        this.process = program.start(log);
    }

    /**
     * Begins to start it; {@link #await} waits until it serves.
     *
     * @param name it has in messages
     * @param port a free port of the loopback address
     * @param log what it says; what an earlier one said there goes
     * @param more arguments of {@code movr serve}
     * @throws UserError if it cannot be started
     */
    public static ServiceProcess start(String name, Gateway gateway, int port, Path log, List<String> more) {
        List<String> words =
                new ArrayList<>(List.of(Machine.javaProgram(), "-XX:+UseSerialGC", "-Xmx" + HEAP_MEBIBYTES + "m"));
        words.addAll(sharedClasses());
        words.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                "io.movr.cli.Movr",
                "serve",
                "--url=" + Gateway.OF_PARENT,
                "--http-port=" + port));
        words.addAll(more);
        try {
            Files.deleteIfExists(log);
            return new ServiceProcess(name, port, log, ExternalProgram.of(words).with(gateway.forChild()));
        } catch (IOException failed) {
            throw new UserError(name + " cannot be started (" + UserError.firstLine(failed) + ")", failed);
        }
    }

    /** Those of the archive that the launcher found, which spares a start about a third of its time. */
    private static List<String> sharedClasses() {
        String archive = System.getProperty("movr.classes", "");
        return archive.isEmpty() ? List.of() : List.of(archive, "-Xlog:disable", "-Xlog:all=error:stderr");
    }

    /**
     * Waits until it answers.
     *
     * @throws UserError when it ends instead, or does not answer within two minutes
     */
    public void await() throws InterruptedException {
        long end = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            HttpSender.Answer answer = get("/actuator/health/readiness");
            if (answer.status() == 200) {
                return;
            }
            if (!process.isAlive()) {
                throw new UserError(name + " ended: " + lastWords() + " (log: " + log + ")");
            }
            if (System.nanoTime() > end) {
                throw new UserError(name + " is not ready after " + START_LIMIT.toMinutes() + " minutes ("
                        + answer.failureUnless(200) + "; log: " + log + ")");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    /** Returns its metrics for Prometheus; empty if it does not answer. */
    public Optional<Metrics> metrics() throws InterruptedException {
        HttpSender.Answer answer = get("/actuator/prometheus");
        return answer.status() == 200 ? Optional.of(new Metrics(answer.body())) : Optional.empty();
    }

    /**
     * Metrics in Prometheus' text format.
     *
     * @param text as the service answers it
     */
    public record Metrics(String text) {

        /** The sum of a metric over all of its labels; 0 if there is none. */
        public double sum(String metric) {
            return sum(metric, "");
        }

        /**
         * The sum of those of a metric that have a label.
         *
         * @param label such as {@code area="heap"}
         */
        public double sum(String metric, String label) {
            return text.lines()
                    .filter(line -> line.startsWith(metric + "{") || line.startsWith(metric + " "))
                    .filter(line -> line.contains(label))
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }
    }

    private HttpSender.Answer get(String path) throws InterruptedException {
        return sender.answer(HttpSender.get(url() + path, REQUEST_LIMIT));
    }

    private String lastWords() {
        try {
            return Logs.lines(log).stream()
                    .filter(line -> line.startsWith("movr: "))
                    .reduce((earlier, later) -> later)
                    .orElse("it does not say why");
        } catch (IOException unreadable) {
            return "its log cannot be read";
        }
    }

    /** Where it listens, such as {@code http://127.0.0.1:8080}. */
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /** The port at which it listens. */
    public int port() {
        return port;
    }

    /** Kills it by SIGKILL. */
    public void kill() throws IOException {
        process.kill();
    }

    /** Makes it stand still. */
    public void pause() throws IOException {
        process.pause();
    }

    /** Lets it go on. */
    public void resume() throws IOException {
        process.resume();
    }

    /** Ends it, if it runs, begins to start it again at the same port, and waits until it answers. */
    public void restart() throws IOException, InterruptedException {
        process.close();
        process = program.start(log);
        await();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /**
     * The id of its process.
     *
     * @throws UserError if it has ended
     */
    public long processId() {
        return process.descendants()
                .filter(child -> child.info().command().orElse("").endsWith("java"))
                .mapToLong(ProcessHandle::pid)
                .findFirst()
                .orElseThrow(() -> new UserError(name + " ended: " + lastWords() + " (log: " + log + ")"));
    }

    Path log() {
        return log;
    }

    /** Tells it to end; {@link #close} waits until it has. */
    public void release() {
        process.release();
    }

    @Override
    public void close() {
        process.close();
    }
}
