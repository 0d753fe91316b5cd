package io.movr.compare;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The log of intervals that pgbench writes with {@code -l --aggregate-interval}, with the logs of its other threads. Its first
 * and its last interval are not whole, so no rate is taken from it.
 */
final class PgbenchAggregatedLog implements ResultFormat {

    private static final Pattern LINE = Pattern.compile("\\d{9,} (\\d+) (\\d+) (\\d+) (\\d+) (\\d+)((?: \\d+)*)");
    private static final Pattern BEGINNING = Pattern.compile("\\A\\s*" + LINE.pattern() + "\\s*(\\R|\\z)[\\s\\S]*");
    private static final double MICROSECONDS = 1e3;

    /** Of the columns after the largest latency, the last of those about the lag of a schedule. */
    private static final int LAGS = 4;

    /** What follows: counts of transactions that are in no latency, and of tries. A new version may add more. */
    private static final List<String> COUNTS = List.of(
            "transactions skipped",
            "transactions retried",
            "retries",
            "serialization failures",
            "deadlock failures",
            "other failures");

    @Override
    public String name() {
        return "an aggregated log of pgbench";
    }

    @Override
    public boolean recognises(String beginning) {
        return BEGINNING.matcher(beginning).matches();
    }

    /** Sums of microseconds and of their squares. */
    private static final class Sums {
        private long transactions;
        private double sum;
        private double squares;
        private double largest;
        private final Map<String, Long> counts = new LinkedHashMap<>();

        void add(Matcher interval) {
            transactions += Long.parseLong(interval.group(1));
            sum += Double.parseDouble(interval.group(2));
            squares += Double.parseDouble(interval.group(3));
            largest = Math.max(largest, Double.parseDouble(interval.group(5)));
            String[] more = interval.group(6).strip().split(" ", -1);
            for (int at = LAGS; at < more.length; at++) {
                counts.merge(
                        at - LAGS < COUNTS.size() ? COUNTS.get(at - LAGS) : "in column " + (at + 7),
                        Long.parseLong(more[at]),
                        Long::sum);
            }
        }
    }

    @Override
    public FileContent read(TextFile file) {
        Sums sums = new Sums();
        for (Path thread : PgbenchLog.withFurtherThreads(file.path())) {
            TextFile log = new TextFile(thread);
            for (String written : log.lines()) {
                String line = written.strip();
                if (line.isEmpty()) {
                    continue;
                }
                Matcher interval = LINE.matcher(line);
                if (!interval.matches()) {
                    throw log.cutOff("a whole interval in the line '" + line + "'");
                }
                sums.add(interval);
            }
        }
        RunFigures run = new RunFigures(file.path(), Map.of());
        double mean = sums.sum / sums.transactions;
        run.addLatency("transactions", "avgt", mean / MICROSECONDS);
        run.addLatency(
                "transactions", "stddev", Math.sqrt(sums.squares / sums.transactions - mean * mean) / MICROSECONDS);
        run.addLatency("transactions", "max", sums.largest / MICROSECONDS);
        long failed = sums.counts.entrySet().stream()
                .filter(count -> count.getKey().endsWith("failures"))
                .mapToLong(Map.Entry::getValue)
                .sum();
        if (failed > 0) {
            run.warn(failed + " transactions failed, and are in no latency.");
        }
        sums.counts.forEach((what, number) -> {
            if (number > 0) {
                run.warn(number + " " + what + ".");
            }
        });
        return run.content();
    }
}
