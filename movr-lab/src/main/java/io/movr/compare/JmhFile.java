package io.movr.compare;

import io.movr.TextInput;
import io.movr.UserError;
import io.movr.compare.Measured.Identity;
import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A file that JMH wrote with {@code -rf json}, of any version that keeps raw data. In sample mode one iteration's value is
 * the median of its histogram. Secondary metrics are passed over. Benchmarks are read one after another, because the
 * histograms of a long run do not fit into memory together.
 */
final class JmhFile {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            // One benchmark is read at a time, and another follows.
            .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final Set<String> MODES = Set.of("thrpt", "avgt", "sample", "ss");
    private static final int LOOKED_AT = 1 << 24;
    private static final String WRITE_IT = "name a file that JMH wrote with -rf json, or the folder of a run bundle";

    private static final Pattern FIRST = Pattern.compile("\\A\\s*\\[\\s*(\\z|]|\\{)");
    private static final Pattern KEY = Pattern.compile("\"(primaryMetric|benchmark|jmhVersion)\"\\s*:");

    /** As JMH writes it, below what a program printed before. */
    private static final Pattern LATER = Pattern.compile("(?m)^\\[\\s*\\{\\s*\"(jmhVersion|benchmark)\"\\s*:");

    private final Path file;
    private final String linesBefore;
    private final Set<String> warnings = new LinkedHashSet<>();
    private boolean begun;
    private int entry;

    private JmhFile(Path file, String linesBefore) {
        this.file = file;
        this.linesBefore = linesBefore;
        long lines = linesBefore.lines().count();
        if (lines > 0) {
            warnings.add(file + ": " + (lines == 1 ? "line 1" : "lines 1 to " + lines)
                    + " before the list of benchmarks left out.");
        }
    }

    /**
     * Reads a file.
     *
     * @throws UserError when it is no result of JMH, or not a whole one
     */
    static FileContent read(Path file) {
        TextFile text = new TextFile(file);
        String beginning = text.beginning(LOOKED_AT);
        return new JmhFile(file, beginning.substring(0, beginsIn(beginning).orElse(0))).content();
    }

    /** Returns where the list of benchmarks begins, in characters; empty if it does not. */
    static OptionalInt beginsIn(String beginning) {
        Matcher first = FIRST.matcher(beginning);
        if (first.find()) {
            return !first.group(1).equals("{") || KEY.matcher(beginning).find()
                    ? OptionalInt.of(0)
                    : OptionalInt.empty();
        }
        Matcher later = LATER.matcher(beginning);
        return later.find() ? OptionalInt.of(later.start()) : OptionalInt.empty();
    }

    /** A reader that knows how much it has given and whether that is all. */
    private static final class Counted extends FilterReader {

        private long given;
        private boolean ended;

        Counted(Reader reader) {
            super(reader);
        }

        @Override
        public int read(char[] characters, int offset, int length) throws IOException {
            int number = super.read(characters, offset, length);
            given += Math.max(0, number);
            ended |= number < 0;
            return number;
        }
    }

    private FileContent content() {
        Map<Identity, Measured> found = new LinkedHashMap<>();
        Counted counted = null;
        try (Reader text = TextInput.open(file);
                Counted reader = new Counted(text);
                JsonParser parser = JSON.createParser(reader)) {
            counted = reader;
            text.skip(linesBefore.length());
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new UserError(file + " is empty: " + WRITE_IT);
            }
            if (first != JsonToken.START_ARRAY) {
                // What comes after may be no JSON at all, which is the better thing to say.
                parser.skipChildren();
                parser.nextToken();
                throw new UserError(file + " is JSON but no result of JMH, which is a list of benchmarks: " + WRITE_IT);
            }
            begun = true;
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                entry++;
                JsonNode node = JSON.readTree(parser);
                add(found, node);
            }
            long last = line(parser.currentLocation());
            if (!linesBefore.isEmpty()) {
                checkLinesAfter(last);
            } else if (parser.nextToken() != null) {
                throw new UserError(
                        file + " continues after the end of its list of benchmarks: measure or copy it again");
            }
        } catch (IOException unreadable) {
            throw new TextFile(file).unreadable(unreadable);
        } catch (JacksonIOException unreadable) {
            throw new TextFile(file).unreadable(Objects.requireNonNull(unreadable.getCause()));
        } catch (JacksonException malformed) {
            if (malformed instanceof StreamConstraintsException) {
                throw new UserError(
                        file + " is nested too deeply or too large for a result of JMH ("
                                + UserError.firstLine(malformed) + "): " + WRITE_IT,
                        malformed);
            }
            if (isCutOff(malformed, counted)) {
                throw new UserError(
                        file + " ends in the middle, in line "
                                + line(malformed.getLocation())
                                + ": it was cut off, so measure or copy it again",
                        malformed);
            }
            throw new UserError(
                    file + " is not JSON (line " + line(malformed.getLocation()) + "): " + WRITE_IT, malformed);
        }
        if (entry == 0) {
            throw new UserError(file + " is a list without a benchmark: did its run fail? Measure it again");
        }
        if (found.isEmpty()) {
            throw new UserError(
                    file + " has no value above zero in any of its " + entry + " benchmarks: measure it again");
        }
        return new FileContent(List.copyOf(found.values()), List.copyOf(warnings));
    }

    private long line(TokenStreamLocation location) {
        return linesBefore.lines().count() + location.getLineNr();
    }

    /** What a program prints after its list is left out; a second list is the result of another run. */
    private void checkLinesAfter(long last) {
        List<String> after = new TextFile(file).read(lines -> lines.skip(last).toList());
        if (LATER.matcher(String.join("\n", after)).find()) {
            throw new UserError(file + " has a second list of benchmarks after line " + last
                    + ": put each list into a file of its own");
        }
        if (!String.join("", after).isBlank()) {
            warnings.add(file + ": lines " + (last + 1) + " to " + (last + after.size())
                    + " after the list of benchmarks left out.");
        }
    }

    /** Returns whether a list that had begun went wrong where the file ends: Jackson says so in many ways. */
    private boolean isCutOff(JacksonException malformed, @Nullable Counted reader) {
        return begun
                && reader != null
                && reader.ended
                && malformed.getLocation().getCharOffset() >= reader.given - 1;
    }

    private void add(Map<Identity, Measured> found, JsonNode node) {
        String benchmark = text(node, "benchmark");
        String mode = text(node, "mode");
        JsonNode metric = node.path("primaryMetric");
        if (!metric.isObject()) {
            throw noResult("has no 'primaryMetric'");
        }
        if (!MODES.contains(mode)) {
            throw noResult("has the mode '" + mode + "', where JMH knows thrpt, avgt, sample and ss");
        }
        String unit = text(metric, "scoreUnit");
        if (mode.equals("thrpt") ? Unit.isTime(unit) : Unit.isRate(unit)) {
            throw noResult("has the mode '" + mode + "' and the unit '" + unit
                    + "', which contradict each other: one is a rate, of which more is better, and the other a time");
        }
        Map<String, String> params = new LinkedHashMap<>();
        node.path("params")
                .properties()
                .forEach(param -> params.put(param.getKey(), param.getValue().asString("")));
        List<double[]> forks = new ArrayList<>();
        Histogram all = null;
        int left = 0;
        JsonNode histograms = metric.path("rawDataHistogram");
        if (histograms.isArray()) {
            all = new Histogram();
            left = readHistograms(histograms, forks, all);
        } else {
            left = readValues(metric.path("rawData"), forks);
        }
        if (left > 0) {
            warnings.add(file + ": " + left + (left == 1 ? " iteration" : " iterations") + " of " + benchmark
                    + " without a value above zero left out.");
        }
        if (forks.isEmpty()) {
            return;
        }
        Measured measured = new Measured(
                benchmark, mode, params, unit, setup(node), forks, all == null || all.isEmpty() ? null : all);
        found.merge(measured.identity(), measured, this::together);
    }

    /**
     * Merges the runs of a benchmark that occurs more than once in a file: each run adds forks, if it was the same
     * run.
     */
    private Measured together(Measured first, Measured second) {
        for (Map.Entry<String, String> fact : first.setup().entrySet()) {
            String other = second.setup().getOrDefault(fact.getKey(), "");
            if (!fact.getKey().equals(Setup.FORKS) && !other.equals(fact.getValue())) {
                throw new UserError(file + " has " + first.benchmark() + " (" + first.mode() + ") twice, with "
                        + fact.getKey() + " " + fact.getValue() + " and " + other
                        + ": keep one, or put them into a file each");
            }
        }
        OptionalDouble factor = Unit.factor(second.unit(), first.unit());
        if (factor.isEmpty()) {
            throw new UserError(file + " has " + first.benchmark() + " (" + first.mode() + ") twice, in " + first.unit()
                    + " and " + second.unit() + ": keep one, or put them into a file each");
        }
        warnings.add(file + " has " + first.benchmark() + " (" + first.mode()
                + ") more than once: the forks of all its runs are taken together.");
        return first.with(second.scaled(factor.getAsDouble(), first.unit()));
    }

    private int readValues(JsonNode rawData, List<double[]> forks) {
        if (!rawData.isArray() || rawData.isEmpty()) {
            throw noResult("has no 'rawData', without which nothing can be compared: write it with a newer JMH");
        }
        int left = 0;
        for (JsonNode fork : rawData) {
            if (!fork.isArray()) {
                throw noResult("has a 'rawData' that is no list of forks");
            }
            List<Double> values = new ArrayList<>();
            for (JsonNode iteration : fork) {
                double value = number(iteration);
                if (isUsable(value)) {
                    values.add(value);
                } else {
                    left++;
                }
            }
            addFork(values, forks);
        }
        return left;
    }

    private int readHistograms(JsonNode rawData, List<double[]> forks, Histogram all) {
        int left = 0;
        for (JsonNode fork : rawData) {
            List<Double> medians = new ArrayList<>();
            for (JsonNode iteration : fork) {
                Histogram histogram = new Histogram();
                for (JsonNode pair : iteration) {
                    if (!pair.isArray() || pair.size() != 2) {
                        throw noResult("has a 'rawDataHistogram' that is no list of values and counts");
                    }
                    double value = number(pair.get(0));
                    double count = number(pair.get(1));
                    if (isUsable(value) && isUsable(count)) {
                        histogram.add(value, Math.round(count));
                    }
                }
                if (histogram.isEmpty()) {
                    left++;
                } else {
                    medians.add(histogram.median());
                    all.add(histogram);
                }
            }
            addFork(medians, forks);
        }
        return left;
    }

    private static void addFork(List<Double> values, List<double[]> forks) {
        if (!values.isEmpty()) {
            forks.add(values.stream().mapToDouble(Double::doubleValue).toArray());
        }
    }

    private static Map<String, String> setup(JsonNode node) {
        Map<String, String> setup = new LinkedHashMap<>();
        setup.put(Setup.JMH, node.path("jmhVersion").asString(""));
        setup.put(Setup.JAVA, node.path("jdkVersion").asString(""));
        setup.put(
                Setup.VIRTUAL_MACHINE,
                (node.path("vmName").asString("") + " " + node.path("vmVersion").asString("")).strip());
        List<String> arguments = new ArrayList<>();
        node.path("jvmArgs").forEach(argument -> arguments.add(argument.asString("")));
        setup.put(Setup.JVM_ARGUMENTS, String.join(" ", arguments));
        setup.put(Setup.THREADS, node.path("threads").asString(""));
        setup.put(Setup.FORKS, node.path("forks").asString(""));
        setup.put(Setup.WARM_UP, iterations(node, "warmup"));
        setup.put(Setup.MEASUREMENT, iterations(node, "measurement"));
        return setup;
    }

    private static String iterations(JsonNode node, String phase) {
        String number = node.path(phase + "Iterations").asString("");
        String batch = node.path(phase + "BatchSize").asString("1");
        return number.isEmpty()
                ? ""
                : number + " × " + node.path(phase + "Time").asString("?")
                        + (batch.equals("1") ? "" : " of " + batch + " calls");
    }

    private String text(JsonNode node, String name) {
        JsonNode value = node.path(name);
        if (!value.isString() || value.asString().isBlank()) {
            throw noResult("has no '" + name + "'");
        }
        return value.asString();
    }

    private UserError noResult(String why) {
        return new UserError(file + " is no result of JMH: its entry " + entry + " " + why + "; " + WRITE_IT);
    }

    /** Returns a number. JMH writes NaN with or without quotes. */
    private double number(JsonNode node) {
        if (node.isNumber()) {
            return node.asDouble();
        }
        if (node.isString()
                && Set.of("NaN", "Infinity", "-Infinity", "+Infinity").contains(node.asString())) {
            return Double.NaN;
        }
        throw noResult("has raw data that are no numbers");
    }

    private static boolean isUsable(double value) {
        return Double.isFinite(value) && value > 0;
    }
}
