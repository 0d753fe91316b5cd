package io.movr.report;

import io.movr.UserError;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Report;
import io.movr.report.render.CsvRenderer;
import io.movr.report.render.HtmlRenderer;
import io.movr.report.render.MarkdownRenderer;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The folder that one measurement leaves behind. */
public final class RunBundle {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss").withZone(ZoneOffset.UTC);
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final int MOST_TRIES = 100;

    private final Path folder;

    private RunBundle(Path folder) {
        this.folder = folder;
    }

    /**
     * Makes the folder {@code <time>-<engine>-<what>} below another.
     *
     * @throws UserError when it cannot be made
     */
    public static RunBundle create(Path results, Instant at, String engine, String what) {
        String name = TIME.format(at) + "-" + engine + "-" + what;
        try {
            Files.createDirectories(results);
            for (int number = 1; ; number++) {
                Path folder = results.resolve(number == 1 ? name : name + "-" + number);
                try {
                    return new RunBundle(Files.createDirectory(folder));
                } catch (FileAlreadyExistsException taken) {
                    if (number == MOST_TRIES) {
                        throw taken;
                    }
                }
            }
        } catch (IOException failed) {
            throw notWritable(results, failed);
        }
    }

    /**
     * Makes sure that a folder will take results, before much work is done for them.
     *
     * @throws UserError when it will not
     */
    public static void check(Path results) {
        try {
            Files.createDirectories(results);
            Files.delete(Files.createTempFile(results, ".movr", null));
        } catch (IOException failed) {
            throw notWritable(results, failed);
        }
    }

    /** A folder of that very name, whatever else is in it. */
    public static RunBundle in(Path folder) {
        check(folder);
        return new RunBundle(folder);
    }

    private static UserError notWritable(Path results, IOException failed) {
        return new UserError(
                "Cannot make a folder for the results in '" + results + "' (" + UserError.firstLine(failed)
                        + "): name another with --out",
                failed);
    }

    public Path folder() {
        return folder;
    }

    /** A file of the folder as the page links to it, with slashes on every system. */
    public String pathTo(Path file) {
        return StreamSupport.stream(folder.relativize(file).spliterator(), false)
                .map(Path::toString)
                .collect(Collectors.joining("/"));
    }

    public Path report() {
        return folder.resolve("report.html");
    }

    /** Writes a file, its name relative to the bundle, whole or not at all. */
    public void write(String name, String content) {
        Path file = folder.resolve(name);
        Path parent = file.getParent() == null ? folder : file.getParent();
        Path half = parent.resolve("." + file.getFileName() + ".part");
        try {
            Files.createDirectories(parent);
            Files.writeString(half, content);
            Files.move(half, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw new UserError(
                    "Cannot write " + file + " (" + UserError.firstLine(failed) + "): free some disk space, or name"
                            + " another folder with --out",
                    failed);
        }
    }

    /** Writes an object as JSON, whole or not at all. */
    public void writeJson(String name, Object content) {
        write(name, JSON.writeValueAsString(content));
    }

    /** Writes what a run found, the environment, and the page that shows it if there is one. */
    public void write(RunResults results) {
        writeJson("results.json", results);
        writeJson("environment.json", results.environment());
        Report shown = results.report();
        if (shown != null) {
            write("report.html", HtmlRenderer.of(shown));
        }
    }

    /** A run of a workload as it stands in {@code results.json}. */
    public static String json(WorkloadResults results) {
        return JSON.writeValueAsString(results);
    }

    /**
     * Writes a comparison as JSON, Markdown, CSV and HTML. All four are made before the first is written.
     *
     * @param json the whole comparison
     * @param data all its numbers
     */
    public void writeComparison(Object json, Report report, Table data) {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("comparison.md", MarkdownRenderer.of(report));
        files.put("comparison.csv", CsvRenderer.of(data));
        files.put("comparison.html", HtmlRenderer.of(report));
        files.put("comparison.json", JSON.writeValueAsString(json));
        files.forEach(this::write);
    }

    /** Writes a comparison of runs. */
    public void write(ComparisonResults results) {
        writeComparison(results, ComparisonReport.withGate(results), ComparisonData.of(results));
    }

    /** Writes a comparison of calibrations. */
    public void write(CalibrationComparisonResults results) {
        writeComparison(results, CalibrationComparisonReport.of(results), CalibrationComparisonReport.data(results));
    }

    /** Writes the page of a history. */
    public void write(HistoryResults results) {
        write("history.html", HtmlRenderer.of(HistoryReport.of(results)));
    }

    /** A comparison as {@code docs/results.schema.json} describes it. */
    public static String json(ComparisonResults results) {
        return JSON.writeValueAsString(results);
    }

    /** A comparison of calibrations as {@code docs/results.schema.json} describes them. */
    public static String json(CalibrationComparisonResults results) {
        return JSON.writeValueAsString(results);
    }
}
