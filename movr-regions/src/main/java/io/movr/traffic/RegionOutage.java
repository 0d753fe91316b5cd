package io.movr.traffic;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.report.LabResults.Check;
import io.movr.report.TrafficResults.Outage;
import io.movr.traffic.TrafficSide.EventRun;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An outage of the database nodes of one region under traffic: they are killed, and restarted a minute later. */
final class RegionOutage {

    /** A seed that differs from the seeds of the numbered runs. */
    private static final long SEED = 2_000;

    private static final Duration DURATION = Duration.ofMinutes(1);
    /** The load generator retries the requests of the outage for half a minute at most. */
    private static final Duration TRAFFIC_AFTER_RESTART = Duration.ofSeconds(30);

    private static final Duration MAX_RESTART = Duration.ofMinutes(15);

    /** The time from the kill to the end of the traffic, if the nodes restart at once. */
    static final Duration TRAFFIC_FROM_KILL = DURATION.plus(TRAFFIC_AFTER_RESTART);

    private final TrafficSide side;
    private final TrafficPlan plan;
    private final RegionMap map;
    private final List<Check> checks;
    private final Consumer<String> progress;

    /**
     * Prepares an outage.
     *
     * @param side the regions that traffic is sent to
     * @param checks receives the outcome
     */
    RegionOutage(TrafficSide side, TrafficPlan plan, RegionMap map, List<Check> checks, Consumer<String> progress) {
        this.side = side;
        this.plan = plan;
        this.map = map;
        this.checks = checks;
        this.progress = progress;
    }

    /**
     * Kills the nodes of a region and restarts them, and returns the effect on the requests; {@code null} if that
     * failed, so that earlier figures are kept.
     */
    @Nullable
    Outage measure(Region region) throws InterruptedException {
        try {
            return killUnderTraffic(region);
        } catch (UserError failed) {
            checks.add(new Check(
                    "outage",
                    "problem",
                    UserError.firstLine(failed),
                    "look at the log that it names, and repeat the run"));
            return null;
        }
    }

    private record Downtime(long killedMs, long restartedMs) {}

    private Outage killUnderTraffic(Region region) throws InterruptedException {
        EventRun<Downtime> eventRun = side.sendDuring(
                "outage",
                plan.duration().dividedBy(2).plus(TRAFFIC_FROM_KILL).plus(MAX_RESTART),
                SEED,
                TRAFFIC_AFTER_RESTART,
                () -> killAndRestart(region));
        List<String> warnings = eventRun.output().warnings(null);
        checks.add(new Check(
                "outage",
                warnings.isEmpty() ? "ok" : "problem",
                warnings.isEmpty() ? "the load generator kept up" : String.join("; ", warnings),
                warnings.isEmpty() ? "" : "measure on a machine that is less busy"));
        Downtime downtime = eventRun.result();
        return new Outage(
                plan.after().id(),
                region.name(),
                downtime.killedMs(),
                (downtime.restartedMs() - downtime.killedMs()) / 1e3,
                TrafficStatistics.affected(
                        eventRun.output().requests(), map, downtime.killedMs(), downtime.restartedMs()));
    }

    private Downtime killAndRestart(Region region) throws InterruptedException {
        long killed = System.currentTimeMillis();
        Cluster cluster = side.regions().cluster();
        cluster.kill(region);
        progress.accept("The nodes in " + region + " are down for " + DURATION.toSeconds() + " s");
        Thread.sleep(DURATION.toMillis());
        progress.accept("The nodes in " + region + " start again");
        cluster.restart(region);
        return new Downtime(killed, System.currentTimeMillis());
    }
}
