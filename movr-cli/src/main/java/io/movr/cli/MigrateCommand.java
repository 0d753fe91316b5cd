package io.movr.cli;

import io.movr.UserError;
import io.movr.cache.ChangeTriggers;
import io.movr.console.RegionsRun;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.database.Engine;
import io.movr.environment.StatementTimeout;
import io.movr.region.RegionMap;
import io.movr.report.RunDisplay;
import io.movr.report.render.TextTable;
import io.movr.schema.MigrationProgress;
import io.movr.schema.Placement;
import io.movr.schema.Schema;
import io.movr.schema.SchemaMigration;
import io.movr.schema.Stage;
import io.movr.traffic.Control;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
            "A schema cannot be migrated back to an earlier stage. From stage 7 on, rows are placed in regions: on CockroachDB"
                    + " that takes minutes, and the command waits until every leaseholder is in its home region. Without"
                    + " --url and --data-dir, the database of 'movr regions start' is migrated if that is running.",
            "",
            "Examples:",
            "  movr migrate --stage covering-index",
            "  movr migrate --engine cockroach --print",
            "  movr migrate --adopt --url postgresql://root@localhost:26257/movr"
        })
final class MigrateCommand implements Callable<Integer> {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());
    private static final int MAX_WIDTH = 90;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--stage",
            paramLabel = "STAGE",
            description = "The stage to migrate to, by name or version, or 'latest'.")
    private @Nullable String stage;

    @Option(names = "--list", description = "List the stages, what each changes, and when it was applied.")
    private boolean list;

    @Option(
            names = "--print",
            description = "Print the statements of all stages, or of the stages up to --stage, and change nothing.")
    private boolean print;

    @Option(
            names = "--adopt",
            description =
                    "First adopt a database that another program created, such as 'cockroach workload init movr': report"
                            + " the differences, and bring its schema to stage foreign-keys. No row is changed.")
    private boolean adopt;

    /** Whether writes notify the caches of services. */
    enum Triggers {
        ON,
        OFF
    }

    @Option(
            names = "--cache-triggers",
            paramLabel = "on|off",
            description = "Create the triggers that notify the service's cache of writes by other clients"
                    + " (movr.cache.invalidation=notify), or drop them. PostgreSQL only.")
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
            throw new UserError("--adopt requires a running database: name it with --url, and leave out --print");
        }
        if (print) {
            if (source.isNamed()) {
                throw new UserError("--print does not use a database: leave out --url and --data-dir");
            }
            Engine engine = source.engine();
            output.print(Schema.script(engine, map, null, Stage.named(stage == null ? "latest" : stage, engine)));
            output.flush();
            return 0;
        }
        Terminal terminal = new Terminal(command.commandLine().getErr());
        if (stage != null) {
            // An unknown stage is refused before a server is started.
            Stage.named(stage, source.engine());
        }
        if (stage != null && source.isUnspecified() && Control.isRunning(RegionsRun.folder())) {
            if (list) {
                throw new UserError(
                        "--list does not apply to running regions: leave it out, or name a database with --url");
            }
            return migrateRunning(stage.strip().toLowerCase(Locale.ROOT), output, terminal);
        }
        return migrate(source, map, output, terminal);
    }

    private int migrate(DatabaseSource source, RegionMap map, PrintWriter output, Terminal terminal) {
        try (Cluster cluster = source.kept()) {
            SchemaMigration.Request request = new SchemaMigration.Request(
                    adopt,
                    stage == null ? null : Stage.named(stage, cluster.engine()),
                    wait.time(),
                    StatementTimeout.LIMIT);
            SchemaMigration.Result result = SchemaMigration.of(cluster, map, request, new Display(terminal, output));
            terminal.clear();
            boolean placed = print(result, cluster, map, output);
            if (triggers != null) {
                int tables = ChangeTriggers.set(
                        cluster,
                        triggers == Triggers.ON,
                        trouble -> terminal.progress("Setting the triggers… " + trouble));
                terminal.clear();
                output.println(
                        triggers == Triggers.ON
                                ? tables + " tables notify of their writes."
                                : "No table notifies of its writes.");
            }
            if (list) {
                list(new Schema(cluster.engine(), cluster.gateway(), map), output);
            }
            output.flush();
            return placed ? 0 : 1;
        } finally {
            terminal.clear();
        }
    }

    private static int migrateRunning(String stage, PrintWriter output, Terminal terminal) {
        String done;
        try {
            done = Control.sendCommand(RegionsRun.folder(), List.of("migrate", stage), terminal::progress);
        } finally {
            terminal.clear();
        }
        output.println("The regions that run are " + done + ".");
        output.flush();
        return 0;
    }

    /** The display of a migration in the terminal. */
    private record Display(Terminal terminal, PrintWriter output) implements SchemaMigration.Listener {

        @Override
        public void differences(List<String> differences) {
            differences.forEach(output::println);
            output.flush();
        }

        @Override
        public void adopted(Stage stage) {
            output.println("Adopted, at stage " + stage + ".");
            output.flush();
        }

        @Override
        public void migrating(MigrationProgress progress) {
            String what = progress.what();
            terminal.progress((what.length() > MAX_WIDTH ? what.substring(0, MAX_WIDTH) + "…" : what)
                    + " (" + text(progress.since())
                    + (progress.fraction() < 0 ? "" : String.format(Locale.ROOT, ", %.0f%%", 100 * progress.fraction()))
                    + ")");
        }

        @Override
        public void migrated(Stage target, List<Stage> applied, Duration elapsed) {
            terminal.clear();
            if (applied.isEmpty()) {
                output.println("At stage " + target + " already; nothing to do.");
            } else {
                output.printf(
                        Locale.ROOT,
                        "At stage %s, by way of %s, in %s.%n",
                        target,
                        applied.stream().map(Stage::id).collect(Collectors.joining(", ")),
                        text(elapsed));
            }
        }

        @Override
        public void placing(String missing, Duration elapsed) {
            terminal.progress(missing + " (" + text(elapsed) + ")");
        }
    }

    /** Prints where the rows are, and returns whether the command succeeded. */
    private static boolean print(SchemaMigration.Result result, Cluster cluster, RegionMap map, PrintWriter output) {
        UserError unanswered = result.unanswered();
        if (unanswered != null) {
            throw new UserError(
                    "The server did not report within " + StatementTimeout.LIMIT.toSeconds()
                            + " s where the rows are; "
                            + StatementTimeout.reason(cluster.engine(), cluster.gateway())
                            + ". The stage is applied: to wait for the rows, run the command again",
                    unanswered);
        }
        Placement placement = result.placement();
        if (placement == null) {
            return true;
        }
        if (placement.isSettled()) {
            output.printf(
                    Locale.ROOT, "Every leaseholder is in its home region, after %s more.%n", text(result.waited()));
            return true;
        }
        output.printf(Locale.ROOT, "After %s more rows are not in their home regions:%n", text(result.waited()));
        placement.missing().forEach(line -> output.println("  " + line));
        output.println(
                placement.isPlaced()
                        ? "To wait longer, run the command again: it continues where it stopped."
                        : "No range is in one of the regions " + map.cities().keySet()
                                + ": name the regions of the database with --home, or wait longer.");
        return false;
    }

    private static String text(Duration duration) {
        return RunDisplay.duration(duration.toNanos() / 1e9);
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
