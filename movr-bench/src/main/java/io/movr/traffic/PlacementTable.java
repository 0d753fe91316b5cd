package io.movr.traffic;

import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.schema.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Leaseholders and replicas of each index by region, as a table for a terminal. */
public final class PlacementTable {

    private PlacementTable() {}

    /** The table, lines ended. */
    public static String of(Placement seen, RegionMap map) {
        List<String> names =
                new ArrayList<>(map.cities().keySet().stream().map(Region::name).toList());
        Map<String, Map<String, Placement.Share>> shares = seen.shares();
        shares.values().stream()
                .flatMap(of -> of.keySet().stream())
                .filter(region -> !names.contains(region))
                .distinct()
                .forEach(names::add);
        StringBuilder text = new StringBuilder(
                seen.isPlaced()
                        ? "Leaseholders of partitions, and all their replicas, by region:"
                        : "Leaseholders, and all replicas, by region. No range is one of the regions "
                                + map.cities().keySet()
                                + ": stage 7, geo-partitioned, makes some; other regions are named with --home.");
        String index = "%n  %-"
                + shares.keySet().stream().mapToInt(String::length).max().orElse(1) + "s";
        text.append(String.format(index, ""));
        names.forEach(name -> text.append(String.format("%16s", name)));
        for (Map.Entry<String, Map<String, Placement.Share>> of : shares.entrySet()) {
            text.append(String.format(index, of.getKey()));
            for (String region : names) {
                Placement.Share share = of.getValue().getOrDefault(region, Placement.Share.NONE);
                text.append(String.format("%8d, %6d", share.leaseholders(), share.replicas()));
            }
        }
        text.append(String.format(
                Locale.ROOT,
                "%n%d ranges, %d of them away from their region%n",
                seen.ranges().size(),
                seen.away().size()));
        for (Placement.Range range : seen.away()) {
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
