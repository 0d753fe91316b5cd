package io.movr.compare;

import io.movr.TextInput;
import java.io.IOException;
import java.io.Reader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The file of {@code cockroach workload run --histograms}: a line of JSON for each operation and second, with a snapshot of an
 * HdrHistogram of nanoseconds. A latency stands for its bin, by the middle of it.
 */
final class CockroachHistograms implements ResultFormat {

    private static final Pattern BEGINNING =
            Pattern.compile("\\A\\s*\\{[\\s\\S]*\"LowestTrackableValue\"\\s*:[\\s\\S]*");
    private static final JsonMapper JSON = JsonMapper.builder()
            // One snapshot is read at a time, and another follows.
            .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final double MILLISECOND = 1e6;
    private static final double SECOND = 1e9;

    @Override
    public String name() {
        return "histograms of cockroach workload";
    }

    @Override
    public boolean recognises(String beginning) {
        return BEGINNING.matcher(beginning).matches();
    }

    /** What an operation did in all seconds. */
    private static final class Operation {
        private final Histogram latencies = new Histogram();
        private double nanoseconds;
        private long count;
    }

    @Override
    public FileContent read(TextFile file) {
        Map<String, Operation> operations = new LinkedHashMap<>();
        try (Reader reader = TextInput.open(file.path());
                JsonParser parser = JSON.createParser(reader)) {
            while (parser.nextToken() != null) {
                add(operations, JSON.readTree(parser));
            }
        } catch (JacksonException malformed) {
            throw file.cutOff(
                    "a whole snapshot in its line " + malformed.getLocation().getLineNr());
        } catch (IOException unreadable) {
            throw file.unreadable(unreadable);
        }
        RunFigures run = new RunFigures(file.path(), Map.of());
        operations.forEach((name, operation) -> {
            if (operation.count > 0) {
                run.addRate(name, operation.count / (operation.nanoseconds / SECOND));
                run.addLatencies(name, operation.latencies);
            }
        });
        return run.content();
    }

    private static void add(Map<String, Operation> operations, JsonNode snapshot) {
        JsonNode histogram = snapshot.path("Hist");
        Operation operation = operations.computeIfAbsent(snapshot.path("Name").asString(""), name -> new Operation());
        operation.nanoseconds += snapshot.path("Elapsed").asDouble(0);
        Bins bins = new Bins(
                histogram.path("LowestTrackableValue").asLong(1),
                histogram.path("SignificantFigures").asInt(1));
        int index = 0;
        for (JsonNode count : histogram.path("Counts")) {
            long number = count.asLong(0);
            if (number > 0) {
                operation.latencies.add(bins.middle(index) / MILLISECOND, number);
                operation.count += number;
            }
            index++;
        }
    }

    /** How an HdrHistogram divides values into bins: halves of powers of two, each in bins of equal width. */
    static final class Bins {

        private final int halfMagnitude;
        private final int unitMagnitude;

        Bins(long lowest, int significantFigures) {
            long resolved = 2 * Math.round(Math.pow(10, significantFigures));
            int magnitude = 64 - Long.numberOfLeadingZeros(resolved - 1);
            this.halfMagnitude = Math.max(magnitude, 1) - 1;
            this.unitMagnitude = 63 - Long.numberOfLeadingZeros(Math.max(1, lowest));
        }

        double middle(int index) {
            int half = 1 << halfMagnitude;
            int bucket = (index >> halfMagnitude) - 1;
            long within = (index & (half - 1L)) + (bucket < 0 ? 0 : half);
            int shift = Math.max(0, bucket) + unitMagnitude;
            return ((double) (within << shift)) + ((double) (1L << shift)) / 2;
        }
    }
}
