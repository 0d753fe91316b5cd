package io.movr.cli;

import io.movr.region.Region;
import io.movr.schema.Stage;
import io.movr.traffic.TrafficPlan;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much traffic is sent, at each stage. */
final class TrafficOptions {

    /** The last stage that keeps all rows in the primary region. */
    static final String BEFORE = "unused-index-dropped";

    static final String AFTER = "regional-by-row";
    static final String MIX = "movr";
    static final double REMOTE_SHARE = 0.05;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "30",
            description = "Arrivals per second of all regions together (default: 30).")
    private double rate = 30;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "20", description = "Length of a run (default: 20).")
    private int seconds = 20;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "5",
            description = "Seconds of warm-up before each run (default: 5).")
    private int warmUp = 5;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "6",
            description = "Runs at each stage (default: 6; fewer than 3 are too few to judge).")
    private int runs = 6;

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
            description =
                    "Length in seconds of each closed-loop run, with one client per region, 0 for none (default: 10).")
    private int closedLoop = 10;

    @Option(
            names = "--after-database",
            paramLabel = "NAME",
            description =
                    "With --url: a second database of the same cluster for the later stage, so that runs before and after "
                            + "alternate. Create it empty; it is loaded and migrated. Without it the one database is "
                            + "migrated between the runs, and drift of the machine is not excluded.")
    private @Nullable String afterDatabase;

    /** The plan of {@code movr traffic} where nothing else is said. */
    TrafficPlan plan() {
        return plan(Stage.named(BEFORE), Stage.named(AFTER), MIX, REMOTE_SHARE, false, null, null);
    }

    TrafficPlan plan(
            Stage before,
            Stage after,
            String mix,
            double remoteShare,
            boolean during,
            @Nullable Region killed,
            TrafficPlan.@Nullable Objective objective) {
        return new TrafficPlan(
                before,
                after,
                mix,
                rate,
                Duration.ofSeconds(warmUp),
                Duration.ofSeconds(seconds),
                runs,
                remoteShare,
                during,
                matrixSamples,
                Duration.ofSeconds(closedLoop),
                killed,
                objective,
                afterDatabase);
    }
}
