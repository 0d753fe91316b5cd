package io.movr.traffic;

import io.movr.UserError;
import io.movr.database.DatabaseSource;
import io.movr.lab.Lab;
import io.movr.lab.LabOutcome;
import io.movr.lab.LabRequest;
import io.movr.lab.LabRun;
import io.movr.lab.Regions;
import io.movr.region.Distances;
import io.movr.region.RegionMap;
import io.movr.report.LabResults;
import io.movr.report.RunBundle;
import io.movr.report.RunDisplay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run of the published experiments: the laboratory measures statements, and then traffic from three regions is
 * measured.
 */
public final class PublishedExperiments {

    private final Request request;
    private final LabRequest lab;
    private final RunDisplay display;
    private final LabRun.Watcher watcher;
    private final @Nullable Regions regions;
    private final @Nullable TrafficExperiment traffic;

    /**
     * The settings of a run.
     *
     * @param plan the traffic, if an experiment measures traffic
     */
    public record Request(LabRequest lab, DatabaseSource database, RegionChoice regions, TrafficPlan plan) {}

    /**
     * Prepares a run.
     *
     * @param watcher makes the display of the laboratory
     * @param starting shows the start of the regions for traffic
     * @throws UserError if an experiment cannot be measured
     */
    public PublishedExperiments(
            Request request, RunDisplay display, LabRun.Watcher watcher, RunningRegions.Listener starting) {
        this.request = request;
        this.lab = request.lab();
        this.display = display;
        this.watcher = watcher;
        if (request.regions().hasRoundTrips()) {
            request.database().requireOwnLinks("--rtt");
        }
        regions = regions();
        traffic = lab.ofTraffic().isEmpty() ? null : traffic(starting);
        RunBundle.check(lab.out());
    }

    /**
     * Returns the ids of the selected experiments.
     *
     * @param only the ids that the user has named; {@code null} for all experiments without traffic
     * @param withTraffic whether experiments with traffic are measured, too
     */
    public static List<String> ids(@Nullable List<String> only, boolean withTraffic, DatabaseSource database) {
        List<String> named = only != null ? only : database.hasRegions() ? Lab.experiments() : Lab.ofOneRegion();
        return Stream.concat(named.stream(), withTraffic ? Lab.ofTraffic().stream() : Stream.empty())
                .distinct()
                .toList();
    }

    /** Runs the experiments, and adds the results of traffic to the bundle of the laboratory. */
    public LabOutcome run() throws InterruptedException {
        Instant startedAt = Instant.now();
        LabOutcome statements =
                lab.ofStatements().isEmpty() ? null : LabRun.of(request.database(), lab, regions, display, watcher);
        if (traffic != null) {
            return withTraffic(statements, traffic, startedAt);
        }
        if (statements == null) {
            throw new IllegalStateException("No experiment");
        }
        return statements;
    }

    private @Nullable Regions regions() {
        DatabaseSource database = request.database();
        if (!database.hasRegions() || lab.ofRegions().isEmpty()) {
            return null;
        }
        RegionMap map = request.regions().mapOr(RegionMap.tutorial());
        database.requireNodes(map);
        database.requireRegions(map);
        Distances distances = request.regions().distances(map);
        return new Regions(map, () -> database.regions(map, distances, null, false));
    }

    private TrafficExperiment traffic(RunningRegions.Listener starting) {
        if (!request.database().hasRegions()) {
            throw new UserError(
                    "Experiments multi-region-* need a database in each of several regions: name one --url and"
                            + " one --home a region, or no database");
        }
        TrafficExperiment experiment = new TrafficExperiment(
                new TrafficExperiment.Request(
                        request.plan(),
                        request.database(),
                        request.regions(),
                        lab.dataset(),
                        lab.scale(),
                        lab.out(),
                        lab.program(),
                        lab.command()),
                display,
                starting);
        experiment.checkNamed(lab.force());
        return experiment;
    }

    private LabOutcome withTraffic(@Nullable LabOutcome statements, TrafficExperiment experiment, Instant startedAt)
            throws InterruptedException {
        TrafficExperiment.Outcome measured;
        try {
            measured = experiment.run();
        } catch (UserError failed) {
            throw statements == null
                    ? failed
                    : new UserError(
                            failed.getMessage() + "; the experiments before it are in "
                                    + statements.bundle().report(),
                            failed);
        }
        RunBundle bundle = statements == null
                ? RunBundle.create(lab.out(), startedAt, measured.engine().folder(), "lab")
                : statements.bundle();
        LabResults before =
                statements == null ? LabResults.of(measured.results(), startedAt, Lab.rules()) : statements.results();
        LabResults results = before.with(
                LabResults.Traffic.of(
                        measured.results(), "../" + measured.bundle().folder().getFileName(), lab.ofTraffic()),
                Duration.between(startedAt, Instant.now()).toMillis() / 1e3);
        bundle.write(results);
        return new LabOutcome(results, bundle);
    }
}
