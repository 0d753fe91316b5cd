package io.movr.console;

import io.movr.UserError;
import io.movr.traffic.Orders;
import io.movr.traffic.RunningRegions;
import io.movr.traffic.ServiceInstance;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.function.ServerResponse.SseBuilder;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the console answers to. */
final class ConsoleRoutes {

    /** Orders that the page may give. */
    private static final Set<String> VERBS = Set.of(
            "migrate",
            "kill",
            "restart",
            "kill-service",
            "restart-service",
            "cut",
            "mend",
            "slow",
            "traffic",
            "matrix",
            "staleness",
            "ledger");

    private static final long HEARTBEAT_MILLIS = 15_000;
    private static final int LONGEST_BODY = 4_096;
    private static final Duration RIDER_LIMIT = Duration.ofSeconds(20);
    private static final Pattern PATH = Pattern.compile("/api/([A-Za-z0-9/_?=&.:-]|%[0-9A-Fa-f]{2}){1,300}");
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final RunningRegions running;
    private final Orders orders;
    private final Events events;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    ConsoleRoutes(RunningRegions running, Orders orders, Events events) {
        this.running = running;
        this.orders = orders;
        this.events = events;
    }

    RouterFunction<ServerResponse> routes() {
        RouterFunctions.Builder routes = RouterFunctions.route();
        Pages.ofRegions().forEach(name -> routes.add(page("/" + name, name)));
        return routes.GET("/api/events", request -> stream(events))
                .GET("/api/line", this::line)
                .POST("/api/orders", this::order)
                .POST("/api/token", request -> ServerResponse.noContent().build())
                .GET("/api/rider", request -> ride("GET", request, ""))
                .POST("/api/rider", request -> ride("POST", request, body(request)))
                .add(nothingElse())
                .onError(ResponseStatusException.class, (failed, request) -> refused((ResponseStatusException) failed))
                .onError(InvalidParameterException.class, (failed, request) -> refused("A parameter is malformed"))
                .onError(UserError.class, (failed, request) -> refused(UserError.firstLine(failed)))
                .onError(
                        JacksonException.class,
                        (failed, request) -> refused("The body is no JSON, or has a field several times"))
                .build();
    }

    private static ServerResponse refused(String why) {
        return json(400, Map.of("error", why));
    }

    private static ServerResponse refused(ResponseStatusException refused) {
        return json(refused.getStatusCode().value(), Map.of("error", String.valueOf(refused.getReason())));
    }

    private static ServerResponse json(int status, Map<String, ?> content) {
        return ServerResponse.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .body(JSON.writeValueAsString(content));
    }

    /** The body of a request, as UTF-8 whatever its type says. */
    private static String body(ServerRequest request) throws IOException {
        long length = request.servletRequest().getContentLengthLong();
        if (length < 0) {
            throw new ResponseStatusException(HttpStatus.LENGTH_REQUIRED, "A body must say its Content-Length");
        }
        if (length > LONGEST_BODY) {
            throw new ResponseStatusException(
                    HttpStatus.CONTENT_TOO_LARGE, "A body has at most " + LONGEST_BODY + " bytes");
        }
        try (InputStream body = request.servletRequest().getInputStream()) {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body.readAllBytes()))
                    .toString();
        } catch (CharacterCodingException malformed) {
            throw new UserError("The body is not UTF-8", malformed);
        } catch (SocketTimeoutException silent) {
            throw new ResponseStatusException(HttpStatus.REQUEST_TIMEOUT, "The body did not arrive in time", silent);
        }
    }

    /** Answers a file of a page. */
    static RouterFunction<ServerResponse> page(String path, String name) {
        return RouterFunctions.route(
                RequestPredicates.methods(HttpMethod.GET, HttpMethod.HEAD).and(RequestPredicates.path(path)),
                request -> ServerResponse.ok()
                        .header("Content-Type", Pages.type(name) + ";charset=UTF-8")
                        .body(Pages.file(name)));
    }

    /** Answers what no other route does, about which Spring would write two lines to the terminal. */
    static RouterFunction<ServerResponse> nothingElse() {
        return RouterFunctions.route(
                RequestPredicates.all(), request -> ServerResponse.notFound().build());
    }

    /** Sends a page what was and what will be published. */
    static ServerResponse stream(Events events) {
        Events.Subscription subscription = events.subscribe();
        if (subscription == null) {
            return json(503, Map.of("error", "Too many pages are open"));
        }
        return ServerResponse.sse(
                page -> {
                    Thread thread = new Thread(() -> send(subscription, page), "console-page");
                    thread.setDaemon(true);
                    // Its response is used again for other requests then.
                    page.onComplete(thread::interrupt);
                    thread.start();
                },
                Duration.ZERO);
    }

    private static void send(Events.Subscription subscription, SseBuilder page) {
        try (subscription) {
            while (true) {
                String event = subscription.next(HEARTBEAT_MILLIS);
                if (event == null) {
                    page.comment("still here").send();
                } else {
                    page.data(event);
                }
            }
        } catch (IOException | IllegalStateException gone) {
            page.error(gone);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The command line of an order that the page is about to give. */
    private ServerResponse line(ServerRequest request) {
        List<String> words = request.params().getOrDefault("word", List.of());
        return json(200, Map.of("line", Orders.commandLine(checked(words)), "harmful", Orders.isHarmful(words.get(0))));
    }

    private static List<String> checked(List<String> words) {
        if (words.isEmpty() || !VERBS.contains(words.get(0))) {
            throw new UserError("The console does not know how to " + (words.isEmpty() ? "" : words.get(0)));
        }
        return words;
    }

    /** Begins to carry an order out; events tell how it goes on. */
    private ServerResponse order(ServerRequest request) throws IOException {
        JsonNode given = JSON.readTree(body(request)).path("words");
        if (!given.isArray() || !given.valueStream().allMatch(JsonNode::isString)) {
            throw new UserError("An order is {\"words\": […]} with texts, the verb first");
        }
        List<String> words = given.valueStream().map(JsonNode::stringValue).toList();
        String line = Orders.commandLine(checked(words));
        Thread thread = new Thread(
                () -> {
                    try {
                        orders.carryOut(words, what -> {});
                    } catch (RuntimeException told) {
                        // By an event.
                    }
                },
                "console-order");
        thread.setDaemon(true);
        thread.start();
        return json(202, Map.of("line", line));
    }

    /** Passes a rider's request on to the instance of a region, and tells how long its answer took. */
    private ServerResponse ride(String method, ServerRequest request, String body)
            throws IOException, InterruptedException {
        String region = request.param("region").orElse("");
        String path = request.param("path").orElse("");
        if (!PATH.matcher(path).matches()) {
            throw new UserError("'" + path + "' is no path of the service");
        }
        ServiceInstance instance = running.instances().stream()
                .filter(each -> each.region().name().equals(region))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no service in '" + region + "'"));
        HttpRequest.Builder passed =
                HttpRequest.newBuilder(URI.create(instance.url() + path)).timeout(RIDER_LIMIT);
        if (method.equals("POST")) {
            passed.header("Content-Type", "application/json")
                    .header("Idempotency-Key", UUID.randomUUID().toString())
                    .POST(BodyPublishers.ofString(body));
        }
        long begun = System.nanoTime();
        Map<String, Object> told = new LinkedHashMap<>();
        try {
            HttpResponse<String> answer = http.send(passed.build(), BodyHandlers.ofString());
            told.put("ms", Math.round((System.nanoTime() - begun) / 1e4) / 1e2);
            told.put("status", answer.statusCode());
            told.put("home", answer.headers().firstValue("Movr-Home-Region").orElse(region));
            told.put("location", answer.headers().firstValue("Location").orElse(""));
            told.put("body", parsed(answer.body()));
        } catch (IOException unanswered) {
            told.put("ms", Math.round((System.nanoTime() - begun) / 1e4) / 1e2);
            told.put("status", 0);
            told.put("body", Map.of("detail", "No answer: " + UserError.firstLine(unanswered)));
        }
        return json(200, told);
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException noJson) {
            return JSON.createObjectNode();
        }
    }
}
