package io.movr;

import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.Invariants;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.datasource.GatewayPool;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole service on a real database with rows in it, called over HTTP. */
public final class RunningService implements AutoCloseable {

    /** An answer. */
    public record Reply(int status, JsonNode body, HttpHeaders headers) {

        /** The slug of a problem, empty when it is none. */
        public String problem() {
            String type = body.path("type").asString("");
            return type.startsWith("/problems/") ? type.substring("/problems/".length()) : "";
        }

        public String header(String name) {
            return headers.firstValue(name).orElse("");
        }

        public String text(String field) {
            return body.path(field).asString("");
        }
    }

    /** A user of the published rows, in boston. */
    public static final String RIDER = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a";

    /** The last one that this engine has: what holds there holds for rows in partitions too. */
    public static final Stage STAGE = Stage.latest(Engine.POSTGRESQL);

    /** Whether the service has its cache on, in a run of the tests that is to show that this changes nothing. */
    public static final boolean CACHED = Boolean.getBoolean("movr.test.cache");

    private static final Duration CONNECTION_LIMIT = Duration.ofSeconds(30);
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private static final Map<Stage, Gateway> TEMPLATES = new EnumMap<>(Stage.class);
    private static EmbeddedPostgres server;
    private static RunningService shared;
    private static int databases;

    private final Gateway gateway;
    private final ConfigurableApplicationContext context;
    private final String root;

    private RunningService(Gateway gateway, ConfigurableApplicationContext context) {
        this.gateway = gateway;
        this.context = context;
        this.root = "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
    }

    /** One with default settings at the last stage, for all tests that bear company. */
    public static synchronized RunningService shared() {
        if (shared == null) {
            shared = start(database(STAGE), Map.of());
            Runtime.getRuntime().addShutdownHook(new Thread(shared::close));
        }
        return shared;
    }

    /** A new database with the rows of the smallest scale. */
    public static synchronized Gateway database(Stage stage) {
        Gateway template = TEMPLATES.computeIfAbsent(stage, RunningService::template);
        return create("service_" + databases++, " TEMPLATE " + template.database());
    }

    private static Gateway create(String name, String options) {
        if (server == null) {
            server = EmbeddedPostgres.temporary();
        }
        execute(server.gateway(), "CREATE DATABASE " + name + options);
        return server.gateway().toDatabase(name);
    }

    /** What is copied for each test: loading and migrating takes seconds, copying a tenth of one. */
    private static Gateway template(Stage stage) {
        Gateway gateway = create("template_" + stage.version(), "");
        Schema schema = new Schema(Engine.POSTGRESQL, gateway);
        if (stage == Stage.BASELINE) {
            schema.migrateTo(stage);
            fillWithoutForeignKeys(gateway);
        } else {
            new BulkLoader(Engine.POSTGRESQL, gateway, new LoadProgress()).load(Scale.TINY.spec(1), 2, IfFilled.REFUSE);
            schema.migrateTo(stage);
        }
        return gateway;
    }

    private static void fillWithoutForeignKeys(Gateway gateway) {
        execute(gateway, "INSERT INTO users VALUES ('" + RIDER + "', 'boston', 'Natalie Cunningham', 'x', '4111')");
        execute(
                gateway,
                "INSERT INTO vehicles VALUES (gen_random_uuid(), 'boston', 'bike', '" + RIDER
                        + "', now(), 'available', 'somewhere', '{}')");
    }

    /** A service on a database, with settings instead of the default ones, when it is connected. */
    public static RunningService start(Gateway gateway, Map<String, String> settings) {
        RunningService service = startUnconnected(gateway, settings);
        try {
            if (service.bean(GatewayPool.class).awaitConnection(CONNECTION_LIMIT)) {
                return service;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        service.close();
        throw new IllegalStateException("The service is not connected to " + gateway.shown());
    }

    /** The same, when it answers requests, which may be before it is connected. */
    public static RunningService startUnconnected(Gateway gateway, Map<String, String> settings) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("server.port", "0");
        all.put("movr.database.url", gateway.url());
        all.put("movr.cache.enabled", Boolean.toString(CACHED));
        all.put("logging.level.io.movr", "error");
        all.put("logging.level.org.springframework.boot", "off");
        all.putAll(settings);
        String[] arguments = all.entrySet().stream()
                .map(setting -> "--" + setting.getKey() + "=" + setting.getValue())
                .toArray(String[]::new);
        return new RunningService(gateway, MovrApplication.application().run(arguments));
    }

    public Gateway gateway() {
        return gateway;
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    public Reply get(String path, String... headers) {
        return send("GET", path, null, headers);
    }

    /**
     * The same, by a client that waits no longer than this.
     *
     * @throws IllegalStateException when there is no answer within the limit
     */
    public Reply getWithin(Duration limit, String path) {
        return send(limit, "GET", path, null);
    }

    public Reply post(String path, Object body, String... headers) {
        return send("POST", path, JSON.writeValueAsString(body), headers);
    }

    public Reply patch(String path, Object body, String... headers) {
        return send("PATCH", path, JSON.writeValueAsString(body), headers);
    }

    /** Sends a body as it is, JSON or not. */
    public Reply send(String method, String path, String body, String... headers) {
        return send(Duration.ofMinutes(1), method, path, body, headers);
    }

    private Reply send(Duration limit, String method, String path, String body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + path))
                .timeout(limit)
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (body != null && !List.of(headers).contains("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            var response = CLIENT.send(request.build(), BodyHandlers.ofString());
            String type = response.headers().firstValue("Content-Type").orElse("");
            JsonNode json = type.contains("json") && !response.body().isEmpty()
                    ? JSON.readTree(response.body())
                    : JSON.getNodeFactory().stringNode(response.body());
            return new Reply(response.statusCode(), json, response.headers());
        } catch (IOException failed) {
            throw new IllegalStateException(method + " " + path + " got no answer", failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Has the same thing done many times at once, and waits for all of it. */
    public static List<Reply> atOnce(int times, IntFunction<Reply> call) throws Exception {
        ExecutorService callers = Executors.newFixedThreadPool(times);
        CountDownLatch start = new CountDownLatch(1);
        try {
            List<Future<Reply>> running = new ArrayList<>();
            for (int number = 0; number < times; number++) {
                int mine = number;
                running.add(callers.submit((Callable<Reply>) () -> {
                    start.await();
                    return call.apply(mine);
                }));
            }
            start.countDown();
            List<Reply> replies = new ArrayList<>();
            for (Future<Reply> reply : running) {
                replies.add(reply.get());
            }
            return replies;
        } finally {
            callers.shutdownNow();
        }
    }

    /** Registers a user, and says which id it got. */
    public String newUser(String city) {
        return post(
                        "/api/users",
                        Map.of(
                                "city", city,
                                "name", "Test Rider",
                                "address", "1 Main Street",
                                "credit_card", "4111111111111111"))
                .text("id");
    }

    /** Adds a bike, and says which id it got. */
    public String newVehicle(String city, String owner) {
        return post(
                        "/api/vehicles",
                        Map.of("city", city, "owner_id", owner, "type", "bike", "current_location", "1 Main Street"))
                .text("id");
    }

    public Reply start(String city, String rider, String vehicle, String... headers) {
        return post("/api/rides", Map.of("city", city, "rider_id", rider, "vehicle_id", vehicle), headers);
    }

    public Reply end(String city, String ride, String rider, String... headers) {
        return post(
                "/api/rides/" + city + "/" + ride + "/end",
                Map.of("rider_id", rider, "end_address", "2 Market Street"),
                headers);
    }

    /** Makes a promo code of this many percent and uses a user, and says its name. */
    public String newPromoCode(int percent, int maxUses) {
        String code = "T-" + UUID.randomUUID();
        Map<String, Object> rules = new LinkedHashMap<>();
        rules.put("type", "percent_discount");
        rules.put("value", percent);
        rules.put("max_uses", maxUses);
        return post("/api/promo_codes", Map.of("code", code, "description", "of a test", "rules", rules))
                .text("code");
    }

    public Reply apply(String city, String user, String code, String... headers) {
        return post("/api/user_promo_codes", Map.of("city", city, "user_id", user, "code", code), headers);
    }

    /** The one value that a query answers. */
    public String ask(String query) {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(query)) {
            return answer.next() ? answer.getString(1) : null;
        } catch (SQLException failed) {
            throw new IllegalStateException(query, failed);
        }
    }

    public void execute(String sql) {
        execute(gateway, sql);
    }

    private static void execute(Gateway gateway, String sql) {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    public List<Invariants.Violation> violations() throws SQLException {
        return Invariants.violations(gateway);
    }

    /** A counter's or timer's count, as Prometheus would read it; the sum over all series that match. */
    public double metric(String name, String... labels) {
        String text = get("/actuator/prometheus").body().asString();
        return text.lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .filter(line -> List.of(labels).stream().allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Override
    public void close() {
        context.close();
    }
}
