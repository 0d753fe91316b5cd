package io.movr.cli;

import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.dataset.DatasetSpec;
import io.movr.schema.Stage;
import io.movr.workload.KeyDistribution;
import io.movr.workload.MovrMix;
import io.movr.workload.MovrRows;
import io.movr.workload.MovrWorkload;
import io.movr.workload.Tpcb;
import io.movr.workload.Workload;
import io.movr.workload.WorkloadRun;
import io.movr.workload.Ycsb;
import io.movr.workload.YcsbMix;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr run}. */
@Command(
        name = "run",
        description = "Run a workload over JDBC, and print the columns of 'cockroach workload'.",
        subcommands = {RunCommand.MovrCommand.class, RunCommand.YcsbCommand.class, RunCommand.TpcbCommand.class},
        footer = {
            "",
            "Without --url a workload runs on the embedded PostgreSQL, in a database of its own.",
            "",
            "Examples:",
            "  movr run movr --duration 60s",
            "  movr run ycsb --workload A --concurrency 8 --duration 60s",
            "  movr run tpcb --scale 10 --duration 60s"
        })
final class RunCommand {

    private RunCommand() {}

    /** A command that runs a workload. */
    private abstract static class WorkloadCommand implements Callable<Integer> {

        @Spec
        private @Nullable CommandSpec spec;

        @Mixin
        private RunOptions options = new RunOptions();

        /** Returns the name of the workload's database on the embedded server. */
        abstract String databaseName();

        abstract Workload workload();

        /** Adds the settings of the workload, by the names of the options. */
        abstract void addTo(Map<String, String> settings);

        boolean reconnects() {
            return false;
        }

        /** Prepares the database. */
        Map<String, String> prepare(Cluster cluster, Gateway gateway, Terminal terminal) {
            return Map.of();
        }

        final RunOptions options() {
            return options;
        }

        @Override
        public final Integer call() throws InterruptedException {
            CommandSpec command = Objects.requireNonNull(spec);
            Terminal terminal = new Terminal(command.commandLine().getErr());
            Map<String, String> settings = options.settings();
            addTo(settings);
            WorkloadRun.Request request = new WorkloadRun.Request(
                    options.database().source(),
                    databaseName(),
                    options.step() != RunOptions.Step.RUN,
                    options.step() != RunOptions.Step.INIT,
                    options.drop(),
                    options.plan(reconnects()),
                    settings,
                    options.out(),
                    options.prometheusPort(),
                    Build.program(),
                    Movr.words(command));
            return WorkloadRun.of(
                            request,
                            workload(),
                            (cluster, gateway) -> prepare(cluster, gateway, terminal),
                            command.commandLine().getOut(),
                            terminal)
                    ? 0
                    : 1;
        }
    }

    /** {@code movr run movr}. */
    @Command(
            name = "movr",
            description = "Run MovR's operations, in the mix of 'cockroach workload run movr' or of the Python MovR.",
            footer = {
                "",
                "Examples:",
                "  movr run movr --duration 60s",
                "  movr run movr --mix python --max-rate 200 --duration 1m --out results",
                "  movr run movr init --scale tutorial"
            })
    static final class MovrCommand extends WorkloadCommand {

        @Option(names = "--mix", paramLabel = "NAME", description = "movr (default) or python.")
        private String mix = "movr";

        @Option(
                names = "--read-only-percentage",
                paramLabel = "SHARE",
                description = "Share of operations that only read, 0 to 1 (default: 0.95).")
        private double readShare = 0.95;

        @Option(
                names = "--city",
                paramLabel = "CITY",
                description = "A city whose rows are read and written; may be repeated (default: all).")
        private List<String> cities = List.of();

        @Option(names = "--stage", paramLabel = "STAGE", description = "Migrate the schema to this stage first.")
        private @Nullable String stage;

        @Mixin
        private ScaleOption rows = new ScaleOption();

        @Override
        String databaseName() {
            return "movr_run";
        }

        @Override
        Workload workload() {
            return new MovrWorkload(MovrMix.named(mix), readShare, cities);
        }

        @Override
        void addTo(Map<String, String> settings) {
            // Invalid options are refused before a server is started.
            Objects.requireNonNull(rows.spec());
            if (stage != null) {
                Objects.requireNonNull(Stage.named(stage));
            }
            settings.put("mix", mix);
            settings.put("read-only-percentage", Double.toString(readShare));
        }

        @Override
        Map<String, String> prepare(Cluster cluster, Gateway gateway, Terminal terminal) {
            DatasetSpec spec = rows.spec();
            MovrRows wanted = new MovrRows(
                    spec,
                    stage == null ? null : Stage.named(stage),
                    options().step() != RunOptions.Step.RUN,
                    options().drop());
            return wanted.prepare(cluster, gateway, terminal, progress -> {
                LoadDisplay display = new LoadDisplay(terminal, progress, spec.totalRows());
                return display::close;
            });
        }
    }

    /** {@code movr run ycsb}. */
    @Command(
            name = "ycsb",
            description = "Run the Yahoo! Cloud Serving Benchmark.",
            footer = {
                "",
                "A: 50%% read, 50%% update. B: 95%% read, 5%% update. C: read. D: 95%% read the latest, 5%% insert. E: 95%%"
                        + " scan, 5%% insert. F: 50%% read, 50%% read-modify-write.",
                "",
                "Examples:",
                "  movr run ycsb --workload B --concurrency 1 --duration 60s",
                "  movr run ycsb init --insert-count 1000000",
                "  movr run ycsb --workload read=0.8,insert=0.2 --max-rate 500 --ramp 5s --duration 1m"
            })
    static final class YcsbCommand extends WorkloadCommand {

        @Option(
                names = "--workload",
                paramLabel = "NAME",
                description = "A to F, or shares of read, update, insert, scan and readModifyWrite, such as"
                        + " read=0.8,insert=0.2 (default: B).")
        private String workload = "B";

        @Option(names = "--insert-count", paramLabel = "N", description = "Initial number of rows (default: 10000).")
        private long insertCount = 10_000;

        @Option(
                names = "--request-distribution",
                paramLabel = "NAME",
                description = "Distribution of the keys: zipfian, uniform or latest (default: latest for D, otherwise"
                        + " zipfian).")
        private @Nullable String distribution;

        @Option(
                names = "--read-modify-write-in-txn",
                description = "Run each read-modify-write as one transaction with SELECT FOR UPDATE.")
        private boolean inTransaction;

        @Override
        String databaseName() {
            return "ycsb";
        }

        private Ycsb.Settings ycsb() {
            YcsbMix mix = YcsbMix.named(workload);
            return new Ycsb.Settings(
                    mix,
                    insertCount,
                    distribution == null ? mix.distribution() : KeyDistribution.named(distribution),
                    inTransaction);
        }

        @Override
        Workload workload() {
            return new Ycsb(ycsb());
        }

        @Override
        void addTo(Map<String, String> settings) {
            Ycsb.Settings ycsb = ycsb();
            settings.put("workload", ycsb.mix().id());
            settings.put("insert-count", Long.toString(insertCount));
            settings.put("request-distribution", ycsb.distribution().id());
        }
    }

    /** {@code movr run tpcb}. */
    @Command(
            name = "tpcb",
            description = "Run pgbench's transaction, TPC-B (sort of), on pgbench's tables.",
            footer = {
                "",
                "After the run, the sums of accounts, tellers, branches and history must be equal.",
                "",
                "Examples:",
                "  movr run tpcb --scale 10 --concurrency 8 --duration 60s",
                "  movr run tpcb --connect --concurrency 8 --duration 60s",
                "  movr run tpcb init --scale 50"
            })
    static final class TpcbCommand extends WorkloadCommand {

        @Option(
                names = {"-s", "--scale"},
                paramLabel = "N",
                description = "Number of branches, each with ten tellers and 100,000 accounts (default: 1).")
        private int scale = 1;

        @Option(
                names = {"-C", "--connect"},
                description = "Open a connection for each transaction, like pgbench's -C.")
        private boolean connect;

        @Override
        String databaseName() {
            return "tpcb";
        }

        @Override
        Workload workload() {
            return new Tpcb(scale, null);
        }

        @Override
        void addTo(Map<String, String> settings) {
            settings.put("scale", Integer.toString(scale));
            settings.put("connect", Boolean.toString(connect));
        }

        @Override
        boolean reconnects() {
            return connect;
        }
    }
}
