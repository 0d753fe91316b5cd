package io.movr.compare;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What sysbench prints: the rates of transactions and queries, or of events, and the latency of an event. The output does not
 * name the test. A file may hold the output of several runs.
 */
final class SysbenchOutput implements ResultFormat {

    private static final Pattern START = Pattern.compile("sysbench \\d+\\.\\d+\\S* \\(.*");
    private static final Pattern BEGINNING = Pattern.compile("(?m)^\\s*" + START.pattern() + "$");
    private static final Pattern THREADS = Pattern.compile("Number of threads: (\\d+)");
    private static final Pattern PER_SECOND =
            Pattern.compile("(transactions|queries):\\s+\\d+\\s+\\(([\\d.]+) per sec\\.\\).*");
    private static final Pattern EVENTS = Pattern.compile("(?:events per second|events/s \\(eps\\)):\\s+([\\d.]+)");
    private static final Pattern LATENCY =
            Pattern.compile("(avg|max|(\\d+)(?:st|nd|rd|th) percentile):\\s+([\\d.]+)(?: ?(us|ms|s))?");
    private static final Pattern ERRORS = Pattern.compile("(ignored errors|reconnects):\\s+([1-9]\\d*)\\b.*");

    /** Of lines with figures, so that none is dropped silently. */
    private static final Pattern FIGURE =
            Pattern.compile("(transactions|queries|events per second|events/s \\(eps\\)|avg|max|.*percentile):.*");

    private static final String HEADING = "Latency (ms):";
    private static final String LAST = "Threads fairness:";

    @Override
    public String name() {
        return "the output of sysbench";
    }

    @Override
    public boolean recognises(String beginning) {
        return BEGINNING.matcher(beginning).find();
    }

    @Override
    public FileContent read(TextFile file) {
        RepeatedRuns runs = new RepeatedRuns();
        List<String> lines = file.lines().stream().map(String::strip).toList();
        int number = 0;
        for (int at = 0; at < lines.size(); at++) {
            if (START.matcher(lines.get(at)).matches()) {
                int end = at + 1;
                while (end < lines.size() && !START.matcher(lines.get(end)).matches()) {
                    end++;
                }
                number++;
                runs.add(
                        number == 1 ? file.path().toString() : "run " + number + " in it",
                        run(file, lines.subList(at, end), at + 1));
            }
        }
        return runs.content(file.path().toString());
    }

    private static FileContent run(TextFile file, List<String> lines, int firstLine) {
        if (lines.stream().noneMatch(HEADING::equals) || lines.stream().noneMatch(LAST::equals)) {
            throw file.cutOff("the part 'Latency (ms):' or 'Threads fairness:' of sysbench");
        }
        Map<String, String> setup = new LinkedHashMap<>();
        setup.put(Setup.PROGRAM, lines.get(0));
        lines.stream()
                .map(line -> THREADS.matcher(line.strip()))
                .filter(Matcher::matches)
                .forEach(threads -> setup.put(Setup.THREADS, threads.group(1)));
        RunFigures run = new RunFigures(file.path(), setup);
        boolean latencies = false;
        for (int at = 0; at < lines.size(); at++) {
            String text = lines.get(at);
            latencies |= text.equals(HEADING);
            Matcher rate = PER_SECOND.matcher(text);
            Matcher events = EVENTS.matcher(text);
            Matcher latency = LATENCY.matcher(text);
            Matcher errors = ERRORS.matcher(text);
            if (rate.matches()) {
                run.addRate(rate.group(1), Double.parseDouble(rate.group(2)));
            } else if (events.matches()) {
                run.addRate("events", Double.parseDouble(events.group(1)));
            } else if (latencies && latency.matches()) {
                String mode = latency.group(2) != null
                        ? "p" + latency.group(2)
                        : latency.group(1).equals("avg") ? "avgt" : "max";
                run.add(
                        "events",
                        mode,
                        Map.of(),
                        (latency.group(4) == null ? "ms" : latency.group(4)) + "/op",
                        Double.parseDouble(latency.group(3)));
            } else if (errors.matches()) {
                run.warn(
                        errors.group(1).equals("reconnects")
                                ? errors.group(2) + " reconnects."
                                : errors.group(2) + " errors were ignored.");
            } else if (FIGURE.matcher(text).matches()) {
                run.leftOut(firstLine + at, text);
            }
        }
        return run.content();
    }
}
