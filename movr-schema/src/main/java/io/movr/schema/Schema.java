package io.movr.schema;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedRegions;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.database.RetryPolicy;
import io.movr.database.SqlState;
import io.movr.database.StatementWatchdog;
import io.movr.region.RegionMap;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.callback.BaseCallback;
import org.flywaydb.core.api.callback.Context;
import org.flywaydb.core.api.callback.Event;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.flywaydb.core.api.migration.JavaMigration;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** The schema of one database: its current stage, and its migration to another. */
public final class Schema {

    /**
     * The state of a stage in one database.
     *
     * @param appliedAt when it was applied, {@code null} if it was not
     * @param tookMs how long that took, in milliseconds
     */
    public record Status(Stage stage, @Nullable Instant appliedAt, long tookMs) {}

    private static final String SCRIPTS = "io/movr/migration/";
    private static final RetryPolicy RETRIES = new RetryPolicy(10, Duration.ofMillis(200), Duration.ofMillis(6_400));
    /** Flyway's version of tables before any of its scripts. */
    static final String ADOPTED = "0";

    private final Engine engine;
    private final Gateway gateway;
    /** The gateway for short statements. */
    private final Gateway bounded;

    private final RegionMap regions;
    private final EngineStages stages;
    private final @Nullable MultiServerMigration servers;
    private final StatementWatchdog.Limits limits;
    private final List<AppliedStatement> statements = new CopyOnWriteArrayList<>();

    /** With MovR's nine cities in three regions. */
    public Schema(Engine engine, Gateway gateway) {
        this(engine, gateway, RegionMap.standard());
    }

    /**
     * A schema.
     *
     * @param regions where the rows of each city are placed, from stage 7 on
     */
    public Schema(Engine engine, Gateway gateway, RegionMap regions) {
        this(engine, gateway, regions, null, StatementWatchdog.Limits.STANDARD);
    }

    /** With limits of its own for a server that does not answer. */
    Schema(Engine engine, Gateway gateway, StatementWatchdog.Limits limits) {
        this(engine, gateway, RegionMap.standard(), null, limits);
    }

    private Schema(
            Engine engine,
            Gateway gateway,
            RegionMap regions,
            @Nullable MultiServerMigration servers,
            StatementWatchdog.Limits limits) {
        this.engine = engine;
        this.gateway = gateway;
        this.bounded = gateway.with(
                PGProperty.SOCKET_TIMEOUT, Long.toString(limits.silence().toSeconds()));
        this.regions = regions;
        this.stages = EngineStages.of(engine, regions);
        this.servers = servers;
        this.limits = limits;
    }

    /**
     * Returns the schema of the database that a cluster's gateway leads to. If each region has a server of its own, the schema
     * extends over all of them: objects of an interrupted migration are removed, and each gateway leads to its own server if
     * that has its rows.
     */
    public static Schema of(Cluster cluster, RegionMap regions) {
        return of(cluster, cluster.gateway(), regions);
    }

    /**
     * Returns the same of another database of a cluster.
     *
     * @param database ignored where each region has a server of its own, which has one database only
     */
    public static Schema of(Cluster cluster, Gateway database, RegionMap regions) {
        if (!(cluster instanceof EmbeddedRegions embedded)) {
            return new Schema(cluster.engine(), database, regions);
        }
        MultiServerMigration servers = new MultiServerMigration(embedded, regions);
        Schema schema =
                new Schema(cluster.engine(), cluster.gateway(), regions, servers, StatementWatchdog.Limits.STANDARD);
        schema.requireSameMap();
        servers.tidy(schema.current().orElse(null));
        return schema;
    }

    /**
     * Returns the script that migrates a schema of an engine from one stage to another. A statement that is needed only under a
     * condition, after a run that failed half-way, has the condition above it.
     *
     * @param after the stage that is there already, {@code null} for an empty database
     */
    public static String script(Engine engine, RegionMap regions, @Nullable Stage after, Stage to) {
        StringBuilder text = new StringBuilder();
        for (Stage stage : Stage.of(engine)) {
            if ((after == null || after.isBefore(stage)) && !to.isBefore(stage)) {
                text.append(
                                stage.isRegional()
                                        ? EngineStages.of(engine, regions).script(stage)
                                        : file(engine, stage))
                        .append('\n');
            }
        }
        return text.toString();
    }

    /** Sets where an engine's scripts are, and how Flyway applies them. Stages that place rows in regions are not scripts. */
    public static void configure(FluentConfiguration flyway, Engine engine) {
        flyway.locations("classpath:" + SCRIPTS + engine.folder())
                .failOnMissingLocations(true)
                // Only so is a stage noted in the transaction that makes it.
                .configuration(Map.of("flyway.postgresql.transactional.lock", "false"));
    }

    static String scriptName(Stage stage) {
        return "V" + stage.version() + "__" + stage.id().replace('-', '_') + ".sql";
    }

    static String file(Engine engine, Stage stage) {
        String name = "/" + SCRIPTS + engine.folder() + "/" + scriptName(stage);
        try (InputStream script = Schema.class.getResourceAsStream(name)) {
            if (script == null) {
                throw new IllegalStateException(name + " is missing");
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new IllegalStateException(name + " cannot be read", unreadable);
        }
    }

    /**
     * Returns the stage that the database is at, empty if it has no MovR tables yet.
     *
     * @throws UserError when a stage failed half-way or a newer movr made it
     */
    public Optional<Stage> current() {
        MigrationVersion version = known().stream()
                .filter(Schema::isDone)
                .map(MigrationInfo::getVersion)
                .filter(Objects::nonNull)
                .filter(known -> !known.equals(MigrationVersion.fromVersion(ADOPTED)))
                .max(Comparator.naturalOrder())
                .orElse(null);
        if (version == null) {
            return Optional.empty();
        }
        return Optional.of(Stage.ofVersion(version)
                .orElseThrow(() -> new UserError("The database is at version " + version
                        + ", which this movr does not know: use the newer movr that made it")));
    }

    /**
     * Returns the stage of a database, for any role that may read it; also through a gateway behind which Flyway's table is on
     * another server. Empty if there are no tables of MovR, or the stage is unknown to this version.
     *
     * @throws UserError if the table is another application's
     */
    public static Optional<Stage> readStage(Connection connection) throws SQLException {
        return MigrationHistory.stage(connection);
    }

    /** Returns the stages that the engine has. */
    public List<Status> stages() {
        List<MigrationInfo> known = known();
        List<Status> stages = new ArrayList<>();
        for (Stage stage : Stage.of(engine)) {
            MigrationInfo applied = known.stream()
                    .filter(info -> stage.flywayVersion().equals(info.getVersion()))
                    .filter(Schema::isDone)
                    .findFirst()
                    .orElse(null);
            stages.add(
                    applied == null
                            ? new Status(stage, null, 0)
                            : new Status(stage, applied.getInstalledOn().toInstant(), applied.getExecutionTime()));
        }
        return stages;
    }

    private List<MigrationInfo> known() {
        return Arrays.asList(call(progress -> {}, watch -> {
            try (Connection connection = watch.connect(MigrationWatch.MIGRATING)) {
                MigrationHistory.requireOwn(connection);
            } catch (SQLException failed) {
                throw new FlywayException("The migrations that were applied cannot be read", failed);
            }
            return flyway(Stage.latest(engine), watch).info().all();
        }));
    }

    /** Returns whether a stage was applied. Flyway also lists a stage that failed half-way, which is possible on CockroachDB. */
    private static boolean isDone(MigrationInfo info) {
        return info.getInstalledOn() != null && !info.getState().isFailed();
    }

    /** Returns why a stage cannot be applied to this cluster, and what to do; empty if it can. */
    public Optional<String> obstacle(Stage target) {
        return servers == null ? stages.obstacle(bounded, target) : Optional.empty();
    }

    /**
     * Migrates the database to a stage; does nothing if it is already there.
     *
     * @return the stages that were applied, in order
     * @throws UserError when the database is past the stage, or a stage cannot be applied
     */
    public List<Stage> migrateTo(Stage target) {
        return migrateTo(target, progress -> {});
    }

    /**
     * Migrates the database to a stage, which may take minutes.
     *
     * @param progress receives, about once a second, what the server is doing
     * @throws UserError as {@link #migrateTo(Stage)}
     */
    public List<Stage> migrateTo(Stage target, Consumer<MigrationProgress> progress) {
        if (!Stage.of(engine).contains(target)) {
            throw new UserError("There is no stage " + target + " on " + engine.title() + ", where " + target.purpose()
                    + " has no counterpart: the last one is " + Stage.latest(engine));
        }
        Optional<Stage> current = current();
        if (current.isPresent() && target.isBefore(current.get())) {
            throw new UserError("The database is at stage " + current.get() + ", past " + target
                    + ", and stages go forward only: start afresh with another --data-dir or an empty database, and"
                    + " migrate that to " + target);
        }
        obstacle(target).ifPresent(why -> {
            throw new UserError("Stage " + target + " cannot be reached: " + why);
        });
        if (servers == null) {
            stages.prepare(bounded, current, target);
            return apply(target, progress);
        }
        List<Stage> applied = new ArrayList<>();
        try {
            for (Stage stage : Stage.of(engine)) {
                boolean ahead = current.isEmpty() || current.get().isBefore(stage);
                if (ahead && !target.isBefore(stage)) {
                    servers.prepare(stage, progress);
                    applied.addAll(apply(stage, progress));
                    servers.finish(stage);
                }
            }
        } catch (RuntimeException failed) {
            try {
                servers.tidy(current().orElse(null));
            } catch (RuntimeException untidy) {
                failed.addSuppressed(untidy);
            }
            throw failed;
        }
        return applied;
    }

    /**
     * Migrates tables that movr did not create to stage {@link Stage#FOREIGN_KEYS}. The scripts up to that stage keep existing
     * objects.
     */
    void adopt() {
        call(
                progress -> {},
                watch -> repeated(
                        progress -> {},
                        () -> configuration(Stage.FOREIGN_KEYS, watch)
                                .baselineOnMigrate(true)
                                .baselineVersion(ADOPTED)
                                .load()
                                .migrate()));
    }

    /** Checks the region map: rows that were placed by one map are not found by another. */
    private void requireSameMap() {
        call(progress -> {}, watch -> {
            flyway(Stage.latest(engine), watch).validate();
            return true;
        });
    }

    /**
     * Returns how long the tables were locked by each stage that was applied here; none if the engine does not lock them.
     */
    public Map<Stage, Duration> pauses() {
        return servers == null ? Map.of() : servers.pauses();
    }

    /**
     * Returns the statements of regional stages that were run here, in order; none if the engine applies a stage as one
     * transaction.
     */
    public List<AppliedStatement> statements() {
        return List.copyOf(statements);
    }

    private List<Stage> apply(Stage target, Consumer<MigrationProgress> progress) {
        return call(
                progress,
                watch -> repeated(
                        progress,
                        () -> flyway(target, watch).migrate().migrations.stream()
                                .map(applied -> MigrationVersion.fromVersion(applied.version))
                                .flatMap(version -> Stage.ofVersion(version).stream())
                                .toList()));
    }

    /**
     * Retries a migration. Flyway's own statements may conflict with other transactions; every statement of a stage can be
     * repeated.
     */
    private <T> T repeated(Consumer<MigrationProgress> progress, Supplier<T> migration) {
        return RETRIES.run(
                "The migration was interrupted",
                FlywayException.class,
                attempt -> {
                    stages.clear(bounded, progress);
                    return migration.get();
                },
                (failed, attempt) -> SqlState.SERIALIZATION_FAILURE.equals(SqlState.of(failed)));
    }

    private Flyway flyway(Stage target, StatementWatchdog watch) {
        return configuration(target, watch).load();
    }

    private FluentConfiguration configuration(Stage target, StatementWatchdog watch) {
        JavaMigration[] regional = Stage.of(engine).stream()
                .filter(Stage::isRegional)
                .map(stage -> new RegionalMigration(engine, stage, regions, servers, statements::add))
                .toArray(JavaMigration[]::new);
        FluentConfiguration flyway = Flyway.configure();
        configure(flyway, engine);
        return flyway.dataSource(watch.dataSource(MigrationWatch.MIGRATING))
                .callbacks(new BeforeScript())
                .javaMigrations(regional)
                .target(target.flywayVersion())
                .ignoreMigrationPatterns("*:pending", "*:future");
    }

    /** Lets the engine's stages prepare a script. */
    private final class BeforeScript extends BaseCallback {

        @Override
        public boolean supports(Event event, Context context) {
            return event == Event.BEFORE_EACH_MIGRATE;
        }

        @Override
        public void handle(Event event, Context context) {
            MigrationVersion version = context.getMigrationInfo().getVersion();
            Stage.ofVersion(version).ifPresent(stage -> {
                try {
                    stages.beforeScript(stage, context.getConnection());
                } catch (SQLException failed) {
                    throw new FlywayException("Stage " + stage + " cannot be prepared", failed);
                }
            });
        }
    }

    private <T> T call(Consumer<MigrationProgress> progress, Function<StatementWatchdog, T> call) {
        try (StatementWatchdog watch = new StatementWatchdog(gateway, limits, new MigrationWatch(stages, progress))) {
            try {
                return call.apply(watch);
            } catch (FlywayException failed) {
                String why = watch.isSilent() ? watch.reason(failed) : reason(failed);
                throw new UserError("Cannot read or migrate the schema of " + gateway.shown() + ": " + why, failed);
            }
        }
    }

    private static String reason(FlywayException failed) {
        String message = String.valueOf(failed.getMessage());
        if (message.contains("non-empty schema")) {
            return "it holds tables that movr did not make; name an empty one, or see 'movr migrate --adopt'";
        }
        if (message.contains("checksum mismatch")) {
            return "it was made by another version of movr, or for other regions, cities or --nodes than these";
        }
        SQLException refusal = null;
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            refusal = cause instanceof SQLException sql ? sql : refusal;
        }
        if (refusal == null) {
            return UserError.firstLine(failed);
        }
        String why = UserError.firstLine(refusal);
        if (SqlState.UNTRANSLATABLE_CHARACTER.equals(refusal.getSQLState())) {
            return why
                    + ". The database has another encoding than UTF8: create one with ENCODING 'UTF8' TEMPLATE template0";
        }
        ServerErrorMessage server = refusal instanceof PSQLException answered ? answered.getServerErrorMessage() : null;
        return server == null || server.getWhere() == null
                ? why
                : why + " (in " + server.getWhere().lines().findFirst().orElse("") + ")";
    }
}
