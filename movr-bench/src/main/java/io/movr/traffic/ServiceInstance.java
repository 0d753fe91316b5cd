package io.movr.traffic;

import io.movr.UserError;
import io.movr.database.Gateway;
import io.movr.database.Machine;
import io.movr.database.SupervisedProcess;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** An instance of the service in a region, a process of its own that ends with this one. */
public final class ServiceInstance implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final long POLL_MILLIS = 200;

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final Region region;
    private final Gateway gateway;
    private final int port;
    private final Path log;
    private final SupervisedProcess process;

    private ServiceInstance(Region region, Gateway gateway, int port, Path log, SupervisedProcess process) {
        this.region = region;
        this.gateway = gateway;
        this.port = port;
        this.log = log;
        this.process = process;
    }

    /**
     * Begins to start one; {@link #await} waits until it serves.
     *
     * @param port a free port of the loopback address
     * @param log what it says; what an earlier one said there goes
     */
    static ServiceInstance start(Region region, RegionMap map, Gateway gateway, int port, Path log) {
        List<String> command = new ArrayList<>(List.of(
                Machine.javaProgram(),
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "io.movr.cli.Movr",
                "serve",
                "--url=" + gateway.url(),
                "--region=" + region,
                "--http-port=" + port,
                "--set=spring.main.banner-mode=off"));
        map.cities().forEach((of, cities) -> {
            for (int city = 0; city < cities.size(); city++) {
                command.add("--set=movr.region.cities." + of + "[" + city + "]=" + cities.get(city));
            }
        });
        try {
            Files.deleteIfExists(log);
            return new ServiceInstance(region, gateway, port, log, SupervisedProcess.start(command, log));
        } catch (IOException failed) {
            throw new UserError(
                    "The service of " + region + " cannot be started (" + UserError.firstLine(failed) + ")", failed);
        }
    }

    /**
     * Waits until it answers.
     *
     * @throws UserError when it ends instead, or does not answer within two minutes
     */
    void await() throws InterruptedException {
        HttpRequest request = request("/actuator/health/readiness");
        long end = System.nanoTime() + START_LIMIT.toNanos();
        while (true) {
            try {
                if (client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) {
                    return;
                }
            } catch (IOException notYet) {
                if (System.nanoTime() > end) {
                    throw new UserError("The service of " + region + " does not answer (log: " + log + ")", notYet);
                }
            }
            if (!process.isAlive()) {
                throw new UserError("The service of " + region + " ended: " + lastWords() + " (log: " + log + ")");
            }
            if (System.nanoTime() > end) {
                throw new UserError("The service of " + region + " is not ready after " + START_LIMIT.toMinutes()
                        + " minutes (log: " + log + ")");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create(url() + path))
                .timeout(Duration.ofSeconds(10))
                .build();
    }

    /**
     * How many transactions it has tried again since it was started, as its metrics have it: after serialization failures,
     * above all. Empty when it does not tell.
     */
    OptionalLong transactionRetries() throws InterruptedException {
        try {
            HttpResponse<String> metrics =
                    client.send(request("/actuator/prometheus"), HttpResponse.BodyHandlers.ofString());
            return metrics.statusCode() == 200
                    ? OptionalLong.of(transactionRetries(metrics.body()))
                    : OptionalLong.empty();
        } catch (IOException gone) {
            return OptionalLong.empty();
        }
    }

    static long transactionRetries(String metrics) {
        return Math.round(metrics.lines()
                .filter(line -> line.startsWith("movr_transactions_retries_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum());
    }

    private String lastWords() {
        try {
            return Files.readAllLines(log).stream()
                    .filter(line -> line.startsWith("movr: "))
                    .reduce((earlier, later) -> later)
                    .orElse("it does not say why");
        } catch (IOException unreadable) {
            return "its log cannot be read";
        }
    }

    public Region region() {
        return region;
    }

    /** The endpoint of the database that it is pinned to. */
    public Gateway gateway() {
        return gateway;
    }

    /** Where it listens, such as {@code http://127.0.0.1:8080}. */
    public String url() {
        return "http://127.0.0.1:" + port;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Where it logs. */
    public Path log() {
        return log;
    }

    /** Tells it to end; {@link #close} waits until it has. */
    void release() {
        process.release();
    }

    @Override
    public void close() {
        process.close();
    }
}
