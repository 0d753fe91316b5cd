package io.movr.benchmarks;

import io.movr.UserError;
import io.movr.database.ExternalProgram;
import io.movr.database.Folders;
import io.movr.database.Gateway;
import io.movr.database.TemporaryFiles;
import io.movr.sender.Latencies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A run of pgbench with prepared statements.
 *
 * @param scripts pgbench draws one for each transaction; empty for its built-in TPC-B
 * @param threads that share the connections
 * @param options of the command line, except clients, threads and duration
 * @param environment variables, except those of the connection
 */
record Pgbench(List<String> scripts, int threads, List<String> options, Map<String, String> environment) {

    private static final Duration GRACE = Duration.ofMinutes(2);
    private static final Pattern THROUGHPUT = Pattern.compile("(?m)^tps = ([0-9.]+)");
    private static final Pattern PROCESSED =
            Pattern.compile("(?m)^number of transactions actually processed: ([0-9]+)");

    /**
     * The result of a run.
     *
     * @param perSecond transactions
     * @param seconds the actual length of the run
     * @param latencies of the transactions, from the due time; empty if they were not requested
     */
    record Result(double perSecond, double seconds, Latencies latencies) {

        /** Reads the output and the log. */
        static Result of(String printed, List<String> logged) {
            Matcher throughput = THROUGHPUT.matcher(printed);
            Matcher processed = PROCESSED.matcher(printed);
            if (!throughput.find() || !processed.find()) {
                throw new UserError("pgbench does not say its throughput: " + printed.strip());
            }
            double perSecond = Double.parseDouble(throughput.group(1));
            if (perSecond <= 0) {
                throw new UserError("pgbench did not finish a single transaction: " + printed.strip());
            }
            Latencies latencies = new Latencies(3);
            for (String line : logged) {
                // The third column is the latency, unless the transaction failed.
                String[] columns = line.split(" ", -1);
                if (columns.length > 2 && columns[2].matches("\\d+")) {
                    latencies.add(TimeUnit.MICROSECONDS.toNanos(Long.parseLong(columns[2])), "");
                } else if (columns.length > 2 && columns[2].equals("failed")) {
                    latencies.add(0, "failed");
                }
            }
            return new Result(perSecond, Double.parseDouble(processed.group(1)) / perSecond, latencies);
        }
    }

    /**
     * Returns a run without a rate.
     *
     * @param scripts pgbench draws one for each transaction; empty for its built-in TPC-B
     * @param threads that share the connections; at most one for each connection is used
     */
    static Pgbench unlimited(List<String> scripts, int threads) {
        return new Pgbench(scripts, threads, List.of(), Map.of());
    }

    /** Returns a run of scripts at a rate, in serializable transactions with up to fifteen attempts. */
    static Pgbench atRate(List<String> scripts, double perSecond) {
        return new Pgbench(
                scripts,
                1,
                List.of("--max-tries=15", "--rate=" + perSecond, "--log"),
                Map.of("PGOPTIONS", "-c default_transaction_isolation=serializable"));
    }

    /**
     * Runs pgbench.
     *
     * @param duration at least a second; rounded up to seconds
     * @throws UserError if pgbench is missing, fails, or does not end
     */
    Result run(Gateway database, int clients, Duration duration) throws IOException, InterruptedException {
        Path folder = TemporaryFiles.folder("pgbench-");
        try {
            long seconds = Math.max(1, (duration.toMillis() + 999) / 1000);
            List<String> words = new ArrayList<>(List.of(
                    "pgbench",
                    "--no-vacuum",
                    "--protocol=prepared",
                    "--client=" + clients,
                    "--jobs=" + Math.min(clients, threads),
                    "--time=" + seconds));
            words.addAll(options);
            if (options.contains("--log")) {
                words.add("--log-prefix=" + folder.resolve("transactions"));
            }
            if (scripts.isEmpty()) {
                words.add("--builtin=tpcb-like");
            }
            for (String script : scripts) {
                Path file = folder.resolve("script-" + words.size() + ".sql");
                Files.writeString(file, script);
                words.add("--file=" + file);
            }
            Map<String, String> variables = new HashMap<>(database.environment());
            variables.putAll(environment);
            String said = output(ExternalProgram.of(words).with(variables), GRACE.plusSeconds(seconds));
            return Result.of(said, logged(folder));
        } finally {
            Folders.delete(folder);
        }
    }

    /**
     * Runs a program to its end.
     *
     * @return the output
     * @throws UserError if the program is missing, fails, or takes longer than the limit
     */
    static String output(ExternalProgram command, Duration limit) throws InterruptedException {
        String program = command.words().get(0);
        ExternalProgram.Ended ended;
        try {
            ended = command.run(limit);
        } catch (IOException missing) {
            throw new UserError(program + " cannot be run: install it, or put it on the path", missing);
        }
        if (ended.code() == ExternalProgram.LATE) {
            throw new UserError(program + " did not end within " + limit.toSeconds() + " s");
        }
        if (!ended.succeeded()) {
            throw new UserError(program + " failed: "
                    + ended.output()
                            .lines()
                            .filter(line -> line.toLowerCase(Locale.ROOT).contains("error"))
                            .findFirst()
                            .orElse(ended.output().strip()));
        }
        return ended.output();
    }

    private static List<String> logged(Path folder) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path log : files.filter(file -> file.getFileName().toString().startsWith("transactions"))
                    .toList()) {
                lines.addAll(Files.readAllLines(log));
            }
        }
        return lines;
    }
}
