package io.movr.cli;

import io.movr.UserError;
import io.movr.cache.ChangeTriggers;
import io.movr.console.RegionsRun;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.database.Engine;
import io.movr.database.StatementWatchdog;
import io.movr.environment.StatementTimeout;
import io.movr.region.RegionMap;
import io.movr.report.RunDisplay;
import io.movr.report.render.TextTable;
import io.movr.schema.Adoption;
import io.movr.schema.MigrationProgress;
import io.movr.schema.Placement;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import io.movr.traffic.Control;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr migrate}. */
@Command(
        name = "migrate",
        description = "Migrate the schema to a tuning stage, or list the stages.",
        footer = {
            "",
            "Stages go forward only. From stage 7 on, rows are placed in regions: on CockroachDB that takes minutes, and the"
                    + " command waits until the leaseholders have arrived. While 'movr regions start' runs and no database"
                    + " is named, its database is migrated.",
            "",
            "Examples:",
            "  movr migrate --stage covering-index",
            "  movr migrate --engine cockroach --print",
            "  movr migrate --adopt --url postgresql://root@localhost:26257/movr"
        })
final class MigrateCommand implements Callable<Integer> {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());
    private static final int WIDEST = 90;
    /** What the server lists a migration under. */
    private static final String MIGRATING = "movr-migrate";

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--stage",
            paramLabel = "STAGE",
            description = "The stage to migrate to, by name or version, or 'latest'.")
    private @Nullable String stage;

    @Option(names = "--list", description = "List the stages, what each changes, and when it was reached.")
    private boolean list;

    @Option(
            names = "--print",
            description = "Print the statements of all stages, or of those up to --stage, and change nothing.")
    private boolean print;

    @Option(
            names = "--adopt",
            description =
                    "First adopt a database that 'cockroach workload init movr' or somebody else created: report the "
                            + "differences, and bring its schema to stage foreign-keys. No row is touched.")
    private boolean adopt;

    /** Whether the service's cache is told of writes. */
    enum Triggers {
        ON,
        OFF
    }

    @Option(
            names = "--cache-triggers",
            paramLabel = "on|off",
            description =
                    "Put on every table, or take away, the triggers by which a service's cache hears of writes made"
                            + " elsewhere (movr.cache.invalidation=notify). PostgreSQL only.")
    private @Nullable Triggers triggers;

    @Mixin
    private WaitOption wait = new WaitOption();

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private StoredDatabaseOptions database = new StoredDatabaseOptions();

    @ArgGroup(validate = false, heading = Headings.REGIONS)
    private RegionOptions regions = new RegionOptions();

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        if (!list && !print && !adopt && stage == null && triggers == null) {
            throw new UserError("Name a stage: --stage NAME, --stage latest, or --list to print the stages");
        }
        wait.requireRange();
        DatabaseSource source = database.source();
        RegionMap map = regions.map();
        source.requireNodes(map);
        if (adopt && (print || !source.isNamed())) {
            throw new UserError("--adopt takes on a database that runs: name it with --url, and leave out --print");
        }
        if (print) {
            if (source.isNamed()) {
                throw new UserError("--print touches no database: leave out --url and --data-dir");
            }
            Engine of = source.engine();
            output.print(Schema.script(of, map, null, Stage.named(stage == null ? "latest" : stage, of)));
            output.flush();
            return 0;
        }
        Terminal terminal = new Terminal(command.commandLine().getErr());
        if (stage != null) {
            // What cannot be is refused before a server is started for it.
            Stage.named(stage, source.engine());
        }
        if (stage != null && source.isUnspecified() && Control.isRunning(RegionsRun.folder())) {
            if (list) {
                throw new UserError(
                        "Regions run, which are migrated and not listed: leave out --list, or name a database");
            }
            return migrateRunning(stage.strip().toLowerCase(Locale.ROOT), output, terminal);
        }
        try (Cluster cluster = source.kept()) {
            if (adopt) {
                adopt(cluster, map, output);
            }
            Schema schema = new Schema(cluster.engine(), cluster.gateway(), map);
            boolean placed = stage == null || migrate(cluster, schema, map, output, terminal);
            if (triggers != null) {
                set(triggers, cluster, output, terminal);
            }
            if (list) {
                list(schema, output);
            }
            output.flush();
            return placed ? 0 : 1;
        }
    }

    private static void adopt(Cluster cluster, RegionMap map, PrintWriter output) {
        Adoption adoption = new Adoption(cluster, map);
        adoption.differences().forEach(output::println);
        output.flush();
        adoption.adopt();
        output.println("Adopted, at stage " + Stage.FOREIGN_KEYS + ".");
        output.flush();
    }

    private static void set(Triggers wanted, Cluster cluster, PrintWriter output, Terminal terminal) {
        StatementWatchdog.Question question = StatementWatchdog.activity(
                cluster.engine(), MIGRATING, trouble -> terminal.progress("Setting the triggers… " + trouble));
        try (StatementWatchdog watch =
                new StatementWatchdog(cluster.gateway(), StatementWatchdog.Limits.STANDARD, question)) {
            try (Connection connection = watch.connect(MIGRATING)) {
                String done = "No table notifies of its writes.";
                if (wanted == Triggers.ON) {
                    done = ChangeTriggers.install(connection) + " tables notify of their writes.";
                } else {
                    ChangeTriggers.remove(connection);
                }
                terminal.clear();
                output.println(done);
            } catch (SQLException failed) {
                throw new UserError("The triggers cannot be set: " + watch.reason(failed), failed);
            }
        }
    }

    /** Of regions that run, because nothing else was named. */
    private static int migrateRunning(String stage, PrintWriter output, Terminal terminal) {
        String done;
        try {
            done = Control.ask(RegionsRun.folder(), List.of("migrate", stage), terminal::progress);
        } finally {
            terminal.clear();
        }
        output.println("The regions that run are " + done + ".");
        output.flush();
        return 0;
    }

    /** Whether the rows are where they should be in the end. */
    private boolean migrate(Cluster cluster, Schema schema, RegionMap map, PrintWriter output, Terminal terminal) {
        Stage target = Stage.named(Objects.requireNonNull(stage), cluster.engine());
        long begun = System.nanoTime();
        List<Stage> applied;
        try {
            applied = schema.migrateTo(target, progress -> terminal.progress(told(progress)));
        } finally {
            terminal.clear();
        }
        if (applied.isEmpty()) {
            output.println("At stage " + target + " already; nothing to do.");
        } else {
            output.printf(
                    Locale.ROOT,
                    "At stage %s, by way of %s, in %s.%n",
                    target,
                    String.join(", ", applied.stream().map(Stage::id).toList()),
                    RunDisplay.duration((System.nanoTime() - begun) / 1e9));
        }
        boolean places = cluster.engine().isMultiRegion() && target.movesRows();
        return !places || wait.time().isZero() || awaitPlacement(cluster, map, output, terminal);
    }

    private boolean awaitPlacement(Cluster cluster, RegionMap map, PrintWriter output, Terminal terminal) {
        long begun = System.nanoTime();
        Placement placement;
        try {
            placement = Placement.await(
                    StatementTimeout.bounded(cluster.gateway(), StatementTimeout.LIMIT),
                    map,
                    wait.time(),
                    missing -> terminal.progress(
                            missing + " (" + RunDisplay.duration((System.nanoTime() - begun) / 1e9) + ")"));
        } catch (UserError failed) {
            if (!StatementTimeout.isCauseOf(failed)) {
                throw failed;
            }
            throw new UserError(
                    "Where the rows are was not answered for " + StatementTimeout.LIMIT.toSeconds() + " s; "
                            + StatementTimeout.reason(cluster.engine(), cluster.gateway())
                            + ". The stage is reached: wait for the rows with the same command",
                    failed);
        } finally {
            terminal.clear();
        }
        if (placement.isSettled()) {
            output.printf(
                    Locale.ROOT,
                    "Every leaseholder is in its home region, after %s more.%n",
                    RunDisplay.duration((System.nanoTime() - begun) / 1e9));
            return true;
        }
        output.printf(
                Locale.ROOT,
                "After %s more rows are not in their home regions:%n",
                RunDisplay.duration((System.nanoTime() - begun) / 1e9));
        placement.missing().forEach(line -> output.println("  " + line));
        output.println(
                placement.isPlaced()
                        ? "Wait longer with the same command: what is done is not done again."
                        : "No range is one of the regions " + map.cities().keySet()
                                + ": name the database's own with --home, or wait longer.");
        return false;
    }

    private static String told(MigrationProgress progress) {
        String done = progress.fraction() < 0 ? "" : String.format(Locale.ROOT, ", %.0f%%", 100 * progress.fraction());
        String what = progress.what().length() > WIDEST ? progress.what().substring(0, WIDEST) + "…" : progress.what();
        return what + " (" + RunDisplay.duration(progress.since().toMillis() / 1e3) + done + ")";
    }

    private static void list(Schema schema, PrintWriter output) {
        TextTable table = new TextTable("rlll").row("V", "stage", "reached", "what it changes");
        for (Schema.Status status : schema.stages()) {
            table.row(
                    Integer.toString(status.stage().version()),
                    status.stage().id(),
                    status.appliedAt() == null ? "-" : TIME.format(status.appliedAt()),
                    status.stage().purpose());
        }
        output.print(table);
    }
}
