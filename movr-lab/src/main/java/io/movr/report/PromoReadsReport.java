package io.movr.report;

import static io.movr.report.ReportParts.counted;
import static io.movr.report.ReportParts.measured;
import static io.movr.report.ReportParts.percent;

import io.movr.report.TrafficResults.PromoReads;
import io.movr.report.TrafficResults.RegionReads;
import io.movr.report.model.Block.Bullets;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Block.Tone;
import io.movr.report.model.Cell;
import io.movr.report.model.Cell.Part;
import io.movr.report.model.Cell.Style;
import io.movr.report.model.Column;
import io.movr.report.model.Section;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Promo codes, read in every region while the primary region changes them. */
final class PromoReadsReport {

    private PromoReadsReport() {}

    static Section section(List<PromoReads> modes) {
        Section section = new Section("promos", "Promo codes, read in every region");
        if (modes.isEmpty()) {
            return section;
        }
        section.addToPage(
                new Text("One client in each region reads promo codes while the primary region changes 20 of them, 50"
                        + " times per second."
                        + " A read is stale if it began after a newer version had been acknowledged; its age"
                        + " is the time since then."));
        List<List<Cell>> rows = new ArrayList<>();
        Map<String, String> meanings = new LinkedHashMap<>();
        for (PromoReads mode : modes) {
            meanings.put(mode.mode(), mode.meaning());
            for (RegionReads region : mode.regions()) {
                boolean hasStale = region.stale() > 0;
                String stale = percent(region.staleShare());
                rows.add(List.of(
                        Cell.of(mode.stage()),
                        Cell.EMPTY.with(new Part(mode.mode(), Style.PLAIN, "", mode.meaning())),
                        Cell.of(region.region()),
                        measured(region.medianMs()),
                        measured(region.p99Ms()),
                        counted(region.reads()),
                        mode.exact() && hasStale ? Cell.EMPTY.with(stale, Style.BAD) : Cell.of(stale),
                        measured(hasStale ? region.ageP50Ms() : null),
                        measured(hasStale ? region.ageMaxMs() : null),
                        measured(mode.writeMedianMs())));
            }
            section.addToText(new Text("Promo codes at " + mode.stage() + ", " + mode.mode() + ": "
                    + mode.regions().stream().map(PromoReadsReport::reads).collect(Collectors.joining("; "))));
            if (mode.isWrong()) {
                section.add(new Text(
                        "None of these reads may be stale: " + mode.mode() + " at " + mode.stage(), Tone.WARNING));
            }
        }
        return section.addToPage(new Table(
                        "Promo codes, read in every region",
                        TableLayout.PLAIN,
                        Column.list(
                                "Stage | Way of reading | Region | #p50, ms | #p99, ms | #Reads | #Stale | #Age p50,"
                                        + " ms | "
                                        + "#Oldest, ms | #Write p50, ms"),
                        rows))
                .addToPage(Bullets.of(meanings.entrySet().stream()
                        .map(mode -> mode.getKey() + ": " + mode.getValue())
                        .toList()));
    }

    private static String reads(RegionReads region) {
        return String.format(
                Locale.ROOT,
                "%s %.1f ms, %s stale%s",
                region.region(),
                region.medianMs(),
                percent(region.staleShare()),
                region.stale() == 0 ? "" : String.format(Locale.ROOT, " by %.0f ms", region.ageP50Ms()));
    }
}
