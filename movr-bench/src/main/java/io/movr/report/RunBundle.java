package io.movr.report;

import io.movr.UserError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The folder that one measurement leaves behind. */
public final class RunBundle {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss").withZone(ZoneOffset.UTC);
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final int MOST_TRIES = 100;
    /** Of the version that the build says. */
    private static final String D3 =
            "/META-INF/resources/webjars/d3/" + text("d3.version").strip() + "/dist/d3.min.js";

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
        String json = JSON.writeValueAsString(results);
        write("results.json", json);
        writeJson("environment.json", results.environment());
        String page = results.page();
        if (page != null) {
            List<String> styles = page.equals("traffic") ? List.of("report.css", "traffic.css") : List.of("report.css");
            List<String> scripts = List.of("charts.js", page + ".js");
            ObjectNode shown = JSON.valueToTree(results);
            shown.set("headlines", JSON.valueToTree(results.headlines()));
            write(
                    "report.html",
                    page(page + ".html", styles, scripts, JSON.writeValueAsString(shown), results.title()));
        }
    }

    /** A run of a workload as it stands in {@code results.json}. */
    public static String json(WorkloadResults results) {
        return JSON.writeValueAsString(results);
    }

    /**
     * Writes a comparison as JSON, Markdown and CSV, and the page that shows it. All four are made before the first is
     * written.
     */
    public void write(ComparisonResults results) {
        String names =
                results.variants().stream().map(ComparisonResults.Variant::name).collect(Collectors.joining(", "));
        writeComparison(
                "comparison",
                "MovR comparison: " + names,
                json(results),
                ComparisonMarkdown.of(results),
                ComparisonCsv.of(results));
    }

    /** Writes a comparison of calibrations, in the same four forms. */
    public void write(SideBySideResults results) {
        String names = results.systems().stream()
                .map(SideBySideResults.Calibrated::name)
                .collect(Collectors.joining(", "));
        writeComparison(
                "calibrations",
                "MovR calibrations: " + names,
                json(results),
                SideBySideMarkdown.of(results),
                SideBySideCsv.of(results));
    }

    /** Writes the page of a history. */
    public void write(HistoryResults results) {
        write(
                "history.html",
                page(
                        "history.html",
                        List.of("report.css"),
                        List.of("charts.js", "history.js"),
                        JSON.writeValueAsString(results),
                        "MovR history: " + results.folder()));
    }

    private void writeComparison(String page, String title, String json, String markdown, String csv) {
        Map<String, String> files = new LinkedHashMap<>();
        files.put("comparison.md", markdown);
        files.put("comparison.csv", csv);
        files.put(
                "comparison.html",
                page(
                        page + ".html",
                        List.of("report.css", page + ".css"),
                        List.of("charts.js", page + ".js"),
                        json,
                        title));
        files.put("comparison.json", json);
        files.forEach(this::write);
    }

    /** A comparison as {@code docs/comparison.schema.json} describes it. */
    public static String json(ComparisonResults results) {
        return JSON.writeValueAsString(results);
    }

    /** A comparison of calibrations as {@code docs/calibrations.schema.json} describes them. */
    public static String json(SideBySideResults results) {
        return JSON.writeValueAsString(results);
    }

    /**
     * A page with its styles, its scripts and its data inside, so that it opens without anything else.
     *
     * @param template the page's own part of the HTML
     * @param styles in the order in which they apply
     * @param scripts in the order in which they run
     */
    private static String page(String template, List<String> styles, List<String> scripts, String json, String title) {
        return text("frame.html")
                .replace("<!--BODY-->\n", text(template))
                .replace("{{title}}", escaped(title))
                .replace("/*CSS*/", together(styles))
                .replace("/*D3*/", text(D3))
                .replace("/*JS*/", together(scripts))
                .replace("/*DATA*/null", json.replace("<", "\\u003c"));
    }

    private static String together(List<String> resources) {
        return resources.stream().map(RunBundle::text).collect(Collectors.joining("\n"));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;");
    }

    private static String text(String resource) {
        try (InputStream stream = RunBundle.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException("The page's part " + resource + " is missing from the jar");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failed) {
            throw new IllegalStateException("The page's part " + resource + " cannot be read", failed);
        }
    }
}
