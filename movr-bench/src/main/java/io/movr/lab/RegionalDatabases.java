package io.movr.lab;

import io.movr.Refusal;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.EmbeddedRegions;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.BulkLoader.IfFilled;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
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
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The same rows at several stages, each reached through a gateway in every region: of embedded PostgreSQL three servers a
 * stage, of a cluster a database a stage.
 */
final class RegionalDatabases implements AutoCloseable {

    private static final Duration PLACEMENT_LIMIT = Duration.ofMinutes(15);
    private static final int ROUND_TRIPS = 9;
    private static final double TOLERANCE_MS = 2;
    private static final double TOLERANCE = 0.1;

    private final Regions regions;
    private final Map<Stage, Cluster> clusters = new EnumMap<>(Stage.class);
    private final Map<Stage, String> names = new EnumMap<>(Stage.class);
    private @Nullable Databases databases;

    /**
     * Loads each stage.
     *
     * @param step is told what is being done
     * @throws Refusal when a stage cannot be prepared
     */
    RegionalDatabases(
            Regions regions,
            DatasetSpec spec,
            int connections,
            Set<Stage> stages,
            LoadProgress progress,
            Consumer<String> step) {
        this.regions = regions;
        try {
            for (Stage stage : stages) {
                step.accept("Starting a database in each region, for stage " + stage);
                prepare(stage, spec, connections, progress, step);
            }
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    private void prepare(Stage stage, DatasetSpec spec, int connections, LoadProgress progress, Consumer<String> step) {
        Cluster shared = databases == null ? null : clusters.values().iterator().next();
        Cluster cluster = shared == null ? regions.clusters().get() : shared;
        clusters.put(stage, cluster);
        if (!cluster.gateways().keySet().equals(regions.map().cities().keySet())) {
            throw new Refusal("There are gateways of " + cluster.gateways().keySet() + ", and cities in "
                    + regions.map().cities().keySet() + ": name one --url and one --home a region");
        }
        cluster.distant(false);
        Gateway gateway = cluster.gateway();
        if (!(cluster instanceof EmbeddedRegions)) {
            databases = databases == null ? new Databases(cluster) : databases;
            gateway = databases.create("regions-" + stage.id());
        }
        names.put(stage, gateway.database());
        step.accept("Loading " + String.format("%,d", spec.totalRows()) + " rows for stage " + stage);
        new BulkLoader(cluster.engine(), gateway, progress).load(spec, connections, IfFilled.REFUSE);
        step.accept("Preparing stage " + stage);
        Schema schema = cluster instanceof EmbeddedRegions
                ? Schema.of(cluster, regions.map())
                : new Schema(cluster.engine(), gateway, regions.map());
        schema.migrateTo(stage, now -> step.accept(now.what()));
        cluster.distant(true);
        if (cluster.engine() == Engine.COCKROACHDB && stage.isRegional()) {
            List<Placement.Range> away = Placement.await(
                            gateway,
                            regions.map(),
                            PLACEMENT_LIMIT,
                            now -> step.accept(now.away().size() + " ranges have no leaseholder in their region yet"))
                    .away();
            if (!away.isEmpty()) {
                throw new Refusal(away.size() + " ranges have no leaseholder in their region after "
                        + PLACEMENT_LIMIT.toMinutes() + " minutes: see 'movr regions --placement'");
            }
        }
    }

    /** Where the rows of a city are asked for in the city's region. */
    Place at(Stage stage, String city) {
        Cluster cluster = Objects.requireNonNull(clusters.get(stage), stage.id());
        Region region = regions.map()
                .regionOf(city)
                .orElseThrow(() -> new Refusal("No region has the city '" + city + "': give it one with --home"));
        String database = Objects.requireNonNull(names.get(stage));
        Gateway measured =
                Objects.requireNonNull(cluster.gateways().get(region)).toDatabase(database);
        if (!(cluster instanceof EmbeddedRegions embedded)) {
            return Place.at(measured);
        }
        Gateway server = stage.isRegional() ? embedded.servers().get(region) : embedded.gateway();
        return new Place(measured, Objects.requireNonNull(server));
    }

    /** Whether the regions are as far from each other as they should be. */
    Check roundTrips() throws SQLException {
        Stage first = clusters.keySet().iterator().next();
        Cluster cluster = Objects.requireNonNull(clusters.get(first));
        if (!(cluster instanceof EmbeddedRegions) || first.isRegional()) {
            return new Check(
                    "round trips between regions",
                    "unknown",
                    "between nodes, which a client does not see",
                    "compare the figures of rows that are away with what is known of the network");
        }
        Distances configured = cluster.links().orElseThrow().distances();
        Region primary = regions.map().primary();
        List<String> told = new ArrayList<>();
        boolean right = true;
        for (Map.Entry<Region, Gateway> gateway : cluster.gateways().entrySet()) {
            double wanted = configured.roundTrip(gateway.getKey(), primary).toNanos() / 1e6;
            double median = roundTrip(gateway.getValue());
            right &= Math.abs(median - wanted) <= TOLERANCE_MS + TOLERANCE * wanted;
            if (!gateway.getKey().equals(primary)) {
                told.add(String.format(
                        Locale.ROOT, "%s to %s %.1f ms (configured: %.0f)", gateway.getKey(), primary, median, wanted));
            }
        }
        return new Check(
                "round trips between regions",
                right ? "ok" : "problem",
                String.join(", ", told),
                right ? "" : "end what else runs here: the links cannot keep up");
    }

    private static double roundTrip(Gateway gateway) throws SQLException {
        double[] milliseconds = new double[ROUND_TRIPS];
        try (Connection connection = gateway.connect("movr-preflight")) {
            for (int index = 0; index < milliseconds.length; index++) {
                long begun = System.nanoTime();
                Rows.query(connection, "SELECT 1", List.of());
                milliseconds[index] = (System.nanoTime() - begun) / 1e6;
            }
        }
        Arrays.sort(milliseconds);
        return milliseconds[milliseconds.length / 2];
    }

    @Override
    public void close() {
        if (databases != null) {
            databases.close();
        }
        clusters.values().stream().distinct().forEach(Cluster::close);
    }
}
