package io.movr.calibration;

import io.movr.Refusal;
import io.movr.report.CalibrationResults;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calibrations of several systems beside each other and beside the published machine. */
public final class SideBySide {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private static final int BAR = 30;

    private SideBySide() {}

    /** Whether a folder is the bundle of a calibration. */
    public static boolean isCalibration(Path bundle) {
        return isKind(bundle, "calibration");
    }

    /** Whether a folder is a bundle of the laboratory. */
    public static boolean isLaboratory(Path bundle) {
        return isKind(bundle, "lab");
    }

    private static boolean isKind(Path bundle, String kind) {
        Path file = bundle.resolve("results.json");
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try {
            return JSON.readTree(file).path("kind").asString("").equals(kind);
        } catch (JacksonException malformed) {
            return false;
        }
    }

    /**
     * The experiments of the laboratory in units of a machine's calibration: how many reads of a row by its key, at their
     * mean, the median of each side takes. Lines ended.
     */
    public static String inUnits(Path calibration, List<Path> laboratories) {
        double unitMs = unitMs(calibration);
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "1 unit = a read of a row by its key on the calibrated machine = %.3f ms (YCSB B, one worker, mean)%n",
                unitMs));
        for (Path laboratory : laboratories) {
            text.append(String.format(
                    Locale.ROOT,
                    "%n%s%n  %-24s %12s %12s %12s %12s%n",
                    laboratory.getFileName(),
                    "experiment",
                    "before, ms",
                    "after, ms",
                    "before",
                    "after"));
            for (JsonNode experiment :
                    JSON.readTree(laboratory.resolve("results.json")).path("experiments")) {
                double before = medianMs(experiment, "before");
                double after = medianMs(experiment, "after");
                text.append(String.format(
                        Locale.ROOT,
                        "  %-24s %12.3f %12.3f %12.1f %12.1f%n",
                        experiment.path("id").asString(""),
                        before,
                        after,
                        before / unitMs,
                        after / unitMs));
            }
        }
        return text.toString();
    }

    /**
     * The mean time of a read of a row by its key, which is the unit of a calibrated machine.
     *
     * @throws Refusal when the calibration cannot be read
     */
    public static double unitMs(Path calibration) {
        return of(read(calibration), "read").meanMs();
    }

    private static double medianMs(JsonNode experiment, String side) {
        return experiment.path(side).path("medianMs").path("estimate").asDouble(Double.NaN);
    }

    /**
     * Reads a calibration.
     *
     * @throws Refusal when it cannot be read, or a later version wrote it
     */
    public static CalibrationResults read(Path bundle) {
        try {
            CalibrationResults results = JSON.readValue(bundle.resolve("results.json"), CalibrationResults.class);
            if (results.schemaVersion() > CalibrationResults.SCHEMA_VERSION) {
                throw new Refusal(bundle + " was written by a later version: take that one to read it");
            }
            return results;
        } catch (JacksonException malformed) {
            throw new Refusal(
                    bundle + " cannot be read (" + Refusal.firstLine(malformed) + "): measure or copy it again",
                    malformed);
        }
    }

    /** A column and a bar for each system, lines ended. */
    public static String text(List<Path> bundles) {
        List<CalibrationResults> all = bundles.stream().map(SideBySide::read).toList();
        List<String> names = bundles.stream()
                .map(bundle ->
                        String.valueOf(bundle.toAbsolutePath().normalize().getFileName()))
                .toList();
        StringBuilder text = new StringBuilder();
        for (String operation : List.of("read", "update")) {
            append(
                    text,
                    all,
                    names,
                    operation,
                    "operations/s",
                    true,
                    CalibrationResults.Expectation::perSecond,
                    CalibrationResults.Expectation::publishedPerSecond);
            append(
                    text,
                    all,
                    names,
                    operation,
                    "avg, ms",
                    false,
                    CalibrationResults.Expectation::meanMs,
                    CalibrationResults.Expectation::publishedMeanMs);
            append(
                    text,
                    all,
                    names,
                    operation,
                    "p99, ms",
                    false,
                    CalibrationResults.Expectation::p99Ms,
                    CalibrationResults.Expectation::publishedP99Ms);
        }
        for (int system = 0; system < all.size(); system++) {
            CalibrationResults results = all.get(system);
            List<String> words = new ArrayList<>();
            results.layers().stream()
                    .filter(layer -> layer.samples() > 0)
                    .forEach(layer ->
                            words.add(String.format(Locale.ROOT, "%s %.3f ms", layer.name(), layer.medianMs())));
            if (results.kneeConcurrency() > 0) {
                words.add("knee at " + results.kneeConcurrency() + " workers");
            }
            text.append(names.get(system))
                    .append(": ")
                    .append(String.join(", ", words))
                    .append(System.lineSeparator());
        }
        return text.toString();
    }

    private static void append(
            StringBuilder text,
            List<CalibrationResults> all,
            List<String> names,
            String operation,
            String metric,
            boolean whole,
            ToDoubleFunction<CalibrationResults.Expectation> value,
            ToDoubleFunction<CalibrationResults.Expectation> published) {
        List<Double> values = new ArrayList<>();
        List<String> titles = new ArrayList<>(names);
        for (CalibrationResults results : all) {
            values.add(value.applyAsDouble(of(results, operation)));
        }
        titles.add("published laptop of 2018");
        values.add(published.applyAsDouble(of(all.get(0), operation)));
        double most = values.stream().mapToDouble(Double::doubleValue).max().orElse(1);
        int width = titles.stream().mapToInt(String::length).max().orElse(1);
        text.append(operation).append(", ").append(metric).append(System.lineSeparator());
        for (int row = 0; row < titles.size(); row++) {
            text.append(String.format(
                    Locale.ROOT,
                    "  %-" + width + "s %10s %s%n",
                    titles.get(row),
                    String.format(Locale.ROOT, whole ? "%,.1f" : "%.3f", values.get(row)),
                    "█".repeat((int) Math.max(1, Math.round(BAR * values.get(row) / most)))));
        }
        text.append(System.lineSeparator());
    }

    private static CalibrationResults.Expectation of(CalibrationResults results, String operation) {
        Optional<CalibrationResults.Expectation> found = results.expectations().stream()
                .filter(one -> one.operation().equals(operation))
                .findFirst();
        return found.orElseThrow(() -> new Refusal("A calibration has no operation " + operation));
    }
}
