package io.movr.cli;

import io.movr.Refusal;
import io.movr.database.Cluster;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.lab.LabRequest;
import io.movr.region.Distances;
import io.movr.region.RegionMap;
import io.movr.report.RunBundle;
import io.movr.report.TrafficResults;
import io.movr.report.TrafficTable;
import io.movr.schema.Stage;
import io.movr.traffic.RunningRegions;
import io.movr.traffic.TrafficPlan;
import io.movr.traffic.TrafficRun;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr traffic}. */
@Command(
        name = "traffic",
        description = "Send traffic from three regions, move the rows to their regions, and send it again.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Without options: three embedded PostgreSQL servers as far from each other as regions are, 100,000 rides, 30",
            "arrivals a second of MovR's own mix, three runs of 20 s at each stage, three more of a client in each region that",
            "waits for its answers: less than ten minutes. With --engine cockroach nine nodes, with --url once a region a",
            "cluster that runs and is at the stage --before or has no tables yet.",
            "",
            "Exit code 0 when all was measured, every acknowledged write was found exactly once, and the load generator kept",
            "up, whatever the verdict.",
            "",
            "Examples:",
            "  movr traffic",
            "  movr traffic --during --rate 60 --seconds 60",
            "  movr traffic --slo p95=100ms --remote-share 0.01",
            "  movr traffic --before unused-index-dropped --after geo-partitioned --remote-share 0.3",
            "  movr traffic --engine cockroach --mix python"
        })
final class TrafficCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--before",
            paramLabel = "STAGE",
            defaultValue = "unused-index-dropped",
            description =
                    "The stage of the first runs (default: unused-index-dropped, where all rows are in the primary"
                            + " region).")
    private String before = "unused-index-dropped";

    @Option(
            names = "--after",
            paramLabel = "STAGE",
            defaultValue = "regional-by-row",
            description = "The stage of the last runs (default: regional-by-row).")
    private String after = "regional-by-row";

    @Option(names = "--during", description = "Also keep traffic on through the migration, and show what that costs.")
    private boolean during;

    @Option(
            names = "--mix",
            paramLabel = "NAME",
            defaultValue = "movr",
            description =
                    "movr (95%% reading a city's vehicles, the default), python (as the Python MovR) or journey (whole"
                            + " rides).")
    private String mix = "movr";

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "30",
            description = "Arrivals a second of all regions together (default: 30).")
    private double rate = 30;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "20", description = "Length of a run (default: 20).")
    private int seconds = 20;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "5",
            description = "Seconds before it that do not count (default: 5).")
    private int warmUp = 5;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "3",
            description = "Runs at each stage (default: 3; with fewer nothing is judged).")
    private int runs = 3;

    @Option(
            names = "--remote-share",
            paramLabel = "SHARE",
            defaultValue = "0.05",
            description = "Share of arrivals that ask for a city of another region, 0 to 1 (default: 0.05).")
    private double remoteShare = 0.05;

    @Option(
            names = "--matrix",
            paramLabel = "N",
            defaultValue = "10",
            description = "Samples of each single statement between two regions, 0 for none (default: 10).")
    private int matrixSamples = 10;

    @Option(
            names = "--closed",
            paramLabel = "N",
            defaultValue = "10",
            description = "Length in seconds of each run in which one client a region waits for its answers, 0 for none"
                    + " (default: 10).")
    private int closedLoop = 10;

    @Option(
            names = "--slo",
            paramLabel = "pN=MS",
            description =
                    "Also look for the highest rate of arrivals at which so many percent of the requests are answered in"
                            + " time, such as p99=200ms; up to sixteen more runs at each stage.")
    private @Nullable String objective;

    @Option(
            names = "--rtt",
            paramLabel = "A:B=MS",
            description = "A round trip between two regions, as of 'movr regions'.")
    private List<String> roundTrips = List.of();

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            defaultValue = "results",
            description = "Where the folder with the results is made (default: results).")
    private Path out = Path.of("results");

    @Mixin
    private DatasetOptions dataset = new DatasetOptions();

    @Mixin
    private RegionOptions regions = new RegionOptions();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        if (!List.of("movr", "python", "journey").contains(mix)) {
            throw new Refusal("There is no mix '" + mix + "': choose movr, python or journey");
        }
        TrafficPlan plan = new TrafficPlan(
                Stage.named(before),
                RegionsCommand.target(after, database.engine()),
                mix,
                rate,
                Duration.ofSeconds(warmUp),
                Duration.ofSeconds(seconds),
                runs,
                remoteShare,
                during,
                matrixSamples,
                Duration.ofSeconds(closedLoop),
                objective == null ? null : TrafficPlan.Objective.named(objective));
        if (!Stage.of(database.engine()).contains(plan.after()) && !database.isNamed()) {
            throw new Refusal("There is no stage " + plan.after() + " on "
                    + database.engine().title() + ": the last one is " + Stage.latest(database.engine()));
        }
        RegionMap map = regions.map();
        if (!roundTrips.isEmpty()) {
            database.requireOwnLinks("--rtt");
        }
        Distances distances = RegionsCommand.distances(roundTrips, map);
        DatasetSpec rows = dataset.spec();
        RunBundle.check(out);
        TrafficRun.check();
        terminal.line(String.format(
                Locale.ROOT,
                "%d runs of %d s at %s and at %s, %s arrivals/s in %d regions: about %s, and what loading and the stages take",
                plan.runs(),
                seconds,
                plan.before(),
                plan.after(),
                rate == Math.rint(rate) ? String.format(Locale.ROOT, "%.0f", rate) : Double.toString(rate),
                map.cities().size(),
                Terminal.duration(TrafficRun.expected(plan).toMillis() / 1e3)));
        terminal.progress("Starting the database of each region…");
        TrafficResults results;
        RunBundle bundle;
        try (Cluster cluster = database.regions(map, distances, null)) {
            bundle = RunBundle.create(out, Instant.now(), cluster.engine().folder(), "traffic");
            long begun = System.nanoTime();
            Loading loading = new Loading(new RegionsCommand.Display(terminal));
            try (RunningRegions running =
                    RunningRegions.start(cluster, map, rows, Optional.of(plan.before()), 0, bundle.folder(), loading)) {
                terminal.line("Regions ready after " + Terminal.duration((System.nanoTime() - begun) / 1e9));
                results = new TrafficRun(running, plan, bundle, terminal::progress)
                        .run(
                                rows,
                                dataset.scaleName(),
                                new LabRequest.Program(Build.version(), Build.commit()),
                                Movr.words(command),
                                loading.seconds);
            }
        } finally {
            terminal.clear();
        }
        output.println();
        output.print(TrafficTable.of(results));
        output.println();
        output.println("Report: " + bundle.report());
        output.flush();
        return results.complete() ? 0 : 1;
    }

    /** Takes the time of the load, if there is one. */
    private static final class Loading implements RunningRegions.Listener {

        private final RunningRegions.Listener shown;
        private @Nullable Double seconds;

        private Loading(RunningRegions.Listener shown) {
            this.shown = shown;
        }

        @Override
        public void progress(String what) {
            shown.progress(what);
        }

        @Override
        public Runnable loading(LoadProgress progress, DatasetSpec rows) {
            long begun = System.nanoTime();
            Runnable over = shown.loading(progress, rows);
            return () -> {
                seconds = (System.nanoTime() - begun) / 1e9;
                over.run();
            };
        }
    }
}
