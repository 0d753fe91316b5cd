package io.movr.cli;

import io.movr.console.RegionsRun;
import io.movr.traffic.PlacementReport;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code movr regions status}. */
@Command(
        name = "status",
        description = "Print leaseholders and replicas of each table by region.",
        footer = {
            "",
            "Exit code 1 if a leaseholder is away from the region of its rows.",
            "",
            "Examples:",
            "  movr regions status",
            "  movr regions status --url \"postgresql://root@localhost:26257/movr?sslmode=disable\"",
            "  movr regions status --url env:MOVR --home \"us-east1=new york,boston\" --home us-west1=seattle"
        })
final class RegionsStatusCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private DatabaseOptions database = new DatabaseOptions();

    @ArgGroup(validate = false, heading = Headings.REGIONS)
    private RegionOptions regions = new RegionOptions();

    @Override
    public Integer call() {
        PrintWriter output = Objects.requireNonNull(spec).commandLine().getOut();
        PlacementReport report = PlacementReport.of(database.source(), regions.map(), RegionsRun.folder());
        report.lines().forEach(output::println);
        output.flush();
        return report.settled() ? 0 : 1;
    }
}
