package io.movr.console;

import io.movr.UserError;
import io.movr.sender.HttpSender;
import io.movr.traffic.Control;
import io.movr.traffic.RegionCommands;
import io.movr.traffic.RunningRegions;
import io.movr.traffic.ServiceInstance;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The routes of the server of running regions. */
final class ConsoleRoutes {

    private static final Logger LOG = System.getLogger(ConsoleRoutes.class.getName());
    private static final long HEARTBEAT_MILLIS = 15_000;
    private static final int MAX_BODY = 4_096;
    private static final Duration RIDER_LIMIT = Duration.ofSeconds(20);
    private static final Pattern PATH = Pattern.compile("/api/([A-Za-z0-9/_?=&.:-]|%[0-9A-Fa-f]{2}){1,300}");
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final RunningRegions running;
    private final RegionCommands commands;
    private final Events events;
    private final Control control;
    private final HttpSender sender = new HttpSender();

    ConsoleRoutes(RunningRegions running, RegionCommands commands, Events events, Control control) {
        this.running = running;
        this.commands = commands;
        this.control = control;
        this.events = events;
    }

    RouterFunction<ServerResponse> routes() {
        RouterFunctions.Builder routes = RouterFunctions.route();
        Pages.names().forEach(name -> routes.add(page("/" + name, name)));
        return routes.GET("/api/events", request -> stream(events))
                .GET("/api/line", this::line)
                .POST("/" + Control.COMMANDS, this::command)
                .POST("/api/token", request -> ServerResponse.noContent().build())
                .GET("/api/rider", request -> ride("GET", request, ""))
                .POST("/api/rider", request -> ride("POST", request, body(request)))
                .add(notFound())
                .onError(
                        ResponseStatusException.class,
                        (failed, request) -> errorResponse((ResponseStatusException) failed))
                .onError(
                        InvalidParameterException.class, (failed, request) -> errorResponse("A parameter is malformed"))
                .onError(UserError.class, (failed, request) -> errorResponse(UserError.firstLine(failed)))
                .onError(
                        JacksonException.class,
                        (failed, request) -> errorResponse("The body is not JSON, or has a field several times"))
                .build();
    }

    private static ServerResponse errorResponse(String why) {
        return json(400, Map.of("error", why));
    }

    private static ServerResponse errorResponse(ResponseStatusException refused) {
        return json(refused.getStatusCode().value(), Map.of("error", String.valueOf(refused.getReason())));
    }

    private static ServerResponse json(int status, Map<String, ?> content) {
        return ServerResponse.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .body(JSON.writeValueAsString(content));
    }

    /** Returns the body of a request as UTF-8, regardless of its content type. */
    private static String body(ServerRequest request) throws IOException {
        long length = request.servletRequest().getContentLengthLong();
        if (length < 0) {
            throw new ResponseStatusException(HttpStatus.LENGTH_REQUIRED, "A body needs a Content-Length");
        }
        if (length > MAX_BODY) {
            throw new ResponseStatusException(
                    HttpStatus.CONTENT_TOO_LARGE, "A body has at most " + MAX_BODY + " bytes");
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

    /** Returns the route of a file of a page. */
    private static RouterFunction<ServerResponse> page(String path, String name) {
        return RouterFunctions.route(
                RequestPredicates.methods(HttpMethod.GET, HttpMethod.HEAD).and(RequestPredicates.path(path)),
                request -> ServerResponse.ok()
                        .header("Content-Type", Pages.type(name) + ";charset=UTF-8")
                        .body(Pages.file(name)));
    }

    /** Returns the route of all other requests, which Spring would otherwise log to the terminal. */
    private static RouterFunction<ServerResponse> notFound() {
        return RouterFunctions.route(
                RequestPredicates.all(), request -> ServerResponse.notFound().build());
    }

    /**
     * Sends past and future events to a page as Server-Sent Events. The request thread writes them: if another thread
     * wrote to a closed connection, Tomcat might report the failure to a later request.
     */
    private static ServerResponse stream(Events events) {
        Events.Subscription subscription = events.subscribe();
        if (subscription == null) {
            return json(503, Map.of("error", "Too many pages are open"));
        }
        return ServerResponse.ok().contentType(MediaType.TEXT_EVENT_STREAM).build((received, response) -> {
            try (subscription) {
                OutputStream page = response.getOutputStream();
                while (true) {
                    String event = subscription.next(HEARTBEAT_MILLIS);
                    String sent = event == null ? ":still here\n\n" : "data:" + event + "\n\n";
                    page.write(sent.getBytes(StandardCharsets.UTF_8));
                    page.flush();
                }
            } catch (IOException | IllegalStateException gone) {
                LOG.log(Level.DEBUG, "A page has left", gone);
            }
            return null;
        });
    }

    /** Returns the command line of a command, for the confirmation on the page. */
    private ServerResponse line(ServerRequest request) {
        List<String> words = request.params().getOrDefault("word", List.of());
        return json(
                200,
                Map.of("line", RegionCommands.commandLine(words), "harmful", RegionCommands.isHarmful(words.get(0))));
    }

    /** Executes a command, and streams its progress and result as lines of JSON. */
    private ServerResponse command(ServerRequest request) throws IOException {
        JsonNode given = JSON.readTree(body(request)).path("words");
        if (!given.isArray() || !given.valueStream().allMatch(JsonNode::isString)) {
            throw new UserError("A command is {\"words\": […]} with texts, the verb first");
        }
        List<String> words = given.valueStream().map(JsonNode::stringValue).toList();
        // Rejects an unknown command before the response starts.
        var unused = RegionCommands.commandLine(words);
        return ServerResponse.ok().contentType(MediaType.APPLICATION_NDJSON).build((received, response) -> {
            // The page waits for the headers only.
            response.flushBuffer();
            execute(words, response.getOutputStream());
            return null;
        });
    }

    private void execute(List<String> words, OutputStream answer) {
        try {
            write(answer, Control.DONE, commands.execute(words, step -> write(answer, Control.PROGRESS, step)));
        } catch (RuntimeException failed) {
            write(answer, Control.FAILED, UserError.firstLine(failed));
        }
        if (words.get(0).equals("stop")) {
            // After the response, because this server ends with the regions.
            control.requestStop();
        }
    }

    private static void write(OutputStream answer, String field, String text) {
        byte[] line = (JSON.writeValueAsString(Map.of(field, text)) + "\n").getBytes(StandardCharsets.UTF_8);
        try {
            answer.write(line);
            answer.flush();
        } catch (IOException gone) {
            // The client has disconnected. The command continues.
            LOG.log(Level.DEBUG, "A client has left", gone);
        }
    }

    /** Forwards a rider's request to the instance of a region, and returns its response and latency. */
    private ServerResponse ride(String method, ServerRequest request, String body)
            throws IOException, InterruptedException {
        String region = request.param("region").orElse("");
        String path = request.param("path").orElse("");
        if (!PATH.matcher(path).matches()) {
            throw new UserError("'" + path + "' is not a path of the service");
        }
        ServiceInstance instance = running.instances().stream()
                .filter(each -> each.region().name().equals(region))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no service in '" + region + "'"));
        String url = instance.url() + path;
        HttpRequest passed = method.equals("POST")
                ? HttpSender.write(method, url, body, UUID.randomUUID().toString(), RIDER_LIMIT)
                : HttpSender.get(url, RIDER_LIMIT);
        long startNanos = System.nanoTime();
        HttpSender.Answer answer = sender.answer(passed);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("ms", Math.round((System.nanoTime() - startNanos) / 1e4) / 1e2);
        shown.put("status", Math.max(0, answer.status()));
        if (answer.failure().isEmpty()) {
            shown.put("home", answer.header("Movr-Home-Region").orElse(region));
            shown.put("location", answer.header("Location").orElse(""));
            shown.put("body", parsed(answer.body()));
        } else {
            shown.put("body", Map.of("detail", "No answer: " + answer.failure()));
        }
        return json(200, shown);
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException noJson) {
            return JSON.createObjectNode();
        }
    }
}
