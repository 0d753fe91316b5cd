package io.movr.load;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Passes requests on, except the very first. Loses the first answer to every third write after it has been done: it says
 * 503 or nothing.
 */
final class LosingProxy implements AutoCloseable {

    private static final String REPLAYED = "Idempotency-Replayed";

    private final URI service;
    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<String> lostKeys = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean stalled = new AtomicBoolean();
    private final AtomicInteger writes = new AtomicInteger();
    private final AtomicInteger unavailable = new AtomicInteger();

    LosingProxy(URI service) throws IOException {
        this.service = service;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::pass);
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** How many of those lost were answered with 503; the others had their connection closed. */
    int unavailable() {
        return unavailable.get();
    }

    private void pass(HttpExchange exchange) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(service + exchange.getRequestURI().toString()))
                .version(HttpClient.Version.HTTP_1_1)
                .method(
                        exchange.getRequestMethod(),
                        HttpRequest.BodyPublishers.ofByteArray(
                                exchange.getRequestBody().readAllBytes()));
        if (stalled.compareAndSet(false, true)) {
            exchange.getResponseHeaders().set("Retry-After", "1");
            exchange.sendResponseHeaders(503, -1);
            exchange.close();
            return;
        }
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        if (key != null) {
            request.header("Idempotency-Key", key).header("Content-Type", "application/json");
        }
        try {
            HttpResponse<byte[]> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            int write = key == null ? 1 : writes.incrementAndGet();
            if (write % 3 == 0 && lostKeys.add(key)) {
                if (write % 2 == 0) {
                    exchange.sendResponseHeaders(503, -1);
                    unavailable.incrementAndGet();
                }
                exchange.close();
                return;
            }
            answer.headers()
                    .firstValue(REPLAYED)
                    .ifPresent(replayed -> exchange.getResponseHeaders().set(REPLAYED, replayed));
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
            exchange.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            exchange.close();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
