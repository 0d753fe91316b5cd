package io.movr.cli;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.lab.StatementTiming;
import io.movr.report.render.TextTable;
import io.movr.stats.Summary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr experiment time}: the testing client of the tuning tutorial. */
@Command(
        name = "time",
        description = "Time one statement repeatedly, as the tutorial's tuning.py does.",
        footer = {
            "",
            "Each run is one transaction, which is committed.",
            "",
            "Examples:",
            "  movr experiment time --statement \"SELECT * FROM users WHERE name = 'Natalie Cunningham'\" --times",
            "  movr experiment time --statement \"INSERT INTO …\" --repeat 100 --url \"postgresql://me@localhost:5432/shop\"",
            "  echo \"SELECT count(*) FROM rides\" | movr experiment time --explain"
        })
final class ExperimentTimeCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(validate = false, heading = Headings.MEASURING)
    private Measuring measuring = new Measuring();

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private StoredDatabaseOptions database = new StoredDatabaseOptions();

    private static final class Measuring {

        @Option(
                names = "--statement",
                paramLabel = "SQL",
                description = "The statement to run (default: read from standard input).")
        private @Nullable String statement;

        @Option(names = "--repeat", paramLabel = "N", description = "How many times to run it (default: 20).")
        private int repeat = 20;

        @Option(names = "--times", description = "Print the time of every run.")
        private boolean times;

        @Option(names = "--explain", description = "Also print the plan; what EXPLAIN ANALYZE writes is rolled back.")
        private boolean explain;
    }

    @Override
    public Integer call() {
        PrintWriter output = Objects.requireNonNull(spec).commandLine().getOut();
        StatementTiming.requireRepeat(measuring.repeat);
        String sql = measuring.statement == null ? standardInput() : measuring.statement;
        if (sql.isBlank()) {
            throw new UserError("The statement is empty: give one with --statement, or on standard input");
        }
        try (Cluster cluster = database.source().kept()) {
            print(StatementTiming.of(cluster, sql, measuring.repeat, measuring.explain), output);
        }
        return 0;
    }

    private void print(StatementTiming timing, PrintWriter output) {
        if (timing.plan() != null) {
            output.println("Plan:");
            output.println(timing.plan());
        }
        output.println("Result:");
        if (timing.hasRows()) {
            if (!timing.rows().get(0).isEmpty()) {
                TextTable table = new TextTable("l".repeat(timing.rows().get(0).size()));
                timing.rows().forEach(table::row);
                output.print(table);
            }
            if (timing.count() >= timing.rows().size()) {
                output.printf(
                        Locale.ROOT,
                        "… and %,d more rows%n",
                        timing.count() - timing.rows().size() + 1);
            }
            output.println();
        } else {
            output.printf(Locale.ROOT, "%,d rows affected%n%n", timing.count());
        }
        if (measuring.times) {
            output.println("Times (milliseconds):");
            output.println(timing.milliseconds().stream()
                    .map(time -> String.format(Locale.ROOT, "%.4f", time))
                    .collect(Collectors.joining(", ", "[", "]")));
            output.println();
        }
        Summary summary = Summary.of(
                timing.milliseconds().stream().mapToDouble(Double::doubleValue).toArray());
        output.printf(
                Locale.ROOT, "Runs: %d; milliseconds:%n", timing.milliseconds().size());
        output.printf(
                Locale.ROOT,
                "average %.3f  median %.3f  p95 %.3f  p99 %.3f  minimum %.3f  maximum %.3f  cumulative %.3f%n",
                summary.mean(),
                summary.median(),
                summary.p95(),
                summary.p99(),
                summary.min(),
                summary.max(),
                timing.milliseconds().stream().mapToDouble(Double::doubleValue).sum());
        output.flush();
    }

    private static String standardInput() {
        try {
            return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UserError("Standard input cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }
}
