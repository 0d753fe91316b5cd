package io.movr.cli;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.workload.KeyDistribution;
import io.movr.workload.Ycsb;
import io.movr.workload.YcsbMix;
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

/** {@code movr ycsb}. */
@Command(
        name = "ycsb",
        description = "Run the Yahoo! Cloud Serving Benchmark, in the columns of 'cockroach workload'.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "A: 50%% read, 50%% update. B: 95%% read, 5%% update. C: read. D: 95%% read the latest, 5%% "
                    + "insert. E: 95%% scan, 5%% insert. F: 50%% read, 50%% read-modify-write.",
            "",
            "Without --url it runs on the kept embedded PostgreSQL, in a database of its own.",
            "",
            "Examples:",
            "  movr ycsb --workload B --concurrency 1 --duration 60s",
            "  movr ycsb --workload D --max-rate 500 --ramp 5s --duration 1m --out results",
            "  movr ycsb init --insert-count 1000000",
            "  movr ycsb run --workload CUSTOM --read-freq 0.8 --insert-freq 0.2 --max-ops 10000",
            "  movr ycsb --url \"postgresql://root@localhost:26257/ycsb?sslmode=disable\" --duration 60s"
        })
final class YcsbCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "STEP",
            description = "init creates missing rows, run measures (default: both).")
    private RunOptions.@Nullable Step step;

    @Option(
            names = "--workload",
            paramLabel = "LETTER",
            defaultValue = "B",
            description = "A, B, C, D, E, F or CUSTOM (default: B).")
    private String workload = "B";

    @Option(
            names = "--insert-count",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Initial number of rows (default: 10000).")
    private long insertCount = 10_000;

    @Option(
            names = "--request-distribution",
            paramLabel = "NAME",
            description =
                    "Distribution of the keys: zipfian, uniform or latest (default: latest for D, otherwise zipfian).")
    private @Nullable String distribution;

    @Option(
            names = "--families",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            description = "On CockroachDB, one column family per column (default: for A, B, F and CUSTOM).")
    private @Nullable Boolean families;

    @Option(
            names = "--min-scan-length",
            paramLabel = "N",
            description = "Smallest number of rows of a scan (default: 1).")
    private int minScanLength = 1;

    @Option(
            names = "--max-scan-length",
            paramLabel = "N",
            description = "Largest number of rows of a scan (default: 1000).")
    private int maxScanLength = 1000;

    @Option(
            names = "--read-modify-write-in-txn",
            description = "Run each read-modify-write as one transaction with SELECT FOR UPDATE.")
    private boolean inTransaction;

    @Option(names = "--read-freq", paramLabel = "SHARE", description = "Share of reads of workload CUSTOM, 0 to 1.")
    private double readShare;

    @Option(names = "--update-freq", paramLabel = "SHARE", description = "Share of updates of workload CUSTOM.")
    private double updateShare;

    @Option(names = "--insert-freq", paramLabel = "SHARE", description = "Share of inserts of workload CUSTOM.")
    private double insertShare;

    @Option(names = "--scan-freq", paramLabel = "SHARE", description = "Share of scans of workload CUSTOM.")
    private double scanShare;

    @Option(
            names = "--read-modify-write-freq",
            paramLabel = "SHARE",
            description = "Share of read-modify-writes of workload CUSTOM.")
    private double readModifyWriteShare;

    @Mixin
    private RunOptions options = new RunOptions();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        WorkloadRun run = new WorkloadRun(command, options);
        Ycsb.Settings settings = settings();
        run.terminal().progress("Starting the database…");
        try (Cluster cluster = database.forWorkloads()) {
            if (families != null && !cluster.engine().hasColumnFamilies()) {
                run.terminal().line(cluster.engine().title() + " has no column families: --families is ignored");
            }
            Gateway gateway = WorkloadRun.database(cluster, database, "ycsb");
            Map<String, String> words = options.settings();
            words.put("workload", settings.mix().id());
            words.put("insert-count", Long.toString(insertCount));
            words.put("request-distribution", settings.distribution().id());
            if (cluster.engine().hasColumnFamilies()) {
                words.put("families", Boolean.toString(settings.families()));
            }
            return run.run(step, cluster, gateway, new Ycsb(settings), options.plan(false), words);
        }
    }

    private Ycsb.Settings settings() {
        double sum = readShare + updateShare + insertShare + scanShare + readModifyWriteShare;
        boolean custom = workload.strip().toUpperCase(Locale.ROOT).equals("CUSTOM");
        if (!custom && sum != 0) {
            throw new UserError("--read-freq and its like go with --workload CUSTOM");
        }
        YcsbMix mix = custom
                ? YcsbMix.custom(readShare, updateShare, insertShare, scanShare, readModifyWriteShare)
                : YcsbMix.named(workload);
        return new Ycsb.Settings(
                mix,
                insertCount,
                distribution == null ? mix.distribution() : KeyDistribution.named(distribution),
                minScanLength,
                maxScanLength,
                families == null ? mix.families() : families,
                inTransaction);
    }
}
