package io.movr.compare;

import io.movr.UserError;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The file {@code *.summary.json} that BenchBase writes at the end of a run. */
final class BenchBaseSummary implements ResultFormat {

    private static final Pattern BEGINNING = Pattern.compile(
            "\\A\\s*\\{[\\s\\S]*\"(Latency Distribution|Throughput \\(requests/second\\))\"\\s*:[\\s\\S]*");
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Map<String, String> FACTS = Map.of(
            "DBMS Type", "engine",
            "DBMS Version", "database",
            "isolation", "isolation",
            "scalefactor", "scale",
            "terminals", "terminals");
    private static final Pattern LATENCY = Pattern.compile("(.+) Latency \\((nano|micro|milli|)seconds\\)");
    private static final Map<String, String> UNITS =
            Map.of("nano", "ns/op", "micro", "us/op", "milli", "ms/op", "", "s/op");
    private static final String SHORTEST = "Minimum";

    @Override
    public String name() {
        return "a summary of BenchBase";
    }

    @Override
    public boolean recognises(String beginning) {
        return BEGINNING.matcher(beginning).matches();
    }

    @Override
    public FileContent read(TextFile file) {
        JsonNode summary;
        try {
            summary = JSON.readTree(file.text());
        } catch (JacksonException malformed) {
            throw new UserError(
                    file.path() + " is not a whole summary of BenchBase (" + UserError.firstLine(malformed)
                            + "): measure or copy it again",
                    malformed);
        }
        Map<String, String> setup = new LinkedHashMap<>();
        FACTS.forEach((field, name) -> setup.put(name, summary.path(field).asString("")));
        String benchmark = summary.path("Benchmark Type").asString("requests");
        RunFigures run = new RunFigures(file.path(), setup);
        addRate(run, benchmark, summary.path("Throughput (requests/second)"));
        addRate(run, benchmark + " goodput", summary.path("Goodput (requests/second)"));
        summary.path("Latency Distribution").properties().forEach(latency -> {
            Matcher name = LATENCY.matcher(latency.getKey());
            String mode = name.matches() ? mode(name.group(1)) : "";
            if (!mode.isEmpty()) {
                run.add(
                        benchmark,
                        mode,
                        Map.of(),
                        Objects.requireNonNull(UNITS.get(name.group(2))),
                        latency.getValue().asDouble(0));
            } else if (!latency.getKey().startsWith(SHORTEST)) {
                run.warn("'" + latency.getKey() + "' left out, as it is not understood.");
            }
        });
        return run.content();
    }

    private static void addRate(RunFigures run, String benchmark, JsonNode value) {
        if (value.isNumber()) {
            run.addRate(benchmark, value.asDouble());
        }
    }

    /** Empty for the shortest latency, which says nothing, and for what has another name. */
    private static String mode(String name) {
        return switch (name) {
            case "Average" -> "avgt";
            case "Median" -> "p50";
            case "Maximum" -> "max";
            default -> name.matches("\\d+th Percentile") ? "p" + name.substring(0, name.indexOf("th")) : "";
        };
    }
}
