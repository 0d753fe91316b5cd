package io.movr.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code cockroach workload run} prints, and {@code movr run} in the same columns: the totals of each operation and the
 * result. The lines of each second are passed over. A file may hold the output of several runs.
 */
final class CockroachWorkload implements ResultFormat {

    private static final Pattern BEGINNING = Pattern.compile("(?m)^\\s*_elapsed___errors__");
    private static final Pattern SUMMARY = Pattern.compile("_elapsed___errors_____ops\\(total\\).*__(total|result)");
    private static final Pattern LATENCY =
            Pattern.compile("(?:p)?(avg|\\d+(?:\\.\\d+)?|Max)\\((us|\\u00b5s|\\u03bcs|ms|s)\\)");
    private static final String RATE = "ops/sec(cum)";
    private static final Set<String> PASSED_OVER = Set.of("elapsed", "errors", "ops(total)", "ops/sec(inst)");

    @Override
    public String name() {
        return "the output of cockroach workload";
    }

    @Override
    public boolean recognises(String beginning) {
        return BEGINNING.matcher(beginning).find();
    }

    /** A line below a heading: its figures by column, and what they are of. */
    private record Line(String of, boolean isResult, Map<String, Double> columns) {}

    @Override
    public FileContent read(TextFile file) {
        RepeatedRuns runs = new RepeatedRuns();
        List<Line> summary = new ArrayList<>();
        List<String> lines = file.lines();
        int number = 0;
        for (int at = 0; at + 1 < lines.size(); at++) {
            Matcher heading = SUMMARY.matcher(lines.get(at).strip());
            if (heading.matches()) {
                boolean isResult = heading.group(1).equals("result");
                // An operation that never ran has a heading only.
                if (isResult || !lines.get(at + 1).isBlank()) {
                    summary.add(line(file, lines.get(at).strip(), lines.get(at + 1), isResult));
                }
                if (isResult) {
                    number++;
                    runs.add(number == 1 ? file.path().toString() : "run " + number + " in it", content(file, summary));
                    summary.clear();
                }
            }
        }
        if (number == 0 || !summary.isEmpty()) {
            throw file.cutOff("the line below '…__result' of cockroach workload");
        }
        return runs.content(file.path().toString());
    }

    private static Line line(TextFile file, String heading, String line, boolean isResult) {
        String[] names = heading.substring(1).split("_+", -1);
        String[] words = line.strip().split("\\s+", -1);
        // The last name of the heading says what kind of summary it is; the name of the operation stands below it.
        int columns = names.length - 1;
        if (words.length < columns) {
            throw file.cutOff("a line of figures below '…__" + names[columns] + "' of cockroach workload");
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        for (int column = 1; column < columns; column++) {
            try {
                figures.put(names[column], Double.valueOf(words[column]));
            } catch (NumberFormatException none) {
                throw file.cutOff("a line of figures below '…__" + names[columns] + "' of cockroach workload");
            }
        }
        return new Line(words.length > columns ? words[columns] : "", isResult, figures);
    }

    private static FileContent content(TextFile file, List<Line> summary) {
        RunFigures run = new RunFigures(file.path(), Map.of());
        double errors = 0;
        for (Line line : summary) {
            errors = Math.max(errors, line.columns.getOrDefault("errors", 0.0));
            // The result of a single operation says the same again.
            if (!line.isResult || summary.size() != 2) {
                String name = line.isResult ? "result" : line.of;
                line.columns.forEach((column, value) -> add(run, name, column, value));
            }
        }
        if (errors > 0) {
            run.warn(Math.round(errors) + " errors.");
        }
        return run.content();
    }

    private static void add(RunFigures run, String name, String column, double value) {
        Matcher latency = LATENCY.matcher(column);
        if (column.equals(RATE)) {
            run.addRate(name, value);
        } else if (latency.matches()) {
            String mode = switch (latency.group(1)) {
                case "avg" -> "avgt";
                case "Max" -> "max";
                default -> "p" + latency.group(1);
            };
            run.add(name, mode, Map.of(), latency.group(2) + "/op", value);
        } else if (!PASSED_OVER.contains(column)) {
            run.warn("the column '" + column + "' of " + name + " left out, as it is not understood.");
        }
    }
}
