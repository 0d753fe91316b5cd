package io.movr.report;

import static io.movr.report.ReportParts.duration;

import io.movr.report.TrafficResults.Migration;
import io.movr.report.TrafficResults.Phase;
import io.movr.report.TrafficResults.Run;
import io.movr.report.TrafficResults.Second;
import io.movr.report.model.Block.Figure;
import io.movr.report.model.Chart;
import io.movr.report.model.Section;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The latency over time of traffic, with the stretches without traffic shortened. */
final class TrafficTimeline {

    /** A longer pause without traffic is shortened. */
    private static final long MAX_PAUSE_MS = 3000;
    /** The length of a shortened pause on the axis, in milliseconds of traffic. */
    private static final double SHORT_PAUSE_MS = 4000;

    private static final double MIGRATION_PAUSE_MS = 12_000;
    private static final List<Integer> TICK_SECONDS = List.of(1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800);
    private static final int MAX_TICKS = 24;

    private final TrafficResults results;
    private final List<Phase> phases;
    private final List<Second> seconds;
    private final List<Part> stretches;
    private final long start;

    /** A stretch of one phase with traffic. */
    private record Part(String phase, long start, long end) {}

    private TrafficTimeline(TrafficResults results, List<Phase> phases) {
        this.results = results;
        this.phases = phases;
        this.seconds = results.timeline().stream()
                .sorted(Comparator.comparingLong(Second::atMs))
                .toList();
        this.stretches = stretches(seconds);
        this.start = Stream.concat(seconds.stream().limit(1).map(Second::atMs), runs().map(Run::startedMs))
                .mapToLong(Long::longValue)
                .min()
                .orElse(0);
    }

    /** Returns the section; without blocks if no second was recorded. */
    static Section section(TrafficResults results, List<Phase> phases, List<String> regions) {
        TrafficTimeline timeline = new TrafficTimeline(results, phases);
        Section section = new Section("timeline", "Latency over time");
        return timeline.seconds.isEmpty()
                ? section
                : section.addToPage(new Figure(
                        "Latency in each second by region; results.json holds the same numbers",
                        timeline.caption(),
                        timeline.chart(regions)));
    }

    private Stream<Run> runs() {
        return phases.stream().flatMap(phase -> phase.runs().stream());
    }

    private static List<Part> stretches(List<Second> seconds) {
        List<Part> stretches = new ArrayList<>();
        for (Second second : seconds) {
            Part last = stretches.isEmpty() ? null : stretches.get(stretches.size() - 1);
            long end = second.atMs() + 1000;
            if (last != null && last.phase().equals(second.phase()) && second.atMs() - last.end() <= MAX_PAUSE_MS) {
                stretches.set(stretches.size() - 1, new Part(last.phase(), last.start(), Math.max(last.end(), end)));
            } else if (last == null || end > last.end()) {
                stretches.add(new Part(second.phase(), Math.max(second.atMs(), last == null ? 0 : last.end()), end));
            }
        }
        return stretches;
    }

    /** Returns the place of a moment on the axis, in seconds of traffic. */
    private double place(double atMs) {
        double place = 0;
        for (int number = 0; number < stretches.size(); number++) {
            Part stretch = stretches.get(number);
            if (atMs <= stretch.start()) {
                return place / 1000;
            }
            if (atMs <= stretch.end()) {
                return (place + atMs - stretch.start()) / 1000;
            }
            place += stretch.end() - stretch.start();
            if (number + 1 < stretches.size()) {
                Part next = stretches.get(number + 1);
                double shown = pause(stretch, next);
                if (atMs < next.start()) {
                    return (place + shown * (atMs - stretch.end()) / (next.start() - stretch.end())) / 1000;
                }
                place += shown;
            }
        }
        return place / 1000;
    }

    private double place(long atMs) {
        return place((double) atMs);
    }

    private double pause(Part one, Part next) {
        long pause = next.start() - one.end();
        if (pause <= MAX_PAUSE_MS) {
            return pause;
        }
        Migration migration = results.migration();
        boolean isMigrating = migration.startedMs() < next.start() && migrationEnd() > one.end();
        return isMigrating ? MIGRATION_PAUSE_MS : SHORT_PAUSE_MS;
    }

    private double migrationEnd() {
        return results.migration().startedMs() + 1000 * results.migration().seconds();
    }

    private boolean showsMigration() {
        return results.migration().startedMs()
                        < stretches.get(stretches.size() - 1).end()
                && migrationEnd() > stretches.get(0).start();
    }

    private Chart.Timeline chart(List<String> regions) {
        return new Chart.Timeline(
                results.latencyClassWidth(),
                ticks(),
                bands(),
                breaks(),
                regions.stream()
                        .filter(region -> seconds.stream()
                                .anyMatch(second -> second.region().equals(region)))
                        .toList(),
                seconds.stream().map(this::point).toList());
    }

    private Chart.Second point(Second second) {
        int stretch = 0;
        while (stretch + 1 < stretches.size()
                && second.atMs() >= stretches.get(stretch + 1).start()) {
            stretch++;
        }
        Map<String, Long> counts = new TreeMap<>();
        if (second.counts() != null) {
            second.counts().forEach((latencyClass, number) -> counts.put(latencyClass.toString(), number.longValue()));
        }
        return new Chart.Second(
                second.region(),
                second.phase(),
                stretch,
                place(second.atMs() + 500.0),
                (second.atMs() - start) / 1000,
                second.p50Ms(),
                second.p99Ms(),
                second.maxMs(),
                second.answered(),
                second.failed(),
                counts);
    }

    private Map<Double, String> ticks() {
        long all = stretches.stream()
                        .mapToLong(stretch -> stretch.end() - stretch.start())
                        .sum()
                / 1000;
        int step = TICK_SECONDS.stream()
                .filter(seconds -> all / seconds <= MAX_TICKS)
                .findFirst()
                .orElse(3600);
        Map<Double, String> ticks = new TreeMap<>();
        for (Part stretch : stretches) {
            double first = Math.ceil((stretch.start() - start) / 1000.0 / step) * step;
            for (double second = first; second * 1000 + start < stretch.end(); second += step) {
                ticks.put(place(start + 1000 * second), Long.toString((long) second));
            }
        }
        return ticks;
    }

    /** Every stretch, and over it what was counted: the warm-up stays paler. */
    private List<Chart.Stretch> bands() {
        List<Chart.Stretch> bands = new ArrayList<>();
        boolean isAlternating = results.load().isAlternating();
        for (Part stretch : stretches) {
            boolean isFirst = bands.stream().noneMatch(band -> band.kind().equals(stretch.phase()));
            String stage = phases.stream()
                    .filter(phase -> phase.id().equals(stretch.phase()))
                    .map(Phase::stage)
                    .findFirst()
                    .orElse("");
            bands.add(new Chart.Stretch(
                    isAlternating ? stretch.phase() : isFirst ? stretch.phase() + ": " + stage : "",
                    stretch.phase(),
                    false,
                    place(stretch.start()),
                    place(stretch.end())));
        }
        for (Phase phase : phases) {
            phase.runs()
                    .forEach(run -> bands.add(new Chart.Stretch(
                            "",
                            phase.id(),
                            true,
                            place(Math.floorDiv(run.startedMs(), 1000) * 1000.0),
                            place(run.endedMs()))));
        }
        if (showsMigration()) {
            bands.add(new Chart.Stretch(
                    "migration " + duration(results.migration().seconds()),
                    "migration",
                    true,
                    place(results.migration().startedMs()),
                    place(migrationEnd())));
        }
        return bands;
    }

    private List<Double> breaks() {
        List<Double> breaks = new ArrayList<>();
        for (int number = 0; number + 1 < stretches.size(); number++) {
            Part one = stretches.get(number);
            Part next = stretches.get(number + 1);
            if (next.start() - one.end() > MAX_PAUSE_MS) {
                breaks.add((place(one.end()) + place(next.start())) / 2);
            }
        }
        return breaks;
    }

    private String caption() {
        List<String> words = new ArrayList<>(List.of(
                "Seconds since the first phase began, milliseconds on a logarithmic axis, the same for all regions."));
        if (!breaks().isEmpty()) {
            words.add("Stretches without traffic are shortened; a dotted line marks each.");
        }
        words.add("The paler beginning of a run is its warm-up, which is not counted.");
        Migration migration = results.migration();
        words.add("The migration from " + migration.from() + " to " + migration.to() + " took "
                + duration(migration.seconds()) + (migration.underTraffic() ? " under traffic" : " without traffic")
                + locks(migration) + ".");
        words.add("Point at a second for its numbers.");
        return String.join(" ", words);
    }

    private static String locks(Migration migration) {
        return migration.lockedMs().isEmpty()
                ? ""
                : "; tables were locked "
                        + migration.lockedMs().entrySet().stream()
                                .map(stage -> ReportParts.count(stage.getValue()) + " ms at " + stage.getKey())
                                .collect(Collectors.joining(" and "));
    }
}
