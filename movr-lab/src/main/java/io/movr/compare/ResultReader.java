package io.movr.compare;

import io.movr.TextInput;
import io.movr.UserError;
import io.movr.report.Environment;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads the results of a run: the bundle of {@code movr bench} or {@code movr lab}, or files of JMH and of other programs. */
final class ResultReader {

    /** The parameter that distinguishes the sides of an experiment of the laboratory. */
    static final String SIDE = "side";

    private static final String LAB = "lab";
    private static final String BENCH = "bench";
    private static final int SCHEMA_VERSION = 1;
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    private ResultReader() {}

    /**
     * Reads a bundle or a file.
     *
     * @throws UserError when there is none, or it is neither
     */
    static Result read(Path source) {
        if (!Files.exists(source) && source.toString().contains(ResultFiles.SEPARATOR)) {
            return of(source, ResultFiles.readList(source.toString()));
        }
        if (!Files.exists(source)) {
            throw new UserError("There is no file or folder '" + source
                    + "': name a run bundle, or a file that JMH or another program wrote");
        }
        if (!Files.isDirectory(source)) {
            return of(source, ResultFiles.read(source));
        }
        JsonNode summary = summary(source.resolve("results.json"));
        if (Files.exists(packed(source, "jmh.json"))) {
            return bench(source, summary);
        }
        if (summary != null && summary.path("kind").asString("").equals(LAB)) {
            return laboratory(source, summary);
        }
        if (summary == null) {
            Optional<FileContent> runs = ResultFiles.readFolder(source);
            if (runs.isPresent()) {
                return of(source, runs.get());
            }
        }
        throw new UserError(
                "The folder '" + source + "' is no run bundle that can be compared: it has neither a jmh.json"
                        + " nor the results.json of movr lab, nor files of another program that movr compare reads; name"
                        + " one that movr bench or movr lab made");
    }

    private static Result of(Path source, FileContent content) {
        return new Result(source, null, Map.of(), null, content.measured(), List.of(), content.warnings(), List.of());
    }

    private static @Nullable JsonNode summary(Path file) {
        if (!Files.exists(file)) {
            return null;
        }
        JsonNode summary;
        try (Reader text = TextInput.open(file)) {
            summary = JSON.readTree(text);
        } catch (IOException unreadable) {
            throw new TextFile(file).unreadable(unreadable);
        } catch (JacksonException malformed) {
            throw new UserError(
                    file + " is not whole JSON (" + UserError.firstLine(malformed) + "): measure or copy it again",
                    malformed);
        }
        // Another program may give its results the same name.
        if (!summary.has("schemaVersion")) {
            return null;
        }
        int version = summary.path("schemaVersion").asInt(0);
        if (version > SCHEMA_VERSION) {
            throw new UserError(file + " has version " + version + " of its format, and this movr reads up to "
                    + SCHEMA_VERSION + ": compare it with the movr that wrote it");
        }
        return summary;
    }

    private static Result bench(Path folder, @Nullable JsonNode summary) {
        if (summary != null && !summary.path("kind").asString(BENCH).equals(BENCH)) {
            throw new UserError("The folder '" + folder + "' has a jmh.json and the results of another command, "
                    + summary.path("kind").asString("") + ": name the jmh.json itself");
        }
        FileContent content = JmhFile.read(packed(folder, "jmh.json"));
        List<String> warnings = new ArrayList<>(content.warnings());
        List<Measured> controls = List.of();
        Path control = packed(folder, "control.json");
        if (Files.exists(control)) {
            FileContent again = JmhFile.read(control);
            controls = again.measured();
            warnings.addAll(again.warnings());
        }
        if (summary == null) {
            warnings.add(folder + " has no results.json, so its environment is unknown.");
            return new Result(folder, null, Map.of(), null, content.measured(), controls, warnings, List.of());
        }
        addIncomplete(folder, summary, warnings);
        String stage = summary.path("baselineStage").asString("");
        return new Result(
                folder,
                environment(folder, summary),
                dataset(summary),
                stage.isEmpty() ? null : stage,
                content.measured(),
                controls,
                warnings,
                placement(summary));
    }

    /** Returns the file, or else its gzip-compressed form. */
    private static Path packed(Path folder, String name) {
        Path whole = folder.resolve(name);
        return Files.exists(whole) ? whole : folder.resolve(name + ".gz");
    }

    private static List<String> placement(JsonNode summary) {
        List<String> sentences = new ArrayList<>();
        summary.path("pinning").path("done").forEach(done -> sentences.add(done.asString("")));
        summary.path("pinning").path("notDone").forEach(not -> sentences.add("Left to chance: " + not.asString("")));
        return sentences;
    }

    /** Returns a bundle of the laboratory: every side of an experiment is a benchmark, and every block of samples a fork. */
    private static Result laboratory(Path folder, JsonNode summary) {
        List<Measured> measured = new ArrayList<>();
        List<Measured> controls = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        addIncomplete(folder, summary, warnings);
        for (JsonNode experiment : summary.path("experiments")) {
            String id = experiment.path("id").asString("");
            String raw = experiment.path("before").path("rawFile").asString("");
            if (raw.isEmpty()) {
                warnings.add(folder + ": " + id + " failed, so there is nothing of it to compare.");
                continue;
            }
            Map<String, List<double[]>> sides = blocks(folder.resolve(raw));
            for (String side : List.of("before", "after")) {
                measured.add(side(folder, id, side, sides.get(side)));
            }
            controls.add(side(folder, id, "before", sides.get("control")));
        }
        if (measured.isEmpty()) {
            throw new UserError(
                    "The folder '" + folder + "' holds no experiment that was measured: name another bundle");
        }
        return new Result(
                folder, environment(folder, summary), dataset(summary), null, measured, controls, warnings, List.of());
    }

    private static Measured side(Path folder, String id, String side, @Nullable List<double[]> blocks) {
        if (blocks == null) {
            throw new UserError(
                    "The bundle '" + folder + "' lacks samples of " + id + ": copy it again, or measure again");
        }
        return new Measured("lab." + id, "ss", Map.of(SIDE, side), "ms/op", Map.of(), blocks, null);
    }

    /** Returns the samples of a file of the laboratory: by side, one array a block. */
    private static Map<String, List<double[]>> blocks(Path file) {
        Map<String, SortedMap<Integer, List<Double>>> samples = new LinkedHashMap<>();
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get();
        try (CSVParser lines = CSVParser.parse(file, java.nio.charset.StandardCharsets.UTF_8, format)) {
            for (CSVRecord line : lines) {
                samples.computeIfAbsent(line.get("side"), side -> new TreeMap<>())
                        .computeIfAbsent(Integer.valueOf(line.get("block")), block -> new ArrayList<>())
                        .add(Double.valueOf(line.get("latency_ms")));
            }
        } catch (MalformedInputException | IllegalArgumentException malformed) {
            throw new UserError(file + " does not hold samples as movr lab writes them: copy it again", malformed);
        } catch (IOException | java.io.UncheckedIOException unreadable) {
            throw new UserError(
                    "Cannot read " + file + " (" + UserError.firstLine(unreadable) + "): copy the whole bundle again",
                    unreadable);
        }
        Map<String, List<double[]>> blocks = new LinkedHashMap<>();
        samples.forEach((side, ofSide) -> blocks.put(
                side, ofSide.values().stream().map(ResultReader::unboxed).toList()));
        return blocks;
    }

    private static double[] unboxed(Collection<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static void addIncomplete(Path folder, JsonNode summary, List<String> warnings) {
        if (!summary.path("complete").asBoolean(true)) {
            warnings.add(folder + " is incomplete: its run did not measure all that it was asked for.");
        }
    }

    private static @Nullable Environment environment(Path folder, JsonNode summary) {
        JsonNode environment = summary.path("environment");
        if (!environment.isObject()) {
            return null;
        }
        try {
            return JSON.treeToValue(environment, Environment.class);
        } catch (JacksonException malformed) {
            throw new UserError(
                    folder.resolve("results.json") + " describes no environment that movr understands ("
                            + UserError.firstLine(malformed) + "): copy the bundle again",
                    malformed);
        }
    }

    private static Map<String, String> dataset(JsonNode summary) {
        JsonNode dataset = summary.path("dataset");
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("scale", dataset.path("scale").asString(""));
        facts.put("seed of the rows", dataset.path("seed").asString(""));
        dataset.path("rows")
                .properties()
                .forEach(table ->
                        facts.put("rows of " + table.getKey(), table.getValue().asString("")));
        return facts;
    }
}
