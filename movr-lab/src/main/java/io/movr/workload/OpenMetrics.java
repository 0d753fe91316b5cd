package io.movr.workload;

import com.sun.net.httpserver.HttpServer;
import io.movr.UserError;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** A run's figures for Prometheus, in the OpenMetrics format, on a port of the loopback address. */
final class OpenMetrics implements RunListener, AutoCloseable {

    private static final double[] QUANTILES = {0.5, 0.95, 0.99, 1};
    private static final double NANOS_PER_SECOND = 1e9;

    private final String workload;
    private final HttpServer server;
    private volatile String text = "# EOF\n";

    /**
     * Begins to listen.
     *
     * @param port 0 is any that is free
     * @throws UserError when it is taken
     */
    public OpenMetrics(String workload, int port) {
        this.workload = workload;
        if (port < 0 || port > 65_535) {
            throw new UserError("--prometheus-port " + port + " is out of range: 1 to 65535");
        }
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException taken) {
            throw new UserError("Port " + port + " is taken: name another one with --prometheus-port", taken);
        }
        server.createContext("/metrics", exchange -> {
            byte[] answer = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders()
                    .set("Content-Type", "application/openmetrics-text; version=1.0.0; charset=utf-8");
            exchange.sendResponseHeaders(200, answer.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(answer);
            }
        });
        server.start();
    }

    /** Returns its address. */
    public String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics";
    }

    @Override
    public void tick(Tick tick) {
        text = render(tick);
    }

    @Override
    public void lastTick(Tick tick) {
        tick(tick);
    }

    @Override
    public void close() {
        server.stop(0);
    }

    String render(Tick tick) {
        StringBuilder latency = new StringBuilder("""
                # TYPE movr_workload_latency_seconds summary
                # UNIT movr_workload_latency_seconds seconds
                # HELP movr_workload_latency_seconds Response time of operations that succeeded.
                """);
        StringBuilder failures = new StringBuilder("""
                # TYPE movr_workload_failures counter
                # HELP movr_workload_failures Operations that failed for good.
                """);
        StringBuilder retries = new StringBuilder("""
                # TYPE movr_workload_retries counter
                # HELP movr_workload_retries Attempts that were made again.
                """);
        for (Tick.Part part : tick.operations()) {
            OperationResult operation = part.cumulative();
            String labels = "workload=\"" + workload + "\",operation=\"" + operation.name() + "\"";
            for (double quantile : QUANTILES) {
                latency.append(String.format(
                        Locale.ROOT,
                        "movr_workload_latency_seconds{%s,quantile=\"%s\"} %.9f%n",
                        labels,
                        quantile,
                        operation.quantileMs(quantile) / 1e3));
            }
            latency.append(String.format(
                    Locale.ROOT,
                    "movr_workload_latency_seconds_count{%s} %d%nmovr_workload_latency_seconds_sum{%s} %.6f%n",
                    labels,
                    operation.count(),
                    labels,
                    operation.responseNanos().getMean() * operation.count() / NANOS_PER_SECOND));
            append(failures, "movr_workload_failures_total", labels, operation.failures());
            append(retries, "movr_workload_retries_total", labels, operation.retries());
        }
        String lag = String.format(Locale.ROOT, """
                # TYPE movr_workload_lag_seconds gauge
                # UNIT movr_workload_lag_seconds seconds
                # HELP movr_workload_lag_seconds How late a thread of the runner wakes up, at the 99th percentile.
                movr_workload_lag_seconds{workload="%s"} %.6f
                """, workload, tick.lagMsP99() / 1e3);
        return (latency.toString() + failures + retries + lag + "# EOF\n").replace(System.lineSeparator(), "\n");
    }

    private static void append(StringBuilder text, String name, String labels, Map<String, Long> counts) {
        counts.forEach((cause, count) ->
                text.append(String.format(Locale.ROOT, "%s{%s,cause=\"%s\"} %d%n", name, labels, cause, count)));
    }
}
