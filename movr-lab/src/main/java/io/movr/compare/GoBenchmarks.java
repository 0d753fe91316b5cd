package io.movr.compare;

import io.movr.UserError;
import io.movr.compare.Measured.Identity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code go test -bench} prints. Each line of a benchmark is a sample, and each start of the program, which prints
 * {@code goos:} first, a fork. Units of a benchmark's own are left out, because it is unknown whether less is better.
 */
final class GoBenchmarks implements ResultFormat {

    private static final Pattern BEGINNING =
            Pattern.compile("(?m)^\\s*(goos: \\w+$|Benchmark\\S*\\s+\\d+\\s+[\\d.e+]+ \\S+)");
    private static final Pattern FACT = Pattern.compile("(goos|goarch|pkg|cpu): (.*)");
    private static final Pattern LINE = Pattern.compile("Benchmark(\\S*?)(?:-(\\d+))?\\s+\\d+((?:\\s+\\S+ \\S+)+)\\s*");
    private static final Pattern STARTED = Pattern.compile("Benchmark\\S*\\s+\\d+(\\s.*)?");
    private static final Pattern VALUES = Pattern.compile(".*\\s[\\d.e+-]+ (ns/op|B/op|allocs/op)(\\s.*)?");
    private static final Map<String, String> MODES =
            Map.of("ns/op", "avgt", "B/op", "bytes", "allocs/op", "allocs", "MB/s", "thrpt");

    @Override
    public String name() {
        return "the output of go test -bench";
    }

    @Override
    public boolean recognises(String beginning) {
        return BEGINNING.matcher(beginning).find();
    }

    @Override
    public FileContent read(TextFile file) {
        return new Reading(file).content();
    }

    /** The samples that were read so far. */
    private static final class Reading {

        private record Sampled(String unit, Map<String, String> setup, Map<Integer, List<Double>> forks) {}

        private final TextFile file;
        private final Map<String, String> facts = new LinkedHashMap<>();
        private final Map<Identity, Sampled> sampled = new LinkedHashMap<>();
        private final Set<String> unitsLeft = new LinkedHashSet<>();
        private final List<Integer> leftOut = new ArrayList<>();
        private int fork;
        private int zeros;
        private boolean passed;
        private boolean failed;

        Reading(TextFile file) {
            this.file = file;
        }

        FileContent content() {
            List<String> lines = file.lines();
            for (int at = 0; at < lines.size(); at++) {
                read(lines.get(at).strip(), at + 1);
            }
            if (sampled.isEmpty()) {
                throw file.cutOff("a benchmark with its values, such as 'BenchmarkParse-8 100 12345 ns/op'");
            }
            List<String> warnings = new ArrayList<>();
            if (failed) {
                warnings.add(file.path() + ": a test or a benchmark failed.");
            } else if (!passed) {
                warnings.add(file.path() + " has no line 'PASS': it may be cut off.");
            }
            if (!unitsLeft.isEmpty()) {
                warnings.add(file.path() + ": units of the benchmark's own left out, as it is unknown whether less of"
                        + " them is better: " + String.join(", ", unitsLeft) + ".");
            }
            if (!leftOut.isEmpty()) {
                warnings.add(
                        file.path() + ": values without the name of a benchmark, which printed something itself, left"
                                + " out; the first are in line " + leftOut.get(0) + ".");
            }
            if (zeros > 0) {
                warnings.add(file.path() + ": " + (zeros == 1 ? "1 value that is" : zeros + " values that are")
                        + " zero left out, as zero has no ratio.");
            }
            List<Measured> measured = new ArrayList<>();
            sampled.forEach((identity, one) -> measured.add(new Measured(
                    identity.benchmark(),
                    identity.mode(),
                    identity.params(),
                    one.unit,
                    one.setup,
                    one.forks.values().stream()
                            .map(values -> values.stream()
                                    .mapToDouble(Double::doubleValue)
                                    .toArray())
                            .toList(),
                    null)));
            return new FileContent(measured, warnings);
        }

        private void read(String line, int number) {
            Matcher fact = FACT.matcher(line);
            Matcher values = LINE.matcher(line);
            if (fact.matches()) {
                fork += fact.group(1).equals("goos") ? 1 : 0;
                facts.put(fact.group(1), fact.group(2).strip());
            } else if (values.matches()) {
                Map<String, String> params = new LinkedHashMap<>();
                params.put("pkg", facts.getOrDefault("pkg", ""));
                params.put("procs", values.group(2) == null ? "1" : values.group(2));
                params.values().removeIf(String::isEmpty);
                String[] words = values.group(3).strip().split("\\s+", -1);
                for (int at = 0; at < words.length; at += 2) {
                    add(values.group(1), params, words[at], words[at + 1]);
                }
            } else if (STARTED.matcher(line).matches()) {
                throw file.cutOff("the values of the line '" + line.strip() + "'");
            } else if (VALUES.matcher(line).matches()) {
                leftOut.add(number);
            } else if (line.equals("PASS")) {
                passed = true;
            } else if (line.startsWith("FAIL") || line.startsWith("--- FAIL")) {
                failed = true;
            }
        }

        private void add(String benchmark, Map<String, String> params, String number, String unit) {
            String mode = MODES.get(unit);
            if (mode == null) {
                unitsLeft.add(unit);
                return;
            }
            double value;
            try {
                value = Double.parseDouble(number);
            } catch (NumberFormatException none) {
                throw new UserError(
                        file.path() + ": '" + number + "' of " + benchmark + " is not a number of " + unit
                                + ": measure or copy it again",
                        none);
            }
            if (!(value > 0)) {
                zeros++;
                return;
            }
            Map<String, String> setup = new LinkedHashMap<>();
            setup.put("system", (facts.getOrDefault("goos", "") + " " + facts.getOrDefault("goarch", "")).strip());
            setup.put("processor", facts.getOrDefault("cpu", ""));
            sampled.computeIfAbsent(
                            new Identity(benchmark, mode, params),
                            identity -> new Sampled(unit, setup, new LinkedHashMap<>()))
                    .forks
                    .computeIfAbsent(fork, started -> new ArrayList<>())
                    .add(value);
        }
    }
}
