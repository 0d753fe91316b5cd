package io.movr.doctor;

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
import java.util.stream.Collectors;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * Checks every feature of movr on a cluster, in temporary databases: gateways, loading, every stage and its repetition, the plans
 * and answers of the experiments, the cache, the service, each way to read promo codes, and the placement of rows. After a
 * failed check the others continue, except the ones that depend on it.
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

    private final Cluster cluster;
    private final RegionMap regions;
    private final Duration placementLimit;
    private final Set<String> skipped;
    private final Program program;
    private final Consumer<Check> listener;
    private final Consumer<String> progress;

    /**
     * Creates a check.
     *
     * @param placementLimit the maximum wait for leaseholders to reach their regions
     * @param skipped the parts to skip, of {@link #skippable}
     * @param listener receives the result of each part
     * @param progress receives the current step
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

    /** Returns the parts that no other part depends on. */
    public static List<String> skippable() {
        return List.of(EXPERIMENTS, CACHE, SERVICE, PROMO_CODES);
    }

    /** A part of the check. */
    private interface Part {

        /** Runs the part, and returns its result in one line. */
        String run() throws Exception;
    }

    /** The failure of a part that this cluster does not allow. */
    private static final class NotTried extends Exception {

        private static final long serialVersionUID = 1L;

        NotTried(String obstacle) {
            super("not tried: " + obstacle);
        }
    }

    /** Runs every part. A part that fails has the status {@code problem}. */
    public void run() {
        DatasetSpec spec = Scale.TINY.spec(1);
        // The check is about correct results, not about latency.
        cluster.distant(false);
        part("gateways", this::gateways);
        Preflight.of(cluster.gateway()).stream()
                // There are no tables yet.
                .filter(check -> !check.name().equals("statistics"))
                .forEach(listener);
        optional(EXPERIMENTS, EXPERIMENTS, () -> experiments(spec));
        try (Databases databases = new Databases(cluster)) {
            Gateway database = databases.create("check");
            if (!part("load", () -> load(database, spec))) {
                return;
            }
            optional(CACHE, CACHE, () -> invalidation(database));
            Schema schema = new Schema(cluster.engine(), database, regions);
            for (Stage stage : Stage.of(cluster.engine())) {
                Optional<String> obstacle = schema.obstacle(stage);
                if (obstacle.isPresent()) {
                    listener.accept(new Check("stage " + stage, UNKNOWN, "not tried: " + obstacle.get(), ""));
                    return;
                }
                if (Stage.FOREIGN_KEYS.isBefore(stage)
                        && !part("stage " + stage, () -> reach(schema, database, stage, spec))) {
                    return;
                }
                if (stage == Stage.UNUSED_INDEX_DROPPED || stage == Stage.latest(cluster.engine())) {
                    optional(SERVICE, SERVICE + " at " + stage, () -> new ServiceCheck(regions, database).run());
                    optional(PROMO_CODES, "promo codes at " + stage, () -> promoCodes(database, stage));
                }
            }
        }
    }

    private void optional(String kind, String name, Part part) {
        if (!skipped.contains(kind)) {
            part(name, part);
        }
    }

    private boolean part(String name, Part part) {
        progress.accept(name);
        long begun = System.nanoTime();
        String status = DONE;
        String detail;
        try {
            detail = part.run();
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
        require(violations.isEmpty(), "violated rules: " + violations);
    }

    /** Checks that a cache invalidates an answer after a write by another client. */
    private String invalidation(Gateway database) throws SQLException, InterruptedException, NotTried {
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
                                ? "no notification of a write within " + INVALIDATION_LIMIT.toSeconds() + " s"
                                : listener.obstacle());
            }
            return invalidation(cache, elsewhere);
        }
    }

    private static String invalidation(CachingDataSource cache, Connection elsewhere)
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
                require(description(read).equals("before"), "the cache returned another answer than the database");
                require(System.nanoTime() - end < 0, "the cache stored no answer");
                Thread.sleep(1);
            }
            Rows.update(elsewhere, "UPDATE promo_codes SET description = 'after' WHERE code = ?", row);
            long written = System.nanoTime();
            while (!description(read).equals("after")) {
                require(
                        System.nanoTime() - written < INVALIDATION_LIMIT.toNanos(),
                        "the cache returned a stale answer for " + INVALIDATION_LIMIT.toSeconds() + " s after a write");
                Thread.sleep(1);
            }
            long invalidated = System.nanoTime();
            Rows.update(elsewhere, "DELETE FROM promo_codes WHERE code = ?", row);
            return String.format(
                    Locale.ROOT,
                    "an answer was invalidated %.0f ms after a write by another client",
                    (invalidated - written) / 1e6);
        }
    }

    private static String description(PreparedStatement read) throws SQLException {
        try (ResultSet answer = read.executeQuery()) {
            require(answer.next(), "a written row cannot be read");
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
            repeated = stage.isRegional() ? ", also after an interruption and when repeated" : "";
        }
        boolean places = cluster.engine().isMultiRegion() && stage.movesRows();
        return "applied; rows and rules are unchanged" + repeated + (places ? ", " + placed(database) : "");
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
                    new Lab(withIndexPlans(), request, null, new Progress()).tryOut(new LoadProgress());
            List<String> failed = wrong.entrySet().stream()
                    .map(one -> one.getKey() + ": " + one.getValue().replaceAll("\\s+", " "))
                    .toList();
            require(failed.isEmpty(), String.join("; ", failed));
            return request.experiments().size() + " experiments: plans and answers are as expected";
        } finally {
            Folders.delete(folder);
        }
    }

    /**
     * Returns a cluster whose planner prefers indexes. PostgreSQL scans tables as small as these, unless random reads are configured
     * as cheap, as on the embedded server.
     */
    private Cluster withIndexPlans() {
        return cluster.embedded()
                ? cluster
                : Cluster.at(
                        cluster.engine().preferringIndexes(cluster.gateway()).url());
    }

    private final class Progress implements LabListener {

        @Override
        public void preparing(String what) {
            progress.accept("experiments: " + what);
        }

        @Override
        public void measuring(int number, int of, String id) {
            progress.accept("experiments: " + number + "/" + of + " " + id);
        }
    }

    /** Checks each way to read promo codes that the engine has: from the leaseholder, from followers, with bounded staleness. */
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
            require(!mode.isWrong(), stale + " reads were stale in mode " + mode.mode() + ", which allows none");
            found.add(String.format(
                    Locale.ROOT,
                    "%s %,d of %,d stale",
                    mode.mode(),
                    stale,
                    mode.regions().stream().mapToLong(RegionReads::reads).sum()));
        }
        return "read by " + String.join(", ", found);
    }

    static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(otherwise);
        }
    }
}
