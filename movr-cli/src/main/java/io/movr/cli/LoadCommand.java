package io.movr.cli;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.report.RunDisplay;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr load}. */
@Command(
        name = "load",
        description = "Load MovR's rows, then the foreign keys, then gather statistics.",
        footer = {
            "",
            "On PostgreSQL a load is one transaction. On CockroachDB it takes many; after an interruption, the same command"
                    + " continues the load.",
            "",
            "Examples:",
            "  movr load --scale tutorial --replace",
            "  movr load --rows rides=10000000,users=100000 --cities \"new york,boston,rome\" --replace",
            "  movr load --seed 2 --append"
        })
final class LoadCommand implements Callable<Integer> {

    private static final List<String> TABLES = List.of("users", "vehicles", "rides", "histories", "promo-codes");

    @Spec
    private @Nullable CommandSpec commandSpec;

    @ArgGroup(validate = false, heading = Headings.ROWS, order = 1)
    private Rows rows = new Rows();

    @ArgGroup(validate = false, heading = Headings.DATABASE, order = 2)
    private StoredDatabaseOptions database = new StoredDatabaseOptions();

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Connections that load rows in parallel (default: one per core, at most 8).")
    private int connections = BulkLoader.defaultConnections();

    @ArgGroup(exclusive = true)
    private Filled filled = new Filled();

    private static final class Rows extends ScaleOption {

        @Option(
                names = "--rows",
                paramLabel = "TABLE=N",
                split = ",",
                description =
                        "Numbers of rows that replace the scale's: of users, vehicles, rides, histories, promo-codes.")
        private Map<String, Long> counts = Map.of();

        @Option(
                names = "--cities",
                paramLabel = "CITY",
                split = ",",
                description = "The cities, separated by commas (default: the nine of 'cockroach workload').")
        private @Nullable List<String> cities;

        @Option(
                names = "--seed",
                paramLabel = "NUMBER",
                description = "The same seed and numbers give the same rows on every machine (default: 1).")
        private long seed = 1;

        @Override
        DatasetSpec spec() {
            for (String table : counts.keySet()) {
                if (!TABLES.contains(table)) {
                    throw new UserError("--rows " + table + " is unknown: choose from " + String.join(", ", TABLES));
                }
            }
            DatasetSpec scale = scale().spec(seed);
            return new DatasetSpec(
                    seed,
                    cities == null
                            ? scale.cities()
                            : cities.stream().map(String::strip).toList(),
                    counts.getOrDefault("users", scale.users()),
                    counts.getOrDefault("vehicles", scale.vehicles()),
                    counts.getOrDefault("rides", scale.rides()),
                    counts.getOrDefault("histories", scale.histories()),
                    counts.getOrDefault("promo-codes", scale.promoCodes()),
                    true);
        }
    }

    private static final class Filled {
        @Option(names = "--if-empty", description = "Keep existing rows and load nothing; the exit code is then 0.")
        private boolean ifEmpty;

        @Option(names = "--append", description = "Add to existing rows; needs another --seed.")
        private boolean append;

        @Option(names = "--replace", description = "Remove existing rows first.")
        private boolean replace;

        IfFilled wanted() {
            if (ifEmpty) {
                return IfFilled.KEEP;
            }
            if (append) {
                return IfFilled.APPEND;
            }
            return replace ? IfFilled.REPLACE : IfFilled.REFUSE;
        }
    }

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(commandSpec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        DatasetSpec spec = rows.spec();
        terminal.progress("Starting the database…");
        LoadProgress progress = new LoadProgress();
        long begun = System.nanoTime();
        try (Cluster cluster = database.source().kept()) {
            BulkLoader.Result result;
            LoadDisplay display = new LoadDisplay(terminal, progress, spec.totalRows());
            try {
                result = new BulkLoader(cluster.engine(), cluster.gateway(), progress)
                        .load(spec, connections, filled.wanted());
            } finally {
                display.close();
            }
            if (result.rows() == 0) {
                output.println("The tables have rows already; nothing to do.");
                output.flush();
                return 0;
            }
            // A part of a load that was retried is counted twice.
            long loaded = Math.min(progress.rows(), result.rows());
            output.printf(
                    Locale.ROOT,
                    "%,d rows (%,.1f MB) loaded in %s over %d %s, %,.0f rows/s; with foreign keys and statistics"
                            + " %s.%n",
                    loaded,
                    result.bytes() / 1e6,
                    RunDisplay.duration(result.copySeconds()),
                    result.connections(),
                    result.connections() == 1 ? "connection" : "connections",
                    loaded / result.copySeconds(),
                    RunDisplay.duration((System.nanoTime() - begun) / 1e9));
            if (loaded < result.rows()) {
                output.printf(
                        Locale.ROOT, "Together with the rows of an earlier, interrupted load: %,d.%n", result.rows());
            }
            output.flush();
        }
        return 0;
    }
}
