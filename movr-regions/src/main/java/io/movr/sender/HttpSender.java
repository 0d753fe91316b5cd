package io.movr.sender;

import io.movr.UserError;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A sender of HTTP requests with JSON bodies. Each request has a time limit, and a failed request also returns an
 * {@link Answer}.
 */
public final class HttpSender {

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

    /** The time limit of the client ends with the headers of the response. */
    private static final Duration BODY_LIMIT = Duration.ofSeconds(1);

    private static final long POLL_MILLIS = 5;
    private static final HttpHeaders NO_HEADERS = HttpHeaders.of(Map.of(), (name, value) -> true);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_LIMIT)
            .build();
    private final AtomicInteger unanswered = new AtomicInteger();

    /**
     * The answer to a request.
     *
     * @param status the HTTP status; {@link #NO_ANSWER} if no response arrived, {@link #NOT_SENT} if no connection
     *     was opened
     * @param failure the reason why no response arrived; empty if one did
     */
    public record Answer(int status, String body, HttpHeaders headers, String failure) {

        public static final int NO_ANSWER = 0;
        public static final int NOT_SENT = -1;

        /** Returns the first value of a header. */
        public Optional<String> header(String name) {
            return headers.firstValue(name);
        }

        /** Returns the reason why this answer has not the wanted status; empty if it has. */
        public String failureUnless(int wanted) {
            if (status == wanted) {
                return "";
            }
            return failure.isEmpty() ? "Answered " + status : failure;
        }

        /** Returns whether the service may have executed the request although it did not acknowledge it. */
        public boolean isUnknown() {
            return status == NO_ANSWER || status >= 500;
        }
    }

    /** Returns a GET request. */
    public static HttpRequest get(String url, Duration limit) {
        return HttpRequest.newBuilder(URI.create(url)).timeout(limit).build();
    }

    /**
     * Returns a request with a JSON body.
     *
     * @param key the idempotency key; {@code null} for none
     */
    public static HttpRequest write(String method, String url, String json, @Nullable String key, Duration limit) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                .timeout(limit)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(json));
        if (key != null) {
            request.header("Idempotency-Key", key);
        }
        return request.build();
    }

    /** Encodes a part of a path, or a value of a query. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Sends a request that has a time limit. The future never completes with an exception. */
    public CompletableFuture<Answer> send(HttpRequest request) {
        Duration limit = request.timeout().orElseThrow();
        unanswered.incrementAndGet();
        CompletableFuture<HttpResponse<String>> exchange = client.sendAsync(request, BodyHandlers.ofString());
        return exchange.copy()
                .orTimeout(limit.plus(BODY_LIMIT).toMillis(), TimeUnit.MILLISECONDS)
                .handle((response, failed) -> {
                    unanswered.decrementAndGet();
                    if (failed != null) {
                        exchange.cancel(true);
                        Throwable cause = failed.getCause();
                        return unanswered(failed instanceof CompletionException && cause != null ? cause : failed);
                    }
                    return new Answer(response.statusCode(), response.body(), response.headers(), "");
                });
    }

    private static Answer unanswered(Throwable failed) {
        int status = failed instanceof ConnectException ? Answer.NOT_SENT : Answer.NO_ANSWER;
        return new Answer(status, "", NO_HEADERS, UserError.firstLine(failed));
    }

    /** Sends a request and waits for its answer. */
    public Answer answer(HttpRequest request) throws InterruptedException {
        try {
            return send(request).get();
        } catch (ExecutionException defect) {
            throw new IllegalStateException(defect);
        }
    }

    /** Waits until every request has a response or has failed, up to a time limit. */
    public void awaitAnswers(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (unanswered.get() > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }
}
