package io.movr.traffic;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.region.RegionMap;
import io.movr.schema.Placement;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the rows of regions are, for a terminal.
 *
 * @param lines leaseholders and replicas of each table by region
 * @param settled whether no leaseholder is away from the region of its rows
 */
public record PlacementReport(List<String> lines, boolean settled) {

    /**
     * Asks the regions that run, or the cluster that the user names.
     *
     * @param folder of the regions that run
     * @throws UserError if there is neither
     */
    public static PlacementReport of(DatabaseSource database, RegionMap map, Path folder) {
        if (database.isUnspecified() && Control.isRunning(folder)) {
            List<String> lines = new ArrayList<>();
            String away = Control.ask(folder, List.of("placement"), lines::add);
            return new PlacementReport(lines, away.equals("0"));
        }
        if (!database.isNamed()) {
            throw new UserError(
                    "No regions run here: say of which cluster, --url postgresql://root@localhost:26257/movr");
        }
        try (Cluster cluster = database.kept()) {
            Placement placement = Placement.of(cluster, map)
                    .orElseThrow(() -> new UserError("One " + cluster.engine().title()
                            + " server keeps every row itself: there is no placement to show"));
            return new PlacementReport(
                    PlacementTable.of(placement, map).lines().toList(),
                    placement.away().isEmpty());
        } catch (SQLException failed) {
            throw new UserError("Cannot ask where the rows are: " + UserError.firstLine(failed), failed);
        }
    }
}
