package io.movr.staleness;

import io.movr.UserError;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.region.Region;
import io.movr.report.TrafficResults.PromoReads;
import io.movr.report.TrafficResults.RegionReads;
import io.movr.schema.Stage;
import io.movr.staleness.VersionedReads.Outcome;
import io.movr.staleness.VersionedReads.Readers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Measures the latency and the staleness of promo code reads in each region while the primary region updates them: as the schema
 * places them, and in the other read modes of an engine.
 */
public final class PromoCodeReads {

    /** The duration of each read mode. */
    public static final Duration RUN = Duration.ofSeconds(5);

    private static final String NAME = "movr-staleness";
    private static final String PREFIX = "movr-staleness-";
    private static final String PROMO_CODES = "promo_codes";
    /** A table like promo_codes, but for its place. */
    private static final String BY_ROW = "movr_staleness_by_row";

    /**
     * A mode of reading promo codes.
     *
     * @param asOf what follows the table in SQL
     * @param exact whether nothing stale may be read
     */
    public record Mode(String name, String meaning, String table, String asOf, boolean exact) {

        private static Mode of(String name, String meaning, String asOf, boolean exact) {
            return new Mode(name, meaning, PROMO_CODES, asOf, exact);
        }
    }

    private final Engine engine;
    private final Map<Region, Gateway> gateways;
    private final Duration run;
    private final Consumer<String> progress;

    /**
     * Measures the promo codes of a database.
     *
     * @param gateways to the database by region, the primary one first
     * @param run how long in each mode, a second or more
     * @param progress receives the mode that is measured
     */
    public PromoCodeReads(Engine engine, Map<Region, Gateway> gateways, Duration run, Consumer<String> progress) {
        this.engine = engine;
        this.gateways = gateways;
        this.run = run;
        this.progress = progress;
    }

    /** Returns the read modes of an engine at a stage. */
    public static List<Mode> modes(Engine engine, Stage stage) {
        boolean published = !stage.isBefore(Stage.GLOBAL_PROMO_CODES);
        if (!engine.isMultiRegion()) {
            return List.of(
                    published
                            ? Mode.of("subscribed", "a copy in each region, which follows the primary", "", false)
                            : Mode.of("primary", "every read goes to the primary region", "", true));
        }
        List<Mode> modes = new ArrayList<>();
        modes.add(
                published
                        ? Mode.of("global", "a GLOBAL table, read at the nearest replica", "", true)
                        : Mode.of("leaseholder", "every read goes to the leaseholder", "", true));
        modes.add(Mode.of(
                "follower-read",
                "the nearest replica answers, as of some seconds ago",
                " AS OF SYSTEM TIME follower_read_timestamp()",
                false));
        modes.add(Mode.of(
                "bounded-staleness",
                "the nearest replica answers, with the newest that it is sure of, 10 s old at most",
                " AS OF SYSTEM TIME with_max_staleness('10s')",
                false));
        if (!stage.isBefore(Stage.DATABASE_REGIONS)) {
            modes.add(new Mode(
                    "regional-by-row",
                    "a REGIONAL BY ROW table whose home region is the primary one",
                    BY_ROW,
                    "",
                    true));
        }
        return modes;
    }

    /**
     * Measures at the current stage of the schema. The promo codes that it inserts are removed afterwards.
     *
     * @throws UserError when something cannot be measured
     */
    public List<PromoReads> measure(Stage stage) throws InterruptedException {
        List<PromoReads> all = new ArrayList<>();
        execute(insert(PROMO_CODES));
        try {
            for (Mode mode : modes(engine, stage)) {
                all.add(mode.table().equals(BY_ROW) ? byRow(stage, mode) : measure(stage, mode));
            }
        } finally {
            execute("DELETE FROM promo_codes WHERE code LIKE '" + PREFIX + "%'");
        }
        return all;
    }

    private PromoReads byRow(Stage stage, Mode mode) throws InterruptedException {
        execute("CREATE TABLE IF NOT EXISTS " + BY_ROW
                + " (code VARCHAR PRIMARY KEY, description VARCHAR) LOCALITY REGIONAL BY ROW");
        try {
            execute(insert(BY_ROW));
            return measure(stage, mode);
        } finally {
            execute("DROP TABLE " + BY_ROW);
        }
    }

    private static String insert(String table) {
        return "INSERT INTO " + table + " (code, description) SELECT '" + PREFIX
                + "' || n::VARCHAR, '0' FROM generate_series(0, " + (VersionedReads.ROWS - 1)
                + ") AS s (n) ON CONFLICT (code) DO NOTHING";
    }

    private PromoReads measure(Stage stage, Mode mode) throws InterruptedException {
        progress.accept("Promo codes read in every region at " + stage + ": " + mode.name());
        String read = "SELECT CAST(description AS BIGINT) FROM " + mode.table() + mode.asOf() + " WHERE code = ?";
        String update =
                "UPDATE " + mode.table() + " SET description = CAST(CAST(? AS BIGINT) AS VARCHAR) WHERE code = ?";
        Map<String, Readers> readers = new LinkedHashMap<>();
        gateways.forEach((region, gateway) ->
                readers.put(region.name(), new Readers(() -> reader(gateway).connect(NAME), read, 1)));
        Outcome outcome = new VersionedReads(() -> primary().connect(NAME), update, number -> PREFIX + number)
                .measure(readers, run);
        List<RegionReads> regions = new ArrayList<>();
        outcome.seen()
                .forEach((region, seen) -> regions.add(new RegionReads(
                        region,
                        seen.reads(),
                        seen.medianMs(),
                        seen.p99Ms(),
                        seen.stale(),
                        seen.staleShare(),
                        seen.ageP50Ms(),
                        seen.ageMaxMs())));
        return new PromoReads(
                stage.id(),
                mode.name(),
                mode.meaning(),
                mode.exact(),
                outcome.writes(),
                outcome.writeMedianMs(),
                regions);
    }

    /**
     * CockroachDB reads one row by a lookup join once it plans without the row's key, and refuses to do that with bounded
     * staleness.
     */
    private Gateway reader(Gateway gateway) {
        return engine.isMultiRegion() ? gateway.withOptions("-c plan_cache_mode=force_custom_plan") : gateway;
    }

    private Gateway primary() {
        return gateways.values().iterator().next();
    }

    private void execute(String sql) {
        try (Connection connection = primary().connect(NAME);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new UserError("Promo codes cannot be measured: " + UserError.firstLine(failed), failed);
        }
    }
}
