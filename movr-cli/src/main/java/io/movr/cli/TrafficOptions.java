package io.movr.cli;

import io.movr.region.Region;
import io.movr.schema.Stage;
import io.movr.traffic.TrafficPlan;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the traffic at each stage. */
class TrafficOptions {

    /** The last stage that keeps all rows in the primary region. */
    static final String BEFORE = "unused-index-dropped";

    static final String AFTER = "regional-by-row";
    static final String MIX = "movr";
    static final double REMOTE_SHARE = 0.05;

    private static final int MAX_WARM_UP_SECONDS = 60;
    private static final int MAX_MATRIX_SAMPLES = 100;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Arrivals per second of all regions together (default: 30).")
    private double rate = 30;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Length of a run (default: 20). The warm-up takes a quarter of that, a run with one waiting"
                    + " client in each region half.")
    private int seconds = 20;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "Runs at each stage (default: 6; fewer than 3 are too few to judge).")
    private int runs = 6;

    @Option(
            names = "--after-database",
            paramLabel = "NAME",
            description =
                    "With --url: a second, empty database of the cluster for the later stage, so that runs before and"
                            + " after alternate.")
    private @Nullable String afterDatabase;

    /** Returns the plan of {@code movr traffic} without other options. */
    final TrafficPlan plan() {
        return plan(Stage.named(BEFORE), Stage.named(AFTER), MIX, REMOTE_SHARE, false, null, null);
    }

    final TrafficPlan plan(
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
                Duration.ofSeconds(Math.min(Math.max(1, seconds / 4), MAX_WARM_UP_SECONDS)),
                Duration.ofSeconds(seconds),
                runs,
                remoteShare,
                during,
                Math.min(Math.max(2, seconds / 2), MAX_MATRIX_SAMPLES),
                Duration.ofSeconds(Math.max(1, seconds / 2)),
                killed,
                objective,
                afterDatabase);
    }
}
