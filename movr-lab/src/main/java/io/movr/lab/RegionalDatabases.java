package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Closeables;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Gateway;
import io.movr.database.RegionLinks;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.environment.Preflight;
import io.movr.environment.StatementTimeout;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.report.LabResults.Check;
import io.movr.schema.Placement;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The databases of the experiments with regions: the same rows at several stages, with a gateway in every region.
 * Embedded PostgreSQL runs three servers for each stage, a cluster has one database for each stage.
 */
final class RegionalDatabases implements ExperimentDatabases {

    private static final Duration PLACEMENT_LIMIT = Duration.ofMinutes(15);
    private static final int ROUND_TRIPS = 9;
    /** Executions until descriptors, statistics and leaseholders are in the gateway's caches. */
    private static final int WARM_UPS = 6;

    /** A cluster continues to move replicas for a while, and a statement may take a longer way until then. */
    private static final int ATTEMPTS = 5;

    private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(5);
    private static final double TOLERANCE_MS = 3;
    private static final double TOLERANCE = 0.1;
    /** The multiple of the tolerance that is a problem: a busy machine causes a smaller difference. */
    private static final double FAR_TOO_MUCH = 3;

    /** About half of the clock offset that CockroachDB tolerates. */
    private static final double CLOCKS_APART_MS = 200;

    private final Regions regions;
    private final Map<Stage, Cluster> clusters = new EnumMap<>(Stage.class);
    private final Map<Stage, String> names = new EnumMap<>(Stage.class);
    private @Nullable Databases databases;
    /** The backup of a stage at which no rows are placed yet. */
    private @Nullable Backup backup;

    /**
     * Loads each stage of the sides of some experiments.
     *
     * @param step receives what is done next
     * @throws UserError if a stage cannot be prepared
     */
    RegionalDatabases(
            Regions regions,
            LabRequest request,
            List<Experiment> experiments,
            LoadProgress progress,
            Consumer<String> step) {
        this.regions = regions;
        Set<Stage> stages = EnumSet.noneOf(Stage.class);
        for (Experiment experiment : experiments) {
            stages.add(experiment.before().stage());
            stages.add(experiment.after().stage());
        }
        try {
            for (Stage stage : stages) {
                step.accept("Starting a database in each region, for stage " + stage);
                prepare(stage, request.dataset(), request.connections(), progress, step);
            }
        } catch (RuntimeException failed) {
            throw Closeables.closeAfter(failed, this);
        }
    }

    private void prepare(Stage stage, DatasetSpec spec, int connections, LoadProgress progress, Consumer<String> step) {
        Cluster shared = databases == null ? null : clusters.values().iterator().next();
        Cluster cluster = shared == null ? regions.clusters().get() : shared;
        clusters.put(stage, cluster);
        if (!cluster.gateways().keySet().equals(regions.map().cities().keySet())) {
            throw new UserError("There are gateways of " + cluster.gateways().keySet() + ", and cities in "
                    + regions.map().cities().keySet() + ": name one --url and one --home a region");
        }
        cluster.distant(false);
        if (cluster.servers().isEmpty() && databases == null) {
            databases = new Databases(cluster);
        }
        String name = "regions-" + stage.id();
        Gateway restored = backup == null ? null : backup.restored(name);
        Gateway gateway = restored != null ? restored : databases != null ? databases.create(name) : cluster.gateway();
        names.put(stage, gateway.database());
        if (restored == null) {
            step.accept("Loading " + String.format("%,d", spec.totalRows()) + " rows for stage " + stage);
            new BulkLoader(cluster.engine(), gateway, progress).load(spec, connections, IfFilled.REFUSE);
        }
        step.accept("Preparing stage " + stage);
        Schema.of(cluster, gateway, regions.map()).migrateTo(stage, now -> step.accept(now.what()));
        if (databases != null && backup == null && !stage.isRegional()) {
            backup = new Backup(databases, gateway);
        }
        Placement.settle(cluster.engine(), gateway, regions.map(), stage, PLACEMENT_LIMIT, step);
        cluster.distant(true);
    }

    /** Returns the gateway in the region of the experiment's city. */
    @Override
    public Endpoints at(Experiment experiment, Side side) {
        Stage stage = side.stage();
        String city = Objects.requireNonNull(experiment.city());
        Cluster cluster = Objects.requireNonNull(clusters.get(stage), stage.id());
        Region region = regions.map()
                .regionOf(city)
                .orElseThrow(() -> new UserError("No region has the city '" + city + "': give it one with --home"));
        String database = Objects.requireNonNull(names.get(stage));
        Gateway measured =
                Objects.requireNonNull(cluster.gateways().get(region)).toDatabase(database);
        if (cluster.servers().isEmpty()) {
            // The nodes of one database also talk to each other, so the delay of their links stays.
            return new Endpoints(
                    measured, stage.movesRows() ? measured : cluster.gateway().toDatabase(database), null);
        }
        Gateway server = stage.isRegional() ? cluster.servers().get(region) : cluster.gateway();
        return new Endpoints(
                measured, Objects.requireNonNull(server), cluster.links().orElse(null));
    }

    @Override
    public @Nullable Map<String, Long> rows(Experiment experiment) {
        return null;
    }

    /**
     * Checks what must be known of the regions before a figure of them means anything.
     *
     * @throws UserError if a region does not answer
     */
    @Override
    public List<Check> checks() {
        try {
            Check roundTrips = roundTrips();
            for (int attempt = 1; attempt < ATTEMPTS && !roundTrips.status().equals("ok"); attempt++) {
                TimeUnit.NANOSECONDS.sleep(BETWEEN_ATTEMPTS.toNanos());
                roundTrips = roundTrips();
            }
            List<Check> checks = new ArrayList<>(List.of(clocks(), roundTrips));
            if (clusters.values().iterator().next().engine().isMultiRegion()) {
                checks.add(new Check(
                        "placement",
                        "ok",
                        "every leaseholder before in " + regions.map().primary() + ", after in its home region",
                        ""));
            }
            return checks;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError("Measuring the round trips between regions was interrupted", interrupted);
        } catch (SQLException failed) {
            throw new UserError("The regions do not answer: " + UserError.firstLine(failed), failed);
        }
    }

    /** Checks that the clocks of the gateways agree, as far as the round trips allow. */
    private Check clocks() throws SQLException {
        Cluster cluster = clusters.values().iterator().next();
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        for (Gateway gateway : cluster.gateways().values()) {
            try (Connection connection = StatementTimeout.bounded(gateway, StatementTimeout.SAMPLE_LIMIT)
                    .connect("movr-preflight")) {
                double ahead = Preflight.clockAheadMs(connection);
                min = Math.min(min, ahead);
                max = Math.max(max, ahead);
            }
        }
        boolean close = max - min <= CLOCKS_APART_MS;
        return new Check(
                "clocks of the gateways",
                close ? "ok" : "problem",
                String.format(Locale.ROOT, "at most %.0f ms apart", max - min),
                close ? "" : "set them by NTP: nodes of CockroachDB end themselves when they are 400 ms apart");
    }

    /**
     * Checks the round trips between regions. If all rows are in the first region, every statement of another region goes
     * there; if they are placed, a statement about a row of another region goes to that region.
     */
    private Check roundTrips() throws SQLException {
        Stage stage = clusters.keySet().iterator().next();
        boolean separate =
                !Objects.requireNonNull(clusters.get(stage)).servers().isEmpty();
        if (!separate) {
            stage = clusters.keySet().stream()
                    .filter(Stage::movesRows)
                    .findFirst()
                    .orElse(stage);
        }
        Cluster cluster = Objects.requireNonNull(clusters.get(stage), stage.id());
        Map<List<Region>, Double> measured = new LinkedHashMap<>();
        for (Region from : regions.map().cities().keySet()) {
            List<Region> others = separate
                    ? List.of(regions.map().primary())
                    : List.copyOf(regions.map().cities().keySet());
            Gateway gateway = Objects.requireNonNull(cluster.gateways().get(from))
                    .toDatabase(Objects.requireNonNull(names.get(stage)));
            for (Region to : others) {
                if (!to.equals(from)) {
                    String city = regions.map().citiesOf(to).get(0);
                    measured.put(
                            List.of(from, to),
                            separate
                                    ? median(gateway, "SELECT 1", List.of())
                                    : median(gateway, "SELECT id FROM users WHERE city = ? LIMIT 1", List.of(city)));
                }
            }
        }
        return roundTrips(measured, cluster.links().map(RegionLinks::distances).orElse(null));
    }

    /**
     * Compares measured round trips with the configured ones.
     *
     * @param measured the milliseconds by pair of regions
     * @param configured {@code null} if movr does not run the links
     */
    static Check roundTrips(Map<List<Region>, Double> measured, @Nullable Distances configured) {
        List<String> details = new ArrayList<>();
        double farthestOff = 0;
        for (Map.Entry<List<Region>, Double> pair : measured.entrySet()) {
            Region from = pair.getKey().get(0);
            Region to = pair.getKey().get(1);
            String shown = String.format(Locale.ROOT, "%s to %s %.1f ms", from, to, pair.getValue());
            if (configured == null) {
                details.add(shown);
                continue;
            }
            double wanted = configured.roundTrip(from, to).toNanos() / 1e6;
            farthestOff =
                    Math.max(farthestOff, Math.abs(pair.getValue() - wanted) / (TOLERANCE_MS + TOLERANCE * wanted));
            details.add(shown + String.format(Locale.ROOT, " (configured: %.0f)", wanted));
        }
        return new Check(
                "round trips between regions",
                farthestOff <= 1 ? "ok" : farthestOff <= FAR_TOO_MUCH ? "warning" : "problem",
                String.join(", ", details) + (configured == null ? "; no round trips are configured" : ""),
                farthestOff <= 1 ? "" : "end what else runs here, or see whether rows are where they should be");
    }

    private static double median(Gateway gateway, String sql, List<?> parameters) throws SQLException {
        try (Connection connection =
                StatementTimeout.bounded(gateway, StatementTimeout.SAMPLE_LIMIT).connect("movr-preflight")) {
            return Preflight.medianMs(connection, sql, parameters, WARM_UPS, ROUND_TRIPS);
        }
    }

    @Override
    public void close() {
        // The databases of a cluster are dropped first, without the delay of links, because that takes many round
        // trips.
        List<Runnable> parts = new ArrayList<>();
        if (databases != null) {
            clusters.values().forEach(cluster -> parts.add(() -> cluster.distant(false)));
            parts.add(databases::close);
        }
        clusters.values().stream().distinct().forEach(cluster -> parts.add(cluster::close));
        Closeables.closeAll(parts, Runnable::run);
    }
}
