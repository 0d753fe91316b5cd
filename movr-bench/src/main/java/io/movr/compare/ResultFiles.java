package io.movr.compare;

import io.movr.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Files that programs left, each recognised by what it holds. Several of one side are runs of the same thing. */
final class ResultFiles {

    /** What stands between files that are one result together. */
    static final String SEPARATOR = ",";

    private static final List<ResultFormat> FORMATS = List.of(
            new Jmh(),
            new PgbenchOutput(),
            new PgbenchLog(),
            new PgbenchAggregatedLog(),
            new GoBenchmarks(),
            new CockroachWorkload(),
            new CockroachHistograms(),
            new SysbenchOutput(),
            new BenchBaseSummary(),
            new DbworkloadCsv(),
            new CriterionFile());
    private static final Pattern JSON = Pattern.compile("\\A\\s*([{\\[\"\\d]|\\z)[\\s\\S]*");

    private ResultFiles() {}

    private static final class Jmh implements ResultFormat {

        private static final Pattern BEGINNING = Pattern.compile("\\A\\s*\\[[\\s\\S]*");

        @Override
        public String name() {
            return "a result of JMH";
        }

        @Override
        public boolean recognises(String beginning) {
            return BEGINNING.matcher(beginning).matches();
        }

        @Override
        public FileContent read(TextFile file) {
            return JmhFile.read(file.path());
        }
    }

    /** Reads one file. */
    static FileContent read(Path file) {
        String beginning = new TextFile(file).beginning();
        return format(beginning).map(format -> format.read(new TextFile(file))).orElseGet(() -> {
            if (JSON.matcher(beginning).matches()) {
                return JmhFile.read(file);
            }
            throw unknown(file);
        });
    }

    /** Reads files as runs of the same thing. */
    static FileContent readAll(String name, List<Path> files) {
        Map<ResultFormat, Path> formats = new LinkedHashMap<>();
        for (Path file : files) {
            format(file).ifPresent(format -> formats.putIfAbsent(format, file));
        }
        if (formats.size() > 1) {
            List<String> kinds = formats.entrySet().stream()
                    .map(entry ->
                            entry.getKey().name() + " (" + entry.getValue().getFileName() + ")")
                    .toList();
            throw new UserError(name + " has files of several formats, " + String.join(" and ", kinds)
                    + ": name files of one format, with commas between them");
        }
        RepeatedRuns runs = new RepeatedRuns();
        for (Path file : files) {
            if (!PgbenchLog.isFurtherThread(file, files)) {
                runs.add(file.toString(), read(file));
            }
        }
        return runs.content(name);
    }

    /** Reads a list such as {@code a.txt,b.txt}. */
    static FileContent readList(String list) {
        List<Path> files = Arrays.stream(list.split(SEPARATOR, -1))
                .filter(name -> !name.isBlank())
                .map(Path::of)
                .toList();
        for (Path file : files) {
            if (!Files.isRegularFile(file)) {
                throw new UserError("There is no file '" + file + "': between commas name files of one format");
            }
        }
        return readAll(list, files);
    }

    /** Reads a folder of runs, or what criterion keeps in a folder; empty if no file in it is recognised. */
    static Optional<FileContent> readFolder(Path folder) {
        List<Path> recognised = new ArrayList<>();
        int others = 0;
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                if (format(file).isPresent()) {
                    recognised.add(file);
                } else {
                    others++;
                }
            }
        } catch (IOException unreadable) {
            throw new UserError(
                    "Cannot read " + folder + " (" + UserError.firstLine(unreadable)
                            + "): check the path and the rights",
                    unreadable);
        }
        if (!recognised.isEmpty()) {
            FileContent content = readAll(folder.toString(), recognised);
            List<String> warnings = new ArrayList<>(content.warnings());
            if (others > 0) {
                warnings.add(
                        folder + ": " + others + (others == 1 ? " file" : " files") + " of another format left out.");
            }
            return Optional.of(new FileContent(content.measured(), warnings));
        }
        List<Path> samples = CriterionFile.samples(folder);
        return samples.isEmpty()
                ? Optional.empty()
                : Optional.of(new FileContent(
                        samples.stream()
                                .flatMap(sample -> read(sample).measured().stream())
                                .toList(),
                        List.of()));
    }

    private static Optional<ResultFormat> format(Path file) {
        return format(new TextFile(file).beginning());
    }

    private static Optional<ResultFormat> format(String beginning) {
        return FORMATS.stream().filter(format -> format.recognises(beginning)).findFirst();
    }

    private static UserError unknown(Path file) {
        return new UserError(
                file + " is of no format that movr compare reads: name the folder of a run bundle, a result of"
                        + " JMH (-rf json), or the whole output of pgbench, go test -bench, cockroach workload or another program"
                        + " of docs/compare.md");
    }
}
