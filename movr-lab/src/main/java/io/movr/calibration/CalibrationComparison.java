package io.movr.calibration;

import io.movr.UserError;
import io.movr.calibration.PublishedBaselines.Figure;
import io.movr.compare.Facts;
import io.movr.compare.VariantNames;
import io.movr.report.CalibrationComparisonResults;
import io.movr.report.CalibrationComparisonResults.Calibrated;
import io.movr.report.CalibrationComparisonResults.Fact;
import io.movr.report.CalibrationComparisonResults.Healthy;
import io.movr.report.CalibrationComparisonResults.Operation;
import io.movr.report.CalibrationResults;
import io.movr.report.CalibrationResults.Expectation;
import io.movr.report.WorkloadResults.Latency;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The comparison of calibrations of several systems with each other and with the published machine. */
public final class CalibrationComparison {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private static final List<String> OPERATIONS = List.of("read", "update");
    private static final String PUBLISHED = "published laptop of 2018";

    private CalibrationComparison() {}

    /** Returns whether a folder is the bundle of a calibration. */
    public static boolean isCalibration(Path bundle) {
        return isKind(bundle, "calibration");
    }

    /** Returns whether a folder is a bundle of the laboratory. */
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
     * Returns the medians of experiments in units of a calibrated machine, for a terminal. The unit is the mean time
     * of a read of a row by its key.
     */
    public static String inCalibrationUnits(Path calibration, List<Path> laboratories) {
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
                OptionalDouble before = medianMs(experiment, "before");
                OptionalDouble after = medianMs(experiment, "after");
                text.append(String.format(
                        Locale.ROOT,
                        "  %-24s %12s %12s %12s %12s%n",
                        experiment.path("id").asString(""),
                        figure("%.3f", before, 1),
                        figure("%.3f", after, 1),
                        figure("%.1f", before, unitMs),
                        figure("%.1f", after, unitMs)));
            }
        }
        return text.toString();
    }

    /**
     * Returns the mean time of a read of a row by its key in milliseconds, which is the unit of a calibrated machine.
     *
     * @throws UserError if the calibration cannot be read
     */
    public static double unitMs(Path calibration) {
        return of(read(calibration), "read").meanMs();
    }

    /** Returns the median of a side; empty if the experiment failed before this side was measured. */
    private static OptionalDouble medianMs(JsonNode experiment, String side) {
        return experiment.path(side).path("medianMs").path("estimate").asDoubleOpt();
    }

    private static String figure(String format, OptionalDouble milliseconds, double unit) {
        return milliseconds.isPresent() ? String.format(Locale.ROOT, format, milliseconds.getAsDouble() / unit) : "–";
    }

    /**
     * Reads a calibration.
     *
     * @throws UserError if it cannot be read, or a later version of movr wrote it
     */
    public static CalibrationResults read(Path bundle) {
        try {
            CalibrationResults results = JSON.readValue(bundle.resolve("results.json"), CalibrationResults.class);
            if (results.schemaVersion() > CalibrationResults.SCHEMA_VERSION) {
                throw new UserError(bundle + " was written by a later version of movr: use that version to read it");
            }
            if (Stream.of(
                            results.environment(),
                            results.settings(),
                            results.operations(),
                            results.expectations(),
                            results.layers(),
                            results.sweep(),
                            results.cost(),
                            results.faults(),
                            results.notes())
                    .anyMatch(Objects::isNull)) {
                throw new UserError(bundle + " is incomplete: measure or copy it again");
            }
            return results;
        } catch (JacksonException malformed) {
            throw new UserError(
                    bundle + " cannot be read (" + UserError.firstLine(malformed) + "): measure or copy it again",
                    malformed);
        }
    }

    /**
     * Compares calibrations with each other and with the published machine.
     *
     * @param command the words of the command line
     * @throws UserError if a calibration cannot be read, or lacks an operation
     */
    public static CalibrationComparisonResults of(List<Path> bundles, List<String> command) {
        List<CalibrationResults> all =
                bundles.stream().map(CalibrationComparison::read).toList();
        List<String> names = names(bundles);
        List<Calibrated> systems = new ArrayList<>();
        for (int place = 0; place < all.size(); place++) {
            CalibrationResults one = all.get(place);
            systems.add(new Calibrated(
                    names.get(place),
                    bundles.get(place).toString(),
                    false,
                    OPERATIONS.stream().map(name -> operation(one, name)).toList(),
                    one.layers(),
                    one.sweep(),
                    one.kneeConcurrency()));
        }
        List<Healthy> healthy = OPERATIONS.stream()
                .map(name -> of(all.get(0), name))
                .map(expected -> new Healthy(expected.operation(), expected.lowMs(), expected.highMs()))
                .toList();
        PublishedBaselines baselines = new PublishedBaselines();
        Figure figure = baselines.figure("ycsb-b-read");
        systems.add(new Calibrated(
                PUBLISHED,
                figure.engine() + "; " + figure.conditions(),
                true,
                healthy.stream().map(range -> published(baselines, range)).toList(),
                List.of(),
                List.of(),
                0));
        return new CalibrationComparisonResults(
                CalibrationComparisonResults.SCHEMA_VERSION,
                "calibrations",
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                command,
                systems,
                facts(all, figure),
                healthy,
                warnings(all, names),
                notes(all));
    }

    /** Returns short names that distinguish the bundles; for a single bundle, the name of its folder. */
    private static List<String> names(List<Path> bundles) {
        return bundles.size() == 1
                ? List.of(String.valueOf(
                        bundles.get(0).toAbsolutePath().normalize().getFileName()))
                : VariantNames.of(bundles);
    }

    private static Operation operation(CalibrationResults results, String name) {
        Latency latency = results.operations().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> missingOperation(name))
                .response();
        Expectation expected = of(results, name);
        return new Operation(
                name,
                expected.perSecond(),
                latency.meanMs(),
                latency.p50Ms(),
                latency.p95Ms(),
                latency.p99Ms(),
                latency.maxMs(),
                expected.judgement());
    }

    private static Operation published(PublishedBaselines baselines, Healthy healthy) {
        String id = "ycsb-b-" + healthy.operation();
        double meanMs = baselines.value(id + "-avg");
        return new Operation(
                healthy.operation(),
                baselines.value(id),
                meanMs,
                null,
                null,
                baselines.value(id + "-p99"),
                null,
                Calibration.judgement(meanMs, healthy.lowMs(), healthy.highMs()));
    }

    private static List<Fact> facts(List<CalibrationResults> all, Figure published) {
        List<Map<String, String>> factsBySystem =
                new ArrayList<>(all.stream().map(CalibrationComparison::facts).toList());
        factsBySystem.add(Map.of("database", published.engine()));
        Set<String> names = new LinkedHashSet<>();
        factsBySystem.forEach(one -> names.addAll(one.keySet()));
        return names.stream()
                .map(name -> new Fact(
                        name,
                        factsBySystem.stream()
                                .map(one -> one.getOrDefault(name, ""))
                                .toList()))
                .filter(fact -> !fact.what().startsWith(Facts.SETTING) || !fact.alike())
                .toList();
    }

    private static Map<String, String> facts(CalibrationResults results) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("measured", results.startedAt().replaceFirst("\\.\\d+Z$", "Z"));
        facts.put("seconds", String.format(Locale.ROOT, "%.0f", results.seconds()));
        facts.putAll(results.settings());
        facts.putAll(Facts.of(results.environment()));
        return facts;
    }

    private static List<String> warnings(List<CalibrationResults> all, List<String> names) {
        Set<String> warnings = new LinkedHashSet<>();
        for (int place = 0; place < all.size(); place++) {
            String name = names.get(place);
            CalibrationResults one = all.get(place);
            one.faults().forEach(fault -> warnings.add(name + ": wrong rows: " + fault));
            if (one.cost().bottleneck() != null) {
                warnings.add(
                        name + ": this run measured the runner: " + one.cost().bottleneck());
            }
        }
        if (all.stream().map(CalibrationResults::settings).distinct().count() > 1) {
            warnings.add("The workload differs between the systems: the table of conditions shows the differences.");
        }
        return List.copyOf(warnings);
    }

    private static List<String> notes(List<CalibrationResults> all) {
        Set<String> notes = new LinkedHashSet<>();
        all.forEach(one -> notes.addAll(one.notes()));
        if (all.stream().anyMatch(one -> !one.environment().engine().equals("CockroachDB"))) {
            notes.add(
                    "The published machine ran CockroachDB, so a comparison with another engine compares machines and engines.");
        }
        return List.copyOf(notes);
    }

    private static Expectation of(CalibrationResults results, String operation) {
        return results.expectations().stream()
                .filter(one -> one.operation().equals(operation))
                .findFirst()
                .orElseThrow(() -> missingOperation(operation));
    }

    private static UserError missingOperation(String operation) {
        return new UserError("A calibration has no operation " + operation + ": measure it again");
    }
}
