package io.movr.traffic;

import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.report.render.TextTable;
import io.movr.schema.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Leaseholders and replicas of each index by region, as a table for a terminal. */
final class PlacementTable {

    private PlacementTable() {}

    /** Returns the table; every line ends with a line separator. */
    public static String of(Placement placement, RegionMap map) {
        List<String> names =
                new ArrayList<>(map.cities().keySet().stream().map(Region::name).toList());
        Map<String, Map<String, Placement.Share>> shares = placement.shares();
        shares.values().stream()
                .flatMap(of -> of.keySet().stream())
                .filter(region -> !names.contains(region))
                .distinct()
                .forEach(names::add);
        StringBuilder text = new StringBuilder(
                placement.isPlaced()
                        ? "Leaseholders of partitions, and all their replicas, by region:"
                        : "Leaseholders, and all replicas, by region. No range belongs to one of the regions "
                                + map.cities().keySet()
                                + ": stage 7, geo-partitioned, places rows by region; --home names other regions.");
        TextTable table = new TextTable("l" + "r".repeat(names.size()));
        List<String> head = new ArrayList<>(List.of(""));
        head.addAll(names);
        table.row(head);
        shares.forEach((index, byRegion) -> {
            List<String> row = new ArrayList<>(List.of("  " + index));
            for (String region : names) {
                Placement.Share share = byRegion.getOrDefault(region, Placement.Share.NONE);
                row.add(String.format("%d, %6d", share.leaseholders(), share.replicas()));
            }
            table.row(row);
        });
        text.append(System.lineSeparator()).append(table);
        text.append(String.format(
                Locale.ROOT,
                "%d ranges, %d of them outside their home region%n",
                placement.ranges().size(),
                placement.away().size()));
        for (Placement.Range range : placement.away()) {
            text.append(String.format(
                    "  %s@%s: rows of %s, leaseholder in %s, replicas in %s%n",
                    range.table(),
                    range.index(),
                    range.home(),
                    range.leaseholder(),
                    String.join(", ", range.replicas())));
        }
        return text.toString();
    }
}
