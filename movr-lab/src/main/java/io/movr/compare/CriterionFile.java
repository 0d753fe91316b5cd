package io.movr.compare;

import io.movr.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What criterion.rs keeps of a benchmark: {@code sample.json}, of which each entry is a sample of the time of an iteration, or
 * {@code estimates.json}, which has an estimate of it only. The name is in {@code benchmark.json} in the same folder.
 */
final class CriterionFile implements ResultFormat {

    static final String SAMPLE = "sample.json";

    /** The folder of the newest measurement of a benchmark. */
    static final String NEWEST = "new";

    private static final Pattern BEGINNING = Pattern.compile(
            "\\A\\s*\\{(?=[\\s\\S]*\"(iters|point_estimate)\"\\s*:)[\\s\\S]*\"(sampling_mode|confidence_interval)\"\\s*:[\\s\\S]*");
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String NANOSECONDS = "ns/op";

    @Override
    public String name() {
        return "a sample of criterion";
    }

    @Override
    public boolean recognises(String beginning) {
        return BEGINNING.matcher(beginning).matches();
    }

    /**
     * Returns the samples below a folder such as {@code target/criterion}, the newest of each benchmark; empty if there
     * are none.
     */
    static List<Path> samples(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.endsWith(Path.of(NEWEST, SAMPLE)))
                    .sorted()
                    .toList();
        } catch (IOException unreadable) {
            throw new UserError(
                    "Cannot read " + folder + " (" + UserError.firstLine(unreadable)
                            + "): check the path and the rights",
                    unreadable);
        }
    }

    @Override
    public FileContent read(TextFile file) {
        JsonNode content = json(file);
        String name = benchmark(file.path());
        if (!content.has("sampling_mode")) {
            // Criterion takes the slope for the time of an iteration where it has one.
            JsonNode slope = content.path("slope").path("point_estimate");
            JsonNode mean = content.path("mean").path("point_estimate");
            RunFigures run = new RunFigures(file.path(), Map.of());
            run.add(name, "avgt", Map.of(), NANOSECONDS, (slope.isNumber() ? slope : mean).asDouble(0));
            return run.content();
        }
        JsonNode iterations = content.path("iters");
        JsonNode times = content.path("times");
        List<Double> values = new ArrayList<>();
        for (int at = 0; at < Math.min(iterations.size(), times.size()); at++) {
            double value = times.get(at).asDouble(0) / iterations.get(at).asDouble(0);
            if (Double.isFinite(value) && value > 0) {
                values.add(value);
            }
        }
        if (values.isEmpty()) {
            throw new UserError(file.path()
                    + " has no 'iters' and 'times' above zero, as a sample of criterion has: measure it again");
        }
        int left = Math.max(iterations.size(), times.size()) - values.size();
        double[] samples = values.stream().mapToDouble(Double::doubleValue).toArray();
        return new FileContent(
                List.of(new Measured(name, "avgt", Map.of(), NANOSECONDS, Map.of(), List.<double[]>of(samples), null)),
                left == 0
                        ? List.of()
                        : List.of(file.path() + ": " + left + (left == 1 ? " sample" : " samples")
                                + " without a time above zero left out."));
    }

    private static JsonNode json(TextFile file) {
        try {
            return JSON.readTree(file.text());
        } catch (JacksonException malformed) {
            throw new UserError(
                    file.path() + " is not a whole file of criterion (" + UserError.firstLine(malformed)
                            + "): measure or copy it again",
                    malformed);
        }
    }

    /** Returns the name that criterion gave, or else the folder of the benchmark. */
    private static String benchmark(Path file) {
        Path described = file.resolveSibling("benchmark.json");
        String name = Files.isRegularFile(described)
                ? json(new TextFile(described)).path("full_id").asString("")
                : "";
        Path folder = file.toAbsolutePath().getParent();
        Path benchmark = folder == null ? null : folder.getParent();
        if (!name.isEmpty() || benchmark == null || benchmark.getFileName() == null) {
            return name.isEmpty() ? "benchmark" : name;
        }
        return benchmark.getFileName().toString();
    }
}
