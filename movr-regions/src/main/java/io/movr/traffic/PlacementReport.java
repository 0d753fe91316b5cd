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
 * The placement of rows by region, for a terminal.
 *
 * @param lines leaseholders and replicas of each table by region
 * @param settled whether every leaseholder is in the home region of its rows
 */
public record PlacementReport(List<String> lines, boolean settled) {

    /**
     * Reads the placement from the running regions, or from the cluster that the user names.
     *
     * @param folder the folder of the running regions
     * @throws UserError if there is neither
     */
    public static PlacementReport of(DatabaseSource database, RegionMap map, Path folder) {
        if (database.isUnspecified() && Control.isRunning(folder)) {
            List<String> lines = new ArrayList<>();
            String away = Control.sendCommand(folder, List.of("placement"), lines::add);
            return new PlacementReport(lines, away.equals("0"));
        }
        if (!database.isNamed()) {
            throw new UserError(
                    "No regions run here: name a cluster, such as --url postgresql://root@localhost:26257/movr");
        }
        try (Cluster cluster = database.kept()) {
            Placement placement = Placement.of(cluster, map)
                    .orElseThrow(() -> new UserError("One " + cluster.engine().title()
                            + " server stores every row: there is no placement to show"));
            return new PlacementReport(
                    PlacementTable.of(placement, map).lines().toList(),
                    placement.away().isEmpty());
        } catch (SQLException failed) {
            throw new UserError("Cannot read the placement of the rows: " + UserError.firstLine(failed), failed);
        }
    }
}
