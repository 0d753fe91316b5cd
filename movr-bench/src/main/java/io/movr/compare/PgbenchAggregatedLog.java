package io.movr.compare;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The log of intervals that pgbench writes with {@code -l --aggregate-interval}, with those of its other threads. Its first and
 * its last interval are not whole, so no rate is taken from it.
 */
final class PgbenchAggregatedLog implements ResultFormat {

    private static final Pattern LINE = Pattern.compile("\\d{9,} (\\d+) (\\d+) (\\d+) (\\d+) (\\d+)( \\d+)*");
    private static final Pattern BEGINNING = Pattern.compile("\\A" + LINE.pattern() + "(\\R|\\z)[\\s\\S]*");
    private static final double MICROSECONDS = 1e3;

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

        void add(Matcher interval) {
            transactions += Long.parseLong(interval.group(1));
            sum += Double.parseDouble(interval.group(2));
            squares += Double.parseDouble(interval.group(3));
            largest = Math.max(largest, Double.parseDouble(interval.group(5)));
        }
    }

    @Override
    public FileContent read(TextFile file) {
        Sums sums = new Sums();
        for (Path thread : PgbenchLog.withFurtherThreads(file.path())) {
            TextFile log = new TextFile(thread);
            for (String line : log.lines()) {
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
        return run.content();
    }
}
