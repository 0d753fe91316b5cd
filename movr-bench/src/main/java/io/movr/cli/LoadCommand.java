package io.movr.cli;

import io.movr.database.Cluster;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import java.io.PrintWriter;
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

/** {@code movr load}. */
@Command(
        name = "load",
        description = "Load MovR's rows, then the foreign keys, then gather statistics.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "All rows are loaded or none: a load that fails removes its own rows, and what a load that was "
                    + "killed has left is removed by the next one. Empty tables are filled over several connections, tables with rows or foreign keys "
                    + "over one. On CockroachDB a load takes many transactions, and large tables are imported if its nodes "
                    + "run on this machine; after an interruption the same command continues it.",
            "",
            "Examples:",
            "  movr load",
            "  movr load --scale tutorial --replace",
            "  movr load --rides 10000000 --cities \"new york,boston,rome\" --replace",
            "  movr load --seed 2 --append"
        })
final class LoadCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private DatasetOptions dataset = new DatasetOptions();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Connections that load rows in parallel (default: one per core, at most 8).")
    private int connections = defaultConnections();

    @ArgGroup(exclusive = true)
    private Filled filled = new Filled();

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

    static int defaultConnections() {
        return Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors()));
    }

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        DatasetSpec rows = dataset.spec();
        terminal.progress("Starting the database…");
        LoadProgress progress = new LoadProgress();
        long begun = System.nanoTime();
        try (Cluster cluster = database.kept()) {
            BulkLoader.Result result;
            LoadDisplay display = new LoadDisplay(terminal, progress, rows.totalRows());
            try {
                result = new BulkLoader(cluster.engine(), cluster.gateway(), progress)
                        .load(rows, connections, filled.wanted());
            } finally {
                display.close();
            }
            if (result.rows() == 0) {
                output.println("There are rows already; nothing to do.");
                output.flush();
                return 0;
            }
            // A piece that was asked for again was sent twice.
            long loaded = Math.min(progress.rows(), result.rows());
            output.printf(
                    Locale.ROOT,
                    "%,d rows (%,.1f MB) loaded in %s over %d %s, %,.0f rows/s; with foreign keys and statistics"
                            + " %s.%n",
                    loaded,
                    result.bytes() / 1e6,
                    Terminal.duration(result.copySeconds()),
                    result.connections(),
                    result.connections() == 1 ? "connection" : "connections",
                    loaded / result.copySeconds(),
                    Terminal.duration((System.nanoTime() - begun) / 1e9));
            if (loaded < result.rows()) {
                output.printf(
                        Locale.ROOT, "With those that a load before it had brought there are %,d.%n", result.rows());
            }
            output.flush();
        }
        return 0;
    }
}
