package io.movr.cli;

import io.movr.Refusal;
import io.movr.database.Cluster;
import io.movr.database.Engine;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.schema.Placement;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr regions}. */
@Command(
        name = "regions",
        description = "Show where a cluster keeps the rows of each table.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Exit code 1 when a leaseholder is away from the region of its rows.",
            "",
            "Examples:",
            "  movr regions --placement --url \"postgresql://root@localhost:26257/movr?sslmode=disable\""
        })
final class RegionsCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--placement", description = "Leaseholders and replicas of each table by region.")
    private boolean placement;

    @Mixin
    private RegionOptions regions = new RegionOptions();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        PrintWriter output = Objects.requireNonNull(spec).commandLine().getOut();
        if (!placement) {
            throw new Refusal("Say what to show: --placement");
        }
        if (!database.isNamed()) {
            throw new Refusal("Say of which cluster: --url postgresql://root@localhost:26257/movr");
        }
        RegionMap map = regions.map();
        try (Cluster cluster = database.kept()) {
            if (cluster.engine() != Engine.COCKROACHDB) {
                throw new Refusal("One " + cluster.engine().title()
                        + " server keeps every row itself: there is no placement to show");
            }
            Placement seen;
            try (Connection connection = cluster.gateway().connect("movr-regions")) {
                seen = Placement.read(connection, map);
            } catch (SQLException failed) {
                throw new Refusal("Cannot ask where the rows are: " + Refusal.firstLine(failed), failed);
            }
            print(seen, map, output);
            output.flush();
            return seen.away().isEmpty() ? 0 : 1;
        }
    }

    static void print(Placement seen, RegionMap map, PrintWriter output) {
        List<String> names =
                new ArrayList<>(map.cities().keySet().stream().map(Region::name).toList());
        seen.ranges().stream()
                .map(Placement.Range::leaseholder)
                .filter(region -> region != null && !names.contains(region))
                .distinct()
                .forEach(names::add);
        output.println(
                seen.isPlaced()
                        ? "Leaseholders of partitions by region:"
                        : "Leaseholders by region. No range is one of the regions "
                                + map.cities().keySet()
                                + ": stage 7, geo-partitioned, makes some; other regions are named with --home.");
        output.printf("  %-28s", "");
        names.forEach(name -> output.printf("%14s", name));
        output.println();
        for (Map.Entry<String, Map<String, Long>> table : seen.leaseholders().entrySet()) {
            output.printf("  %-28s", table.getKey());
            for (String name : names) {
                output.printf("%14s", table.getValue().getOrDefault(name, 0L));
            }
            output.println();
        }
        output.printf(
                Locale.ROOT,
                "%d ranges, %d of them away from their region%n",
                seen.ranges().size(),
                seen.away().size());
        for (Placement.Range range : seen.away()) {
            output.println("  " + range.table() + "@" + range.index() + ": rows of " + range.home()
                    + ", leaseholder in " + range.leaseholder() + ", replicas in "
                    + String.join(", ", range.replicas()));
        }
    }
}
