package io.movr.workload;

import io.movr.Refusal;
import io.movr.database.Cluster;
import io.movr.database.Databases;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * This runner against pgbench: the same statements over as many connections to the same tables of one server, prepared
 * by both, in turns.
 */
public final class RunnerBenchmark {

    /** What is run. */
    public enum Kind {
        /** pgbench's built-in script, scale 10. */
        TPCB,
        /** Reads of one row by its key, uniformly from 10,000. */
        YCSB_C
    }

    /**
     * How much is measured.
     *
     * @param rounds of four runs: runner, pgbench, pgbench, runner
     * @param seconds of each run
     * @param clients connections of each side
     */
    public record Plan(Kind kind, int rounds, int seconds, int clients) {

        public Plan {
            check(rounds >= 1 && rounds <= 100, "--rounds", rounds, "1 to 100");
            check(seconds >= 1 && seconds <= 3600, "--seconds", seconds, "1 to 3600");
            check(clients >= 1 && clients <= 150, "--clients", clients, "1 to 150");
        }

        private static void check(boolean holds, String option, int value, String range) {
            if (!holds) {
                throw new Refusal(option + " " + value + " is out of range: " + range);
            }
        }
    }

    /**
     * What was measured.
     *
     * @param runner operations a second of each run by this runner
     * @param pgbench the same by pgbench
     * @param bottlenecks what the runner said of itself
     */
    public record Result(Plan plan, List<Double> runner, List<Double> pgbench, List<String> bottlenecks) {

        /** The runner's median throughput over pgbench's. */
        public double share() {
            return median(runner) / median(pgbench);
        }

        /** The figures as a terminal shows them. */
        public String text() {
            StringBuilder text = new StringBuilder(String.format(
                    Locale.ROOT,
                    "%s, %d connections, %d runs of %d s of each kind, taking turns%n%s%s%nThe runner has %.2f × the"
                            + " throughput of pgbench.%n",
                    plan.kind() == Kind.TPCB ? "TPC-B, scale " + SCALE : "YCSB C, uniform, " + ROWS + " rows",
                    plan.clients(),
                    runner.size(),
                    plan.seconds(),
                    line("pgbench", pgbench),
                    line("runner", runner),
                    share()));
            bottlenecks.forEach(why -> text.append("! ").append(why).append(System.lineSeparator()));
            return text.toString();
        }

        private static String line(String name, List<Double> perSecond) {
            return String.format(
                    Locale.ROOT,
                    "%-8s median %,.0f operations/s (%,.0f to %,.0f)%n",
                    name,
                    median(perSecond),
                    perSecond.stream().min(Comparator.naturalOrder()).orElse(0.0),
                    perSecond.stream().max(Comparator.naturalOrder()).orElse(0.0));
        }

        private static double median(List<Double> values) {
            double[] sorted =
                    values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            int middle = sorted.length / 2;
            return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        }
    }

    private static final int SCALE = 10;
    private static final int ROWS = 10_000;
    private static final int WARM_UP_SECONDS = 10;
    private static final int LIMIT_SECONDS = 120;
    private static final Pattern THROUGHPUT = Pattern.compile("(?m)^tps = ([0-9.]+)");

    // pgbench has integer variables only, so the key is put together in the statement; by both, so that it is the same.
    private static final String READ = "SELECT * FROM usertable WHERE ycsb_key = 'user' || CAST(%s AS TEXT)";
    private static final String READ_SCRIPT =
            "\\set key abs(hash_fnv1a(random(0, " + (ROWS - 1) + "), 0))\n" + String.format(READ, ":key") + ";\n";

    private final Cluster cluster;
    private final Plan plan;
    private final Consumer<String> step;

    public RunnerBenchmark(Cluster cluster, Plan plan, Consumer<String> step) {
        if (cluster.engine() != Engine.POSTGRESQL) {
            throw new Refusal("--benchmark holds this runner against pgbench on PostgreSQL: leave --engine and --url"
                    + " out, or name a PostgreSQL");
        }
        this.cluster = cluster;
        this.plan = plan;
        this.step = step;
    }

    /**
     * Measures, in a database that comes and goes.
     *
     * @throws Refusal when there is no pgbench
     */
    public Result run() throws InterruptedException {
        List<Double> runner = new ArrayList<>();
        List<Double> pgbench = new ArrayList<>();
        List<String> bottlenecks = new ArrayList<>();
        try (Databases databases = new Databases(cluster)) {
            Gateway gateway = databases.create("runner");
            Workload workload = plan.kind() == Kind.TPCB
                    ? new Tpcb(SCALE, Tpcb.Order.PGBENCH)
                    : new Ycsb(
                            new Ycsb.Settings(YcsbMix.named("C"), ROWS, KeyDistribution.UNIFORM, 1, 1, false, false),
                            String.format(READ, "?"));
            try (Connection connection = gateway.connect()) {
                workload.init(connection, step);
                workload.prepare(connection);
            }
            step.accept("Warming up…");
            runOnce(workload, gateway, WARM_UP_SECONDS);
            pgbenchOnce(gateway, WARM_UP_SECONDS);
            for (int round = 0; round < plan.rounds(); round++) {
                step.accept(String.format(Locale.ROOT, "Round %d of %d…", round + 1, plan.rounds()));
                for (boolean ours : List.of(true, false, false, true)) {
                    checkpoint(gateway);
                    if (ours) {
                        RunResult result = runOnce(workload, gateway, plan.seconds());
                        runner.add(result.perSecond());
                        result.cost().bottleneck().ifPresent(bottlenecks::add);
                    } else {
                        pgbench.add(pgbenchOnce(gateway, plan.seconds()));
                    }
                }
            }
        } catch (IOException | SQLException failed) {
            throw new Refusal("The benchmark failed: " + Refusal.firstLine(failed), failed);
        }
        return new Result(plan, runner, pgbench, bottlenecks);
    }

    private RunResult runOnce(Workload workload, Gateway gateway, int seconds) throws InterruptedException {
        RunResult result = new Runner(
                        workload,
                        ConnectionSource.of(gateway, "movr-benchmark"),
                        io.movr.workload.Plan.of(plan.clients(), Duration.ofSeconds(seconds)),
                        RunListener.NONE)
                .run();
        if (!result.succeeded()) {
            throw new Refusal("The benchmark failed: " + result.firstFailure());
        }
        return result;
    }

    private void checkpoint(Gateway gateway) throws SQLException {
        if (cluster.embedded()) {
            try (Connection connection = gateway.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("CHECKPOINT");
            }
        }
    }

    private double pgbenchOnce(Gateway gateway, int seconds) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("movr-pgbench-");
        try {
            Path said = folder.resolve("output.txt");
            List<String> command = new ArrayList<>(Arrays.asList(
                    "pgbench",
                    "--no-vacuum",
                    "--protocol=prepared",
                    "--client=" + plan.clients(),
                    "--jobs=" + Math.min(plan.clients(), Runtime.getRuntime().availableProcessors()),
                    "--time=" + seconds));
            if (plan.kind() == Kind.TPCB) {
                command.add("--builtin=tpcb-like");
            } else {
                Path script = folder.resolve("read.sql");
                Files.writeString(script, READ_SCRIPT);
                command.add("--file=" + script);
            }
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
            builder.environment().putAll(gateway.environment());
            Process process;
            try {
                process = builder.start();
            } catch (IOException missing) {
                throw new Refusal("pgbench is not on the path: install PostgreSQL's client programs", missing);
            }
            try {
                if (!process.waitFor(seconds + (long) LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    throw new Refusal("pgbench does not end");
                }
            } finally {
                process.destroyForcibly();
            }
            String text = Files.readString(said);
            Matcher throughput = THROUGHPUT.matcher(text);
            if (process.exitValue() != 0 || !throughput.find()) {
                throw new Refusal("pgbench failed: "
                        + text.lines()
                                .filter(line -> line.contains("error:"))
                                .findFirst()
                                .orElse(text.strip()));
            }
            return Double.parseDouble(throughput.group(1));
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
