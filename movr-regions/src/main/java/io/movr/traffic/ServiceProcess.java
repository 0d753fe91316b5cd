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

/** The service in its own process, which ends with this process. */
public final class ServiceProcess implements AutoCloseable {

    /** The maximum heap size. */
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
     * Starts the service without waiting for it; {@link #await} waits until it is ready.
     *
     * @param name the name in messages
     * @param port a free port of the loopback address
     * @param log the log file, which is overwritten
     * @param more further arguments of {@code movr serve}
     * @throws UserError if it cannot be started
     */
    public static ServiceProcess start(String name, Gateway gateway, int port, Path log, List<String> more) {
        List<String> words =
                new ArrayList<>(List.of(Machine.javaProgram(), "-XX:+UseSerialGC", "-Xmx" + HEAP_MEBIBYTES + "m"));
        words.addAll(classArchiveOptions());
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

    /** Returns the options of the class archive that the launcher found, which shortens the start by about a third. */
    private static List<String> classArchiveOptions() {
        String archive = System.getProperty("movr.classes", "");
        return archive.isEmpty() ? List.of() : List.of(archive, "-Xlog:disable", "-Xlog:all=error:stderr");
    }

    /**
     * Waits until the service is ready.
     *
     * @throws UserError if it ends, or is not ready within two minutes
     */
    public void await() throws InterruptedException {
        long end = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            HttpSender.Answer answer = get("/actuator/health/readiness");
            if (answer.status() == 200) {
                return;
            }
            if (!process.isAlive()) {
                throw new UserError(name + " ended: " + lastError() + " (log: " + log + ")");
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
     * @param text the response of the service
     */
    public record Metrics(String text) {

        /** Returns the sum of a metric over all labels; 0 if there is none. */
        public double sum(String metric) {
            return sum(metric, "");
        }

        /**
         * Returns the sum of the values of a metric with a label.
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

    private String lastError() {
        try {
            return Logs.lines(log).stream()
                    .filter(line -> line.startsWith("movr: "))
                    .reduce((earlier, later) -> later)
                    .orElse("its log has no error");
        } catch (IOException unreadable) {
            return "its log cannot be read";
        }
    }

    /** Returns its URL, such as {@code http://127.0.0.1:8080}. */
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /** Returns its port. */
    public int port() {
        return port;
    }

    /** Kills it by SIGKILL. */
    public void kill() throws IOException {
        process.kill();
    }

    /** Suspends the process. */
    public void pause() throws IOException {
        process.pause();
    }

    /** Resumes the process. */
    public void resume() throws IOException {
        process.resume();
    }

    /** Ends the process if it runs, starts it again at the same port, and waits until it is ready. */
    public void restart() throws IOException, InterruptedException {
        process.close();
        process = program.start(log);
        await();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /**
     * Returns the id of the Java process.
     *
     * @throws UserError if it has ended
     */
    public long processId() {
        return process.descendants()
                .filter(child -> child.info().command().orElse("").endsWith("java"))
                .mapToLong(ProcessHandle::pid)
                .findFirst()
                .orElseThrow(() -> new UserError(name + " ended: " + lastError() + " (log: " + log + ")"));
    }

    Path log() {
        return log;
    }

    /** Requests its end; {@link #close} waits for it. */
    public void release() {
        process.release();
    }

    @Override
    public void close() {
        process.close();
    }
}
