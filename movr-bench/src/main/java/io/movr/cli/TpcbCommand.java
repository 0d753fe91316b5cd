package io.movr.cli;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.workload.Tpcb;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code movr tpcb}. */
@Command(
        name = "tpcb",
        description = "Run pgbench's transaction, TPC-B (sort of), in the columns of 'cockroach workload'.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "The tables are those of pgbench, which can create and use them too. Afterwards the sums of "
                    + "accounts, tellers, branches and history are compared.",
            "",
            "Without --url it runs on the kept embedded PostgreSQL, in a database of its own.",
            "",
            "Examples:",
            "  movr tpcb --scale 10 --concurrency 8 --duration 60s",
            "  movr tpcb --connect --concurrency 8 --duration 60s       a connection for each transaction",
            "  movr tpcb --isolation-level serializable --order cockroachdb --duration 30s",
            "  movr tpcb init --scale 50"
        })
final class TpcbCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "STEP",
            description = "init creates missing rows, run measures (default: both).")
    private RunOptions.@Nullable Step step;

    @Option(
            names = {"-s", "--scale"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Number of branches, each with ten tellers and 100,000 accounts (default: 1).")
    private int scale = 1;

    @Option(
            names = {"-C", "--connect"},
            description = "Open a connection for each transaction, like pgbench's -C.")
    private boolean connect;

    @Option(
            names = "--order",
            paramLabel = "NAME",
            description =
                    "Order of the statements: pgbench, as in its script; or cockroachdb, with the contended rows last "
                            + "(default: by engine).")
    private @Nullable String order;

    @Mixin
    private RunOptions options = new RunOptions();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        WorkloadRun run = new WorkloadRun(command, options);
        Tpcb tpcb = new Tpcb(scale, order());
        run.terminal().progress("Starting the database…");
        try (Cluster cluster = database.forWorkloads()) {
            Gateway gateway = WorkloadRun.database(cluster, database, "tpcb");
            Map<String, String> words = options.settings();
            words.put("scale", Integer.toString(scale));
            words.put("connect", Boolean.toString(connect));
            words.put("order", order == null ? "by engine" : order);
            return run.run(step, cluster, gateway, tpcb, options.plan(connect), words);
        }
    }

    private Tpcb.@Nullable Order order() {
        String wanted = order;
        if (wanted == null) {
            return null;
        }
        return Arrays.stream(Tpcb.Order.values())
                .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(wanted.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no order '" + wanted + "': choose pgbench or cockroachdb"));
    }
}
