package io.movr.doctor;

import io.movr.MovrApplication;
import io.movr.UserError;
import io.movr.cache.CacheSettings;
import io.movr.cache.CachingDataSource;
import io.movr.cache.ChangeListener;
import io.movr.cache.ChangeNotices;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Folders;
import io.movr.database.Gateway;
import io.movr.database.OtherDatabase;
import io.movr.database.Rows;
import io.movr.database.TemporaryFiles;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.Invariants;
import io.movr.dataset.Invariants.Violation;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.dataset.Table;
import io.movr.environment.Preflight;
import io.movr.environment.Program;
import io.movr.environment.StatementTimeout;
import io.movr.lab.Lab;
import io.movr.lab.LabListener;
import io.movr.lab.LabRequest;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.report.LabResults.Check;
import io.movr.report.TrafficResults.PromoReads;
import io.movr.report.TrafficResults.RegionReads;
import io.movr.schema.InterruptedMigration;
import io.movr.schema.Placement;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import io.movr.staleness.PromoCodeReads;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Exercises all that movr does on a cluster, piece by piece, on databases that come and go: gateways, loading, every stage
 * and its repetition, plans and answers of the experiments, a cache, the service, promo codes in every
 * way to read them, where rows lie. A piece that fails does not keep the others from being tried, unless they build on it.
 */
public final class FullCheck {

    private static final String DONE = "ok";
    private static final String FAILED = "problem";
    private static final String UNKNOWN = "unknown";
    private static final Duration INVALIDATION_LIMIT = Duration.ofSeconds(30);
    private static final String EXPERIMENTS = "experiments";
    private static final String CACHE = "cache";
    private static final String SERVICE = "service";
    private static final String PROMO_CODES = "promo-codes";
    private static final Duration PROMO_CODES_RUN = Duration.ofSeconds(1);
    private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([0-9a-f-]{36})\"");

    private final Cluster cluster;
    private final RegionMap regions;
    private final Duration placementLimit;
    private final Set<String> skipped;
    private final Program program;
    private final Consumer<Check> listener;
    private final Consumer<String> progress;

    /**
     * Sets up a check.
     *
     * @param placementLimit how long leaseholders may take to come to their regions
     * @param skipped pieces to leave out, of {@link #skippable}
     * @param listener is told of each piece when it is over
     * @param progress is told what is going on
     */
    public FullCheck(
            Cluster cluster,
            RegionMap regions,
            Duration placementLimit,
            Set<String> skipped,
            Program program,
            Consumer<Check> listener,
            Consumer<String> progress) {
        this.cluster = cluster;
        this.regions = regions;
        this.placementLimit = placementLimit;
        this.skipped = Set.copyOf(skipped);
        this.program = program;
        this.listener = listener;
        this.progress = progress;
    }

    /** The pieces that no other one builds on. */
    public static List<String> skippable() {
        return List.of(EXPERIMENTS, CACHE, SERVICE, PROMO_CODES);
    }

    /** A piece: what it found, in a line. */
    private interface Piece {
        String run() throws Exception;
    }

    /** A piece that what is here does not allow. */
    private static final class NotTried extends Exception {

        private static final long serialVersionUID = 1L;

        NotTried(String obstacle) {
            super("not tried: " + obstacle);
        }
    }

    /** Tries every piece. Those that failed are told to the listener with the status {@code problem}. */
    public void run() {
        DatasetSpec spec = Scale.TINY.spec(1);
        // What works is tried here, and not how long it takes.
        cluster.distant(false);
        piece("gateways", this::gateways);
        Preflight.of(cluster.gateway()).stream()
                // There are no tables yet.
                .filter(check -> !check.name().equals("statistics"))
                .forEach(listener);
        optional(EXPERIMENTS, EXPERIMENTS, () -> experiments(spec));
        try (Databases databases = new Databases(cluster)) {
            Gateway database = databases.create("check");
            if (!piece("load", () -> load(database, spec))) {
                return;
            }
            optional(CACHE, CACHE, () -> forgetting(database));
            Schema schema = new Schema(cluster.engine(), database, regions);
            for (Stage stage : Stage.of(cluster.engine())) {
                Optional<String> obstacle = schema.obstacle(stage);
                if (obstacle.isPresent()) {
                    listener.accept(new Check("stage " + stage, UNKNOWN, "not tried: " + obstacle.get(), ""));
                    return;
                }
                if (Stage.FOREIGN_KEYS.isBefore(stage)
                        && !piece("stage " + stage, () -> reach(schema, database, stage, spec))) {
                    return;
                }
                if (stage == Stage.UNUSED_INDEX_DROPPED || stage == Stage.latest(cluster.engine())) {
                    optional(SERVICE, SERVICE + " at " + stage, () -> service(database));
                    optional(PROMO_CODES, "promo codes at " + stage, () -> promoCodes(database, stage));
                }
            }
        }
    }

    private void optional(String kind, String name, Piece piece) {
        if (!skipped.contains(kind)) {
            piece(name, piece);
        }
    }

    private boolean piece(String name, Piece piece) {
        progress.accept(name);
        long begun = System.nanoTime();
        String status = DONE;
        String detail;
        try {
            detail = piece.run();
        } catch (NotTried obstacle) {
            status = UNKNOWN;
            detail = UserError.firstLine(obstacle);
        } catch (Exception failed) {
            status = FAILED;
            detail = UserError.firstLine(failed);
            if (failed instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        }
        String took = String.format(Locale.ROOT, "%s (%.1f s)", detail, (System.nanoTime() - begun) / 1e9);
        listener.accept(new Check(name, status, took, status.equals(FAILED) ? "see the server's log" : ""));
        return status.equals(DONE);
    }

    private String gateways() {
        Map<String, String> found = new LinkedHashMap<>();
        Map<Region, Gateway> named = cluster.gateways();
        if (named.isEmpty()) {
            found.put(
                    cluster.gateway().recorded(),
                    Cluster.askRegion(cluster.gateway()).orElse("no region"));
        }
        named.forEach((region, gateway) ->
                found.put(gateway.recorded(), Cluster.askRegion(gateway).orElse("no region")));
        return found.entrySet().stream()
                .map(entry -> entry.getKey() + " in " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    private String load(Gateway database, DatasetSpec spec) throws SQLException {
        BulkLoader.Result result =
                new BulkLoader(cluster.engine(), database, new LoadProgress()).load(spec, 2, IfFilled.REFUSE);
        requireRows(database, spec);
        return String.format(Locale.ROOT, "%,d rows, %.1f s of COPY", result.rows(), result.copySeconds());
    }

    private static void requireRows(Gateway database, DatasetSpec spec) throws SQLException {
        Gateway bounded = StatementTimeout.bounded(database, StatementTimeout.WHOLE_TABLE_LIMIT);
        try (Connection connection = bounded.connect("movr-check")) {
            for (Table table : Table.values()) {
                String rows = Rows.one(connection, "SELECT count(*) FROM " + table.sql());
                require(
                        Long.parseLong(rows) >= spec.count(table),
                        rows + " rows in " + table.sql() + " instead of " + spec.count(table));
            }
        }
        List<Violation> violations = Invariants.violations(bounded);
        require(violations.isEmpty(), "these no longer hold: " + violations);
    }

    /** Whether a cache forgets an answer that a write made elsewhere makes wrong. */
    private String forgetting(Gateway database) throws SQLException, InterruptedException, NotTried {
        ChangeNotices notices = ChangeNotices.begin(cluster, database);
        try (notices;
                Connection elsewhere = StatementTimeout.bounded(database, StatementTimeout.LIMIT)
                        .connect("movr-check");
                CachingDataSource cache = new CachingDataSource(
                        new DriverManagerDataSource(database.url()),
                        CacheSettings.standard().withRequiredChanges());
                ChangeListener listener = new ChangeListener(cache, () -> database.connect("movr-check-cache"))) {
            if (!listener.awaitUp(INVALIDATION_LIMIT)) {
                throw new NotTried(
                        listener.obstacle().isEmpty()
                                ? "no sign of a write within " + INVALIDATION_LIMIT.toSeconds() + " s"
                                : listener.obstacle());
            }
            return forgetting(cache, elsewhere);
        }
    }

    private static String forgetting(CachingDataSource cache, Connection elsewhere)
            throws SQLException, InterruptedException {
        String code = "CHECK " + UUID.randomUUID();
        List<Object> row = List.of(code);
        try (Connection near = cache.getConnection();
                PreparedStatement read = near.prepareStatement("SELECT description FROM promo_codes WHERE code = ?")) {
            Rows.update(elsewhere, "INSERT INTO promo_codes (code, description) VALUES (?, 'before')", row);
            read.setString(1, code);
            long hits = cache.statistics().hits();
            long end = System.nanoTime() + INVALIDATION_LIMIT.toNanos();
            while (cache.statistics().hits() == hits) {
                require(description(read).equals("before"), "the cache gave another answer than the database");
                require(System.nanoTime() - end < 0, "the cache kept no answer");
                Thread.sleep(1);
            }
            Rows.update(elsewhere, "UPDATE promo_codes SET description = 'after' WHERE code = ?", row);
            long written = System.nanoTime();
            while (!description(read).equals("after")) {
                require(
                        System.nanoTime() - written < INVALIDATION_LIMIT.toNanos(),
                        "the cache kept its answer for " + INVALIDATION_LIMIT.toSeconds() + " s after it was wrong");
                Thread.sleep(1);
            }
            long forgotten = System.nanoTime();
            Rows.update(elsewhere, "DELETE FROM promo_codes WHERE code = ?", row);
            return String.format(
                    Locale.ROOT, "an answer forgotten %.0f ms after a write elsewhere", (forgotten - written) / 1e6);
        }
    }

    private static String description(PreparedStatement read) throws SQLException {
        try (ResultSet answer = read.executeQuery()) {
            require(answer.next(), "a row that was written cannot be read");
            return answer.getString(1);
        }
    }

    private String reach(Schema schema, Gateway database, Stage stage, DatasetSpec spec) throws SQLException {
        String repeated = "";
        boolean inParts = !cluster.engine().hasTransactionalDdl();
        InterruptedMigration interrupted = new InterruptedMigration(cluster.engine(), database, regions);
        if (inParts) {
            interrupted.inTheMiddle(stage);
        }
        schema.migrateTo(stage, now -> progress.accept("stage " + stage + ": " + now.what()));
        requireRows(database, spec);
        if (inParts) {
            String before = tables(database);
            interrupted.atTheEnd(stage);
            require(tables(database).equals(before), "its statements, run again, changed the schema");
            repeated = stage.isRegional() ? ", also when it was begun before and when it is repeated" : "";
        }
        boolean places = cluster.engine().isMultiRegion() && stage.movesRows();
        return "reached, rows and rules kept" + repeated + (places ? ", " + placed(database) : "");
    }

    private String placed(Gateway database) {
        Placement.require(database, regions, placementLimit, progress);
        return "every leaseholder in its home region";
    }

    private static String tables(Gateway database) throws SQLException {
        StringBuilder all = new StringBuilder();
        try (Connection connection =
                StatementTimeout.bounded(database, StatementTimeout.LIMIT).connect("movr-check")) {
            for (Table table : Table.values()) {
                all.append(Rows.query(connection, "SHOW CREATE TABLE " + table.sql(), List.of()));
            }
            all.append(Rows.query(connection, "SHOW CREATE TABLE idempotency_keys", List.of()));
        }
        return all.toString();
    }

    private String experiments(DatasetSpec spec) throws IOException {
        Path folder = TemporaryFiles.folder("check-");
        try {
            LabRequest request = new LabRequest(
                    Lab.ofOneRegion(), "tiny", spec, 2, null, folder, true, false, null, program, List.of("doctor"));
            Map<String, String> wrong =
                    new Lab(planningAsOurs(), request, null, new Quiet()).tryOut(new LoadProgress());
            List<String> failed = wrong.entrySet().stream()
                    .map(one -> one.getKey() + ": " + one.getValue().replaceAll("\\s+", " "))
                    .toList();
            require(failed.isEmpty(), String.join("; ", failed));
            return request.experiments().size() + " experiments: plans and answers as they must be";
        } finally {
            Folders.delete(folder);
        }
    }

    /**
     * Of tables as small as these PostgreSQL reads all rows rather than an index, unless it is told, as the embedded server
     * is, that reading at random costs little.
     */
    private Cluster planningAsOurs() {
        return cluster.embedded()
                ? cluster
                : Cluster.at(
                        cluster.engine().preferringIndexes(cluster.gateway()).url());
    }

    private final class Quiet implements LabListener {

        @Override
        public void preparing(String what) {
            progress.accept("experiments: " + what);
        }

        @Override
        public void measuring(int number, int of, String id) {
            progress.accept("experiments: " + number + "/" + of + " " + id);
        }
    }

    /** One of each write and read, in a city of each region. */
    private String service(Gateway database) throws IOException, InterruptedException {
        List<String> settings = new ArrayList<>(List.of(
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--movr.database.url=" + database.url(),
                "--logging.config=classpath:io/movr/logging.xml"));
        regions.cities().forEach((region, cities) -> {
            for (int city = 0; city < cities.size(); city++) {
                settings.add("--movr.region.cities." + region + "[" + city + "]=" + cities.get(city));
            }
        });
        SpringApplication application = MovrApplication.application();
        application.setLogStartupInfo(false);
        try (ConfigurableApplicationContext service = application.run(settings.toArray(String[]::new))) {
            Client client =
                    new Client("http://127.0.0.1:" + service.getEnvironment().getRequiredProperty("local.server.port"));
            String code = "CHECK-" + UUID.randomUUID();
            client.post(
                    "promo_codes",
                    "{\"code\": \"" + code + "\", \"description\": \"for the check\","
                            + " \"rules\": {\"type\": \"percent_discount\", \"value\": 10}}");
            for (Region region : regions.cities().keySet()) {
                String city = regions.citiesOf(region).get(0);
                String user = client.post(
                                "users",
                                json(
                                        "city",
                                        city,
                                        "name",
                                        "Ada Brown",
                                        "address",
                                        "12 High Street",
                                        "credit_card",
                                        "4111111111111111"))
                        .orElseThrow();
                String vehicle = client.post(
                                "vehicles",
                                json(
                                        "city",
                                        city,
                                        "owner_id",
                                        user,
                                        "type",
                                        "bike",
                                        "current_location",
                                        "1 Main Street"))
                        .orElseThrow();
                String ride = client.post("rides", json("city", city, "rider_id", user, "vehicle_id", vehicle))
                        .orElseThrow();
                client.post(
                        "rides/" + encoded(city) + "/" + ride + "/vehicle_location_histories",
                        "{\"lat\": 40.7, \"long\": -74.0}");
                client.post("user_promo_codes", json("city", city, "user_id", user, "code", code));
                client.post(
                        "rides/" + encoded(city) + "/" + ride + "/end",
                        json("rider_id", user, "end_address", "2 Main Street"));
                client.get("vehicles?city=" + encoded(city) + "&status=available");
                client.get("users/" + encoded(city) + "/" + user);
                client.get("rides/" + encoded(city) + "/" + ride);
            }
            return client.answered + " requests answered as they must be";
        }
    }

    /** Every way to read them that the engine has: by the leaseholder, from followers, with bounded staleness. */
    private String promoCodes(Gateway database, Stage stage) throws InterruptedException {
        Map<Region, Gateway> gateways =
                OtherDatabase.of(cluster, database.database()).gateways();
        if (gateways.isEmpty()) {
            gateways = Map.of(regions.primary(), database);
        }
        List<String> found = new ArrayList<>();
        for (PromoReads mode :
                new PromoCodeReads(cluster.engine(), gateways, PROMO_CODES_RUN, progress).measure(stage)) {
            long stale = mode.regions().stream().mapToLong(RegionReads::stale).sum();
            require(!mode.isWrong(), stale + " reads were stale in mode " + mode.mode() + ", where none may be");
            found.add(String.format(
                    Locale.ROOT,
                    "%s %,d of %,d stale",
                    mode.mode(),
                    stale,
                    mode.regions().stream().mapToLong(RegionReads::reads).sum()));
        }
        return "read by " + String.join(", ", found);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String json(String... fields) {
        StringBuilder text = new StringBuilder("{");
        for (int index = 0; index < fields.length; index += 2) {
            text.append(index == 0 ? "" : ", ")
                    .append('"')
                    .append(fields[index])
                    .append("\": \"")
                    .append(fields[index + 1])
                    .append('"');
        }
        return text.append('}').toString();
    }

    /** Sends requests that must succeed. */
    private static final class Client {

        private static final Duration LIMIT = Duration.ofSeconds(30);

        private final String root;
        private final HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private int answered;

        Client(String root) {
            this.root = root + "/api/";
        }

        /** Answers the new row's id, where it has one. */
        Optional<String> post(String path, String body) throws IOException, InterruptedException {
            String answer = send(HttpRequest.newBuilder(URI.create(root + path))
                    .header("Content-Type", "application/json")
                    .header("Idempotency-Key", UUID.randomUUID().toString())
                    .POST(HttpRequest.BodyPublishers.ofString(body)));
            Matcher id = ID.matcher(answer);
            return id.find() ? Optional.of(id.group(1)) : Optional.empty();
        }

        void get(String path) throws IOException, InterruptedException {
            send(HttpRequest.newBuilder(URI.create(root + path)));
        }

        private String send(HttpRequest.Builder builder) throws IOException, InterruptedException {
            HttpRequest request = builder.timeout(LIMIT).build();
            HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            require(
                    answer.statusCode() / 100 == 2,
                    request.method() + " " + request.uri().getPath() + " was answered " + answer.statusCode() + " "
                            + answer.body());
            answered++;
            return answer.body();
        }
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }
}
