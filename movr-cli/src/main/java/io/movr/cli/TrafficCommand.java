package io.movr.cli;

import io.movr.UserError;
import io.movr.database.DatabaseSource;
import io.movr.region.Region;
import io.movr.report.TrafficResults;
import io.movr.report.render.TextRenderer;
import io.movr.schema.Stage;
import io.movr.traffic.TrafficExperiment;
import io.movr.traffic.TrafficPlan;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr traffic}. */
@Command(
        name = "traffic",
        description = "Send traffic from three regions, before and after the rows are moved to their home regions.",
        footer = {
            "",
            "Without options: three embedded PostgreSQL servers for each of the two stages, 100,000 rides, and about twelve"
                    + " minutes. Runs before and after alternate, so that a gradual change of the machine affects both stages"
                    + " alike; with --url, this requires --after-database.",
            "",
            "Exit code 0 if everything was measured, every acknowledged write was found exactly once, and the load generator"
                    + " kept up, whatever the verdict.",
            "",
            "Examples:",
            "  movr traffic --during --rate 60 --seconds 60",
            "  movr traffic --slo p95=100ms --remote-share 0.01",
            "  movr traffic --engine cockroach --after region-survival --kill europe-west1 --remote-share 0.5"
        })
final class TrafficCommand implements Callable<Integer> {

    private static final List<String> MIXES = List.of("movr", "python", "journey");

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(validate = false, heading = "%nComparison:%n")
    private Compared compared = new Compared();

    @ArgGroup(validate = false, heading = Headings.TRAFFIC)
    private Traffic traffic = new Traffic();

    @ArgGroup(validate = false, heading = Headings.MEASURING)
    private TrafficOptions size = new TrafficOptions();

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private DatabaseOptions database = new DatabaseOptions();

    @ArgGroup(validate = false, heading = Headings.ROWS)
    private ScaleOption rows = new ScaleOption();

    @ArgGroup(validate = false, heading = Headings.REGIONS)
    private DistantRegionOptions regions = new DistantRegionOptions();

    @ArgGroup(validate = false, heading = Headings.OUTPUT)
    private OutOption out = new OutOption();

    private static final class Compared {

        @Option(
                names = "--before",
                paramLabel = "STAGE",
                description = "The earlier stage (default: unused-index-dropped, with all rows in the primary region).")
        private String before = TrafficOptions.BEFORE;

        @Option(names = "--after", paramLabel = "STAGE", description = "The later stage (default: regional-by-row).")
        private String after = TrafficOptions.AFTER;

        @Option(
                names = "--during",
                description = "Also migrate between the stages under traffic when the runs are over.")
        private boolean during;

        @Option(
                names = "--kill",
                paramLabel = "REGION",
                description = "With --engine cockroach: also kill all nodes in a region under traffic when the runs are"
                        + " over, and start them a minute later.")
        private @Nullable String killed;

        @Option(
                names = "--slo",
                paramLabel = "pN=MS",
                description = "Also find the highest rate at which N%% of the requests are answered in time, such as"
                        + " p99=200ms; up to sixteen more runs at each stage.")
        private @Nullable String objective;
    }

    private static final class Traffic extends RemoteShareOption {

        @Option(
                names = "--mix",
                paramLabel = "NAME",
                description = "movr (95%% reading a city's vehicles, default), python (as the Python MovR) or journey"
                        + " (whole rides).")
        private String mix = TrafficOptions.MIX;
    }

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        DatabaseSource source = database.source();
        TrafficExperiment.Outcome outcome = new TrafficExperiment(
                        new TrafficExperiment.Request(
                                plan(source),
                                source,
                                regions,
                                rows.spec(),
                                rows.name(),
                                out.folder(),
                                Build.program(),
                                Movr.words(command)),
                        terminal,
                        new RegionsDisplay(terminal))
                .run();
        TrafficResults results = outcome.results();
        output.println();
        output.print(TextRenderer.of(results.report()));
        output.println();
        terminal.warnOfSteal(results.environment().stolenShare());
        output.println("Report: " + outcome.bundle().report());
        output.flush();
        return results.complete() ? 0 : 1;
    }

    private TrafficPlan plan(DatabaseSource source) {
        if (!MIXES.contains(traffic.mix)) {
            throw new UserError("There is no mix '" + traffic.mix + "': choose movr, python or journey");
        }
        return size.plan(
                Stage.named(compared.before),
                Stage.named(compared.after, source.engine()),
                traffic.mix,
                traffic.remoteShare(),
                compared.during,
                compared.killed == null ? null : killedRegion(compared.killed, source),
                compared.objective == null ? null : TrafficPlan.Objective.named(compared.objective));
    }

    private Region killedRegion(String name, DatabaseSource source) {
        source.requireOwnNodes("--kill");
        return regions.map().named(name);
    }
}
