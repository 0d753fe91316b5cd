package io.movr.compare;

import io.movr.TextInput;
import io.movr.UserError;
import io.movr.report.HistoryResults;
import io.movr.report.HistoryResults.Point;
import io.movr.report.HistoryResults.Run;
import io.movr.report.HistoryResults.Series;
import io.movr.stats.Interval;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.statistics.descriptive.Median;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the measures of many runs of {@code movr lab}, {@code movr bench} and of workloads, in the order of time. */
public final class History {

    private static final int DEEPEST = 4;
    private static final Pattern FILE = Pattern.compile("(.*\\.)?results\\.json(\\.gz)?");
    private static final String MILLISECONDS = "ms";

    private final List<Run> runs = new ArrayList<>();
    private final Map<String, Measure> measures = new LinkedHashMap<>();
    private Map<String, String> factsBefore = Map.of();

    /** One measure while its runs are read. */
    private record Measure(String name, String unit, List<Point> points) {}

    /** A file with the time of its run. */
    private record Source(Path file, JsonNode results) {

        String startedAt() {
            return results.path("startedAt").asString("");
        }
    }

    private History() {}

    /**
     * Reads a folder and those in it.
     *
     * @param filter of the names of measures; {@code null} for all
     * @throws UserError if it has no results of the three kinds, if one cannot be read, or if no measure is left
     */
    public static HistoryResults of(Path folder, @Nullable Pattern filter) {
        History history = new History();
        history.sources(folder).forEach(history::add);
        List<Measure> wanted = history.measures.values().stream()
                .filter(one -> filter == null || filter.matcher(one.name()).find())
                .toList();
        if (wanted.isEmpty()) {
            throw new UserError(
                    history.runs.isEmpty()
                            ? "There are no results.json of movr lab, movr bench or a workload in " + folder
                                    + ": name a folder of run bundles"
                            : "--filter matches none of the measures: the first is "
                                    + history.measures.keySet().iterator().next());
        }
        return new HistoryResults(
                String.valueOf(folder),
                history.runs,
                wanted.stream()
                        .map(one -> new Series(one.name(), one.unit(), one.points()))
                        .toList());
    }

    private List<Source> sources(Path folder) {
        if (!Files.isDirectory(folder)) {
            throw new UserError("There is no folder '" + folder + "': name one that holds run bundles");
        }
        try (Stream<Path> below = Files.walk(folder, DEEPEST)) {
            return below.filter(file ->
                            FILE.matcher(String.valueOf(file.getFileName())).matches())
                    .sorted()
                    .map(file -> new Source(file, read(file)))
                    .filter(source -> List.of("lab", "bench", "workload")
                            .contains(source.results().path("kind").asString("")))
                    .sorted(Comparator.comparing(Source::startedAt))
                    .toList();
        } catch (IOException failed) {
            throw new UserError("Cannot read " + folder + ": " + UserError.firstLine(failed), failed);
        }
    }

    private static JsonNode read(Path file) {
        try (Reader text = TextInput.open(file)) {
            return JsonMapper.shared().readTree(text);
        } catch (IOException | JacksonException failed) {
            throw new UserError("Cannot read " + file + ": " + UserError.firstLine(failed), failed);
        }
    }

    private void add(Source source) {
        JsonNode results = source.results();
        Path name = source.file().getFileName();
        Path parent = source.file().toAbsolutePath().normalize().getParent();
        boolean isBundle = String.valueOf(name).startsWith("results.json");
        Map<String, String> facts = facts(results);
        runs.add(new Run(
                String.valueOf(isBundle && parent != null ? parent.getFileName() : name),
                source.startedAt(),
                runs.isEmpty() ? List.of() : differences(factsBefore, facts)));
        factsBefore = facts;
        switch (results.path("kind").asString("")) {
            case "lab" -> addLaboratory(results);
            case "bench" -> addBenchmarks(source.file(), results);
            default -> addWorkload(results);
        }
    }

    /** Returns the facts of the environment that may explain a difference between two runs. */
    private static Map<String, String> facts(JsonNode results) {
        JsonNode environment = results.path("environment");
        Map<String, String> facts = new LinkedHashMap<>();
        for (String fact : List.of("database", "processor", "cores", "java", "os", "version", "commit")) {
            facts.put(fact, environment.path(fact).asString(""));
        }
        JsonNode scale = results.path("dataset").path("scale");
        if (!scale.isMissingNode()) {
            facts.put("scale", scale.asString(""));
        }
        return facts;
    }

    private void addLaboratory(JsonNode results) {
        String engine = engine(results);
        for (JsonNode experiment : results.path("experiments")) {
            String id = experiment.path("id").asString("") + engine;
            addInterval(id + ", before", experiment.path("before").path("medianMs"), MILLISECONDS);
            addInterval(id + ", after", experiment.path("after").path("medianMs"), MILLISECONDS);
            addInterval(id + ", ratio", experiment.path("improvement"), "×");
        }
    }

    private void addBenchmarks(Path file, JsonNode results) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null
                || !(Files.exists(folder.resolve("jmh.json")) || Files.exists(folder.resolve("jmh.json.gz")))) {
            return;
        }
        for (Measured one : ResultReader.read(folder).measured()) {
            double median = Median.withDefaults()
                    .evaluate(
                            one.forks().stream().flatMapToDouble(Arrays::stream).toArray());
            String params = one.params().isEmpty()
                    ? ""
                    : ", " + String.join(", ", one.params().values());
            String name = one.benchmark().replaceFirst("^.*\\.(?=[^.]+\\.[^.]+$)", "");
            add(name + params + ", " + one.mode() + engine(results), one.unit(), new Interval(median, median, median));
        }
    }

    private void addWorkload(JsonNode results) {
        String workload = results.path("workload").asString("") + engine(results);
        JsonNode total = results.path("total");
        addValue(workload + ", operations a second", total.path("perSecond"), "/s");
        for (String latency : List.of("mean", "p50", "p95", "p99")) {
            addValue(workload + ", " + latency, total.path("response").path(latency + "Ms"), MILLISECONDS);
        }
    }

    private static String engine(JsonNode results) {
        return " (" + results.path("environment").path("engine").asString("unknown engine") + ")";
    }

    private void addInterval(String name, JsonNode interval, String unit) {
        if (interval.isObject()) {
            add(
                    name,
                    unit,
                    new Interval(
                            interval.path("estimate").asDouble(0),
                            interval.path("low").asDouble(0),
                            interval.path("high").asDouble(0)));
        }
    }

    private void addValue(String name, JsonNode value, String unit) {
        double number = value.asDouble(0);
        add(name, unit, new Interval(number, number, number));
    }

    private void add(String name, String unit, Interval value) {
        if (value.estimate() > 0) {
            measures.computeIfAbsent(name, any -> new Measure(name, unit, new ArrayList<>()))
                    .points()
                    .add(new Point(runs.size() - 1, value));
        }
    }

    private static List<String> differences(Map<String, String> before, Map<String, String> after) {
        List<String> differences = new ArrayList<>();
        after.forEach((fact, value) -> {
            String was = before.getOrDefault(fact, "");
            if (!was.equals(value)) {
                differences.add(fact + ": " + was + " → " + value);
            }
        });
        return differences;
    }
}
