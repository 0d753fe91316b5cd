package io.movr.compare;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The CSV that {@code dbworkload run --save} writes: a line for each transaction and period, which ends in the centroids of a
 * t-digest of seconds. A latency stands for its centroid, by the mean of it.
 */
final class DbworkloadCsv implements ResultFormat {

    private static final String HEADING = "ts,elapsed,id,threads,tot_ops,tot_ops_s,";
    private static final List<String> COLUMNS = List.of(
            "ts",
            "elapsed",
            "id",
            "threads",
            "tot_ops",
            "tot_ops_s",
            "period_ops",
            "period_ops_s",
            "mean_ms",
            "p50_ms",
            "p90_ms",
            "p95_ms",
            "p99_ms",
            "max_ms",
            "centroids");
    private static final String CENTROID_END = ";";
    private static final double MILLISECONDS = 1e3;

    @Override
    public String name() {
        return "a CSV of dbworkload";
    }

    @Override
    public boolean recognises(String beginning) {
        return beginning.stripLeading().startsWith(HEADING);
    }

    /** What a transaction did in all periods. */
    private static final class Transaction {
        private final Histogram latencies = new Histogram();
        private double perSecond;
        private long retries;
    }

    @Override
    public FileContent read(TextFile file) {
        List<String> lines = file.lines();
        int heading = 0;
        while (lines.get(heading).isBlank()) {
            heading++;
        }
        if (!lines.get(heading).strip().equals(String.join(",", COLUMNS))) {
            throw file.cutOff("the heading '" + String.join(",", COLUMNS) + "' of dbworkload 0.16");
        }
        Map<String, Transaction> transactions = new LinkedHashMap<>();
        Map<String, String> setup = new LinkedHashMap<>();
        for (int number = heading + 1; number < lines.size(); number++) {
            if (lines.get(number).isBlank()) {
                continue;
            }
            String[] values = lines.get(number).strip().split(",", -1);
            if (values.length != COLUMNS.size() || !values[COLUMNS.size() - 1].endsWith(CENTROID_END)) {
                throw file.cutOff("the " + COLUMNS.size() + " columns of dbworkload in line " + (number + 1));
            }
            try {
                add(transactions.computeIfAbsent(values[2], name -> new Transaction()), values);
            } catch (NumberFormatException none) {
                throw file.cutOff("the numbers of dbworkload in line " + (number + 1));
            }
            setup.put(Setup.THREADS, values[3]);
        }
        RunFigures run = new RunFigures(file.path(), setup);
        transactions.forEach((name, transaction) -> {
            if (!transaction.latencies.isEmpty()) {
                if (transaction.retries > 0) {
                    run.warn(transaction.retries + " of " + name + " without a latency, such as retries, left out.");
                }
                run.addRate(name, transaction.perSecond);
                run.addLatencies(name, transaction.latencies);
            }
        });
        return run.content();
    }

    private static void add(Transaction transaction, String[] values) {
        // The last period has the rate of the whole run.
        transaction.perSecond = Double.parseDouble(values[4]) / Double.parseDouble(values[1]);
        for (String centroid : values[COLUMNS.size() - 1].split(CENTROID_END, -1)) {
            String[] pair = centroid.split(" ", -1);
            if (pair.length == 2) {
                double milliseconds = Double.parseDouble(pair[0]) * MILLISECONDS;
                // Retries are counted with a latency of zero.
                long count = Math.round(Double.parseDouble(pair[1]));
                if (milliseconds > 0) {
                    transaction.latencies.add(milliseconds, count);
                } else {
                    transaction.retries += count;
                }
            }
        }
    }
}
