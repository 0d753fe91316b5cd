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

/** Reads the result files of programs, each recognised by its content. Several of one side are runs of the same thing. */
final class ResultFiles {

    /** The separator of files that form one result. */
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
            new DbworkloadCsv(),
            new CriterionFile());
    private static final Pattern JSON = Pattern.compile("\\A\\s*([{\\[\"\\d]|\\z)[\\s\\S]*");

    /** How much of a file is looked at first, and by what that grows while nothing is recognised: other lines may come first. */
    private static final int FIRST_CHARACTERS = 1 << 16;

    private static final int GROWTH = 16;
    private static final int MAX_CHARACTERS = FIRST_CHARACTERS * GROWTH * GROWTH;

    private ResultFiles() {}

    private static final class Jmh implements ResultFormat {

        @Override
        public String name() {
            return "a result of JMH";
        }

        @Override
        public boolean recognises(String beginning) {
            return JmhFile.beginsIn(beginning).isPresent();
        }

        @Override
        public FileContent read(TextFile file) {
            return JmhFile.read(file.path());
        }
    }

    /** Reads one file. */
    static FileContent read(Path file) {
        try {
            Optional<ResultFormat> format = format(file);
            if (format.isPresent()) {
                return format.get().read(new TextFile(file));
            }
            if (JSON.matcher(new TextFile(file).beginning(FIRST_CHARACTERS)).matches()) {
                return JmhFile.read(file);
            }
            throw unknown(file);
        } catch (OutOfMemoryError tooLarge) {
            // Such as one list without end, packed by gzip into little.
            throw new UserError(file + " does not fit into memory: name a smaller file", tooLarge);
        }
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
        List<String> others = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                if (format(file).isPresent()) {
                    recognised.add(file);
                } else {
                    others.add(String.valueOf(file.getFileName()));
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
            if (!others.isEmpty()) {
                warnings.add(folder + ": " + others.size() + (others.size() == 1 ? " file" : " files")
                        + " of another format left out: " + String.join(", ", others) + ".");
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
        TextFile text = new TextFile(file);
        for (int characters = FIRST_CHARACTERS; characters <= MAX_CHARACTERS; characters *= GROWTH) {
            String beginning = text.beginning(characters);
            Optional<ResultFormat> format =
                    FORMATS.stream().filter(one -> one.recognises(beginning)).findFirst();
            if (format.isPresent() || beginning.length() < characters) {
                return format;
            }
        }
        return Optional.empty();
    }

    private static UserError unknown(Path file) {
        return new UserError(
                file + " is of no format that movr compare reads: name the folder of a run bundle, a result of"
                        + " JMH (-rf json), or the whole output of pgbench, go test -bench, cockroach workload or another program"
                        + " of docs/compare.md");
    }
}
