package io.movr.cli;

import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import io.movr.workload.MovrMix;
import io.movr.workload.MovrWorkload;
import java.util.List;
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

/** {@code movr run}. */
@Command(
        name = "run",
        description = "Run MovR's own traffic over JDBC, in the columns of 'cockroach workload'.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Mixes: movr is that of 'cockroach workload run movr', python the one of the first MovR.",
            "",
            "Without --url it runs on the kept embedded PostgreSQL, in a database of its own: the "
                    + "official statements leave vehicles as they are when a ride starts, the service does not.",
            "",
            "Examples:",
            "  movr run --duration 60s",
            "  movr run --mix python --max-rate 200 --duration 1m --out results",
            "  movr run --stage covering-index --concurrency 8 --duration 30s",
            "  movr run init --scale tutorial",
            "  movr run --url \"us-east1=postgresql://root@a:26257/movr\" --url \"europe-west1=postgresql://root@b:26257/movr\""
                    + " --region europe-west1 --city rome --duration 60s"
        })
final class RunCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "STEP",
            description = "init loads rows into empty tables, run measures (default: both).")
    private RunOptions.@Nullable Step step;

    @Option(names = "--mix", paramLabel = "NAME", defaultValue = "movr", description = "movr (default) or python.")
    private String mix = "movr";

    @Option(
            names = "--read-only-percentage",
            paramLabel = "SHARE",
            defaultValue = "0.95",
            description = "Share of operations that only read, 0 to 1 (default: 0.95).")
    private double readShare = 0.95;

    @Option(
            names = "--city",
            paramLabel = "CITY",
            description = "A city whose rows are read and written; may be repeated (default: all).")
    private List<String> cities = List.of();

    @Option(
            names = "--scale",
            paramLabel = "NAME",
            defaultValue = "quick",
            description = "Rows to load where there are none: tiny, quick (default) or tutorial.")
    private String scale = "quick";

    @Option(names = "--stage", paramLabel = "STAGE", description = "Migrate the schema to this stage first.")
    private @Nullable String stage;

    @Mixin
    private RunOptions options = new RunOptions();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        WorkloadRun run = new WorkloadRun(command, options);
        MovrWorkload workload = new MovrWorkload(MovrMix.named(mix), readShare, cities);
        DatasetSpec rows = Scale.named(scale).spec(1);
        Stage wanted = stage == null ? null : Stage.named(stage);
        run.terminal().progress("Starting the database…");
        try (Cluster cluster = database.forWorkloads()) {
            Gateway gateway = WorkloadRun.database(cluster, database, "movr_run");
            if (step != RunOptions.Step.RUN) {
                load(run, cluster, gateway, rows, wanted);
            }
            Map<String, String> words = options.settings();
            words.put("mix", mix);
            words.put("read-only-percentage", Double.toString(readShare));
            words.put(
                    "stage",
                    new Schema(cluster.engine(), gateway)
                            .current()
                            .map(Stage::id)
                            .orElse("none"));
            return run.run(step, cluster, gateway, workload, options.plan(false), words);
        }
    }

    private void load(WorkloadRun run, Cluster cluster, Gateway gateway, DatasetSpec rows, @Nullable Stage wanted) {
        LoadProgress progress = new LoadProgress();
        LoadDisplay display = new LoadDisplay(run.terminal(), progress, rows.totalRows());
        try {
            new BulkLoader(cluster.engine(), gateway, progress)
                    .load(rows, LoadCommand.defaultConnections(), options.drop() ? IfFilled.REPLACE : IfFilled.KEEP);
        } finally {
            display.close();
        }
        if (wanted != null) {
            run.terminal().progress("Migrating to " + wanted + "…");
            new Schema(cluster.engine(), gateway).migrateTo(wanted);
        }
    }
}
