package io.movr.cli;

import io.movr.UserError;
import io.movr.region.Region;
import io.movr.report.TrafficResults;
import io.movr.report.render.TextRenderer;
import io.movr.schema.Stage;
import io.movr.traffic.TrafficPlan;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
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
        description = "Send traffic from three regions, before and after the rows are moved to their home regions.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Without options: three embedded PostgreSQL servers for each of the two stages, with the distances of "
                    + "regions, 100,000 rides, 30 arrivals per second of MovR's own mix, six runs of 20 s at each stage, "
                    + "and six more with one client in each region that waits for its answers: about twelve minutes. "
                    + "With --engine cockroach nine nodes are started, with a database for each stage; with --url, "
                    + "once for each region, a running cluster is used, which is at the stage --before or has no "
                    + "tables yet.",
            "",
            "The two stages exist side by side, and their runs alternate: before, after, after, before. So a machine "
                    + "that slowly changes favours neither stage. With --url this takes --after-database.",
            "",
            "Exit code 0 when everything was measured, every acknowledged write was found exactly once, "
                    + "and the load generator kept up, whatever the verdict.",
            "",
            "Examples:",
            "  movr traffic",
            "  movr traffic --during --rate 60 --seconds 60",
            "  movr traffic --slo p95=100ms --remote-share 0.01",
            "  movr traffic --before unused-index-dropped --after geo-partitioned --remote-share 0.3",
            "  movr traffic --engine cockroach --mix python",
            "  movr traffic --engine cockroach --after region-survival --kill europe-west1 --remote-share 0.5"
        })
final class TrafficCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--before",
            paramLabel = "STAGE",
            defaultValue = TrafficOptions.BEFORE,
            description =
                    "The stage that is compared with --after (default: unused-index-dropped, where all rows are in the"
                            + " primary region).")
    private String before = TrafficOptions.BEFORE;

    @Option(
            names = "--after",
            paramLabel = "STAGE",
            defaultValue = TrafficOptions.AFTER,
            description = "The stage that follows it (default: regional-by-row).")
    private String after = TrafficOptions.AFTER;

    @Option(
            names = "--during",
            description =
                    "Also migrate from --before to --after under traffic, when the runs are over, and show how the migration "
                            + "affects requests. Where both stages share one database, it is migrated between their "
                            + "runs.")
    private boolean during;

    @Option(
            names = "--kill",
            paramLabel = "REGION",
            description =
                    "Also kill all nodes in a region when the runs are over, under traffic, start them a minute later,"
                            + " and show what requests saw of it. Only with --engine cockroach.")
    private @Nullable String killed;

    @Option(
            names = "--mix",
            paramLabel = "NAME",
            defaultValue = TrafficOptions.MIX,
            description =
                    "movr (95%% reading a city's vehicles, the default), python (as the Python MovR) or journey (whole"
                            + " rides).")
    private String mix = TrafficOptions.MIX;

    @Option(
            names = "--remote-share",
            paramLabel = "SHARE",
            defaultValue = "0.05",
            description = "Share of arrivals that ask for a city of another region, 0 to 1 (default: 0.05).")
    private double remoteShare = TrafficOptions.REMOTE_SHARE;

    @Mixin
    private TrafficOptions size = new TrafficOptions();

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
            description = "Round trip between two regions, as in 'movr regions'.")
    private List<String> roundTrips = List.of();

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            defaultValue = "results",
            description = "Parent folder of the results (default: results).")
    private Path out = Path.of("results");

    @Mixin
    private DatasetOptions dataset = new DatasetOptions();

    @Mixin
    private RegionOptions regions = new RegionOptions();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    private Region toKill(String name) {
        database.requireOwnNodes("--kill");
        return regions.map().named(name);
    }

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        if (!List.of("movr", "python", "journey").contains(mix)) {
            throw new UserError("There is no mix '" + mix + "': choose movr, python or journey");
        }
        TrafficPlan plan = size.plan(
                Stage.named(before),
                Stage.named(after, database.engine()),
                mix,
                remoteShare,
                during,
                killed == null ? null : toKill(killed),
                objective == null ? null : TrafficPlan.Objective.named(objective));
        TrafficExperiment experiment =
                new TrafficExperiment(plan, regions, roundTrips, database, dataset, out, terminal, Movr.words(command));
        TrafficExperiment.Outcome outcome = experiment.run();
        TrafficResults results = outcome.results();
        output.println();
        output.print(TextRenderer.of(results.report()));
        output.println();
        terminal.warnOfSteal(results.environment().stolenShare());
        output.println("Report: " + outcome.bundle().report());
        output.flush();
        return results.complete() ? 0 : 1;
    }
}
