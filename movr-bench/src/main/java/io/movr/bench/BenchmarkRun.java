package io.movr.bench;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.environment.CpuIdlePrevention;
import io.movr.environment.EnvironmentProbe;
import io.movr.report.BenchResults;
import io.movr.report.CpuSteal;
import io.movr.report.Environment;
import io.movr.report.RunBundle;
import io.movr.schema.Stage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * A run of the benchmarks whose stages can be compared. Everything is measured once a round, each time in a virtual
 * machine of its own, in alternating order: a machine that slows down then affects all stages alike. One
 * stage of a call is measured twice a round, which shows how far two measurements of the same thing differ.
 */
public final class BenchmarkRun {

    /** The time of a fork besides measuring: to start, to connect, and to check its answers. */
    private static final double START_SECONDS = 2.5;

    private static final Duration WARM_UP_ITERATION = Duration.ofMillis(400);

    private final BenchmarkRequest request;
    private final BenchmarkListener listener;
    private final List<Job> jobs;
    private final Map<Job, List<RunResult>> measured = new LinkedHashMap<>();
    private final Map<Job, String> failures = new LinkedHashMap<>();

    /**
     * Sets up a run.
     *
     * @throws UserError when nothing is to be measured
     */
    public BenchmarkRun(BenchmarkRequest request, BenchmarkListener listener) {
        this.request = request;
        this.listener = listener;
        this.jobs = withControls(request.jobs(benchmarks()));
    }

    /** Returns the whole names of all benchmarks. */
    static List<String> benchmarks() {
        return BenchmarkList.defaultList()
                .find(
                        OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT),
                        List.of(".*"),
                        List.of())
                .stream()
                .map(benchmark -> benchmark.getUsername())
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * Of each call that is measured more than once, and of the first of each class, the first measurement is repeated at
     * the other end of the call's turn.
     */
    private static List<Job> withControls(List<Job> jobs) {
        Map<String, List<Job>> calls =
                jobs.stream().collect(Collectors.groupingBy(Job::benchmark, LinkedHashMap::new, Collectors.toList()));
        Set<Class<?>> controlled = new HashSet<>();
        List<Job> all = new ArrayList<>();
        calls.forEach((benchmark, ofOne) -> {
            all.addAll(ofOne);
            if (controlled.add(Benchmarks.classOf(benchmark)) || ofOne.size() > 1) {
                all.add(ofOne.get(0).asControl());
            }
        });
        return all;
    }

    /**
     * A finished run.
     *
     * @param bundle where everything about it is
     * @param variations what sets its measurements apart, the most telling first
     */
    public record Outcome(BenchResults results, RunBundle bundle, List<Variation> variations) {}

    /**
     * What some measurements of a run differ in and can be compared by.
     *
     * @param by a parameter of JMH, or {@code method}
     * @param baseline which of its values the others are best compared with, {@code null} for the usual one
     * @param filter a regular expression on the names of the calls that were varied so
     */
    public record Variation(String by, @Nullable String baseline, String filter) {}

    private List<Variation> variations() {
        List<Job> real = jobs.stream().filter(job -> !job.control()).toList();
        List<Variation> variations = new ArrayList<>();
        if (real.stream().anyMatch(job -> job.parameters().containsKey(DriverSettings.PARAMETER))) {
            variations.add(new Variation(
                    DriverSettings.PARAMETER, DriverSettings.DEFAULTS, DriverSettings.class.getSimpleName()));
        }
        Map<String, Set<Stage>> stages = new LinkedHashMap<>();
        Map<Class<?>, Set<String>> methods = new LinkedHashMap<>();
        for (Job job : real) {
            stages.computeIfAbsent(job.call(), call -> EnumSet.noneOf(Stage.class))
                    .add(job.stage());
            if (job.parameters().isEmpty()) {
                methods.computeIfAbsent(Benchmarks.classOf(job.benchmark()), type -> new LinkedHashSet<>())
                        .add(job.call());
            }
        }
        addVariation(
                variations,
                "stage",
                null,
                stages.entrySet().stream()
                        .filter(entry -> entry.getValue().size() > 1)
                        .map(Map.Entry::getKey));
        boolean plain = real.stream().anyMatch(job -> job.call().endsWith(".plainJdbc"));
        addVariation(
                variations,
                "method",
                plain ? "plainJdbc" : null,
                methods.entrySet().stream()
                        .filter(entry -> entry.getValue().size() > 1)
                        .map(entry -> entry.getKey().getSimpleName()));
        return variations;
    }

    private static void addVariation(
            List<Variation> variations, String by, @Nullable String baseline, Stream<String> calls) {
        String filter = calls.map(call -> "\\b" + Pattern.quote(call) + "\\b").collect(Collectors.joining("|"));
        if (!filter.isEmpty()) {
            variations.add(new Variation(by, baseline, filter));
        }
    }

    /**
     * Measures.
     *
     * @param cluster where
     * @param progress of loading the rows
     * @throws UserError when the databases cannot be prepared, or no benchmark at all could be measured
     */
    public Outcome run(Cluster cluster, LoadProgress progress) {
        Instant startedAt = Instant.now();
        long begun = System.nanoTime();
        try (BenchmarkDatabases databases = new BenchmarkDatabases(
                cluster,
                request.scale(),
                request.connections(),
                stages(false),
                stages(true),
                progress,
                listener::preparing)) {
            double loadSeconds = secondsSince(begun);
            CpuSteal stolen = new CpuSteal();
            Environment environment = EnvironmentProbe.of(cluster, databases.any(), request.program());
            CpuPinning pinning = new CpuPinning(cluster, request.threads());
            RunBundle bundle =
                    RunBundle.create(request.out(), startedAt, cluster.engine().folder(), "bench");
            List<String> jvmOptions = new ArrayList<>(databases.jvmOptions());
            jvmOptions.addAll(pinning.jvmOptions());
            jvmOptions.add("-D" + RepositoryCall.PLANS + "=" + plans(bundle));
            listener.preparing("Sharing classes");
            Path archive = bundle.folder().resolve("classes.jsa").toAbsolutePath();
            archive.toFile().deleteOnExit();
            jvmOptions.addAll(SharedClasses.options(jvmOptions, databases.any(), archive));
            int total = jobs.size() * request.roundCount();
            listener.planned(jobs.size(), request.roundCount(), total * secondsOfJob());
            BenchResults results = null;
            for (int round = 0; round < request.roundCount(); round++) {
                List<Job> order = new ArrayList<>(jobs);
                if (round % 2 == 1) {
                    Collections.reverse(order);
                }
                int number = round * jobs.size();
                for (Job job : order) {
                    listener.measuring(++number, total, job.toString());
                    measure(job, jvmOptions);
                }
                // After each round, so that a run that is stopped leaves what it has.
                results = results(startedAt, begun, loadSeconds, environment.with(stolen), pinning, round + 1);
                write(bundle, results);
                listener.roundDone(round + 1, request.roundCount());
            }
            if (results == null || measured.isEmpty()) {
                throw new UserError("Nothing could be measured; the first reason: " + failed().get(0));
            }
            return new Outcome(results, bundle, variations());
        }
    }

    private static Path plans(RunBundle bundle) {
        try {
            return Files.createDirectories(bundle.folder().resolve("plans")).toAbsolutePath();
        } catch (IOException failed) {
            throw new UserError("Cannot make a folder for plans in " + bundle.folder(), failed);
        }
    }

    private Set<Stage> stages(boolean written) {
        Set<Stage> stages = EnumSet.noneOf(Stage.class);
        jobs.stream().filter(job -> job.writes() == written).forEach(job -> stages.add(job.stage()));
        return stages;
    }

    private double secondsOfJob() {
        return START_SECONDS
                + request.warmUpTime().toMillis() / 1e3
                + request.preset().iterations() * request.preset().iteration().toMillis() / 1e3;
    }

    private void measure(Job job, List<String> jvmOptions) {
        if (failures.containsKey(job)) {
            return;
        }
        Preset preset = request.preset();
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(job.benchmark()) + "$")
                .param("stage", job.stage().id())
                .param("scale", request.scale())
                .param("keys", request.keys())
                .mode(request.mode())
                .timeUnit(TimeUnit.MICROSECONDS)
                .threads(request.threads())
                .forks(1)
                .warmupIterations((int) Math.max(1, request.warmUpTime().dividedBy(WARM_UP_ITERATION)))
                .warmupTime(TimeValue.milliseconds(WARM_UP_ITERATION.toMillis()))
                .measurementIterations(preset.iterations())
                .measurementTime(TimeValue.milliseconds(preset.iteration().toMillis()))
                .jvmArgsPrepend(jvmOptions.toArray(String[]::new))
                .shouldFailOnError(true);
        job.parameters().forEach(options::param);
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        // Busy processors slow a disk down that shares them, so they stay busy for reading only.
        CpuIdlePrevention processors = new CpuIdlePrevention(!job.writes());
        try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            OutputFormat format = OutputFormatFactory.createFormatInstance(out, VerboseMode.NORMAL);
            RunResult result =
                    new Runner(options.build(), format).run().iterator().next();
            measured.computeIfAbsent(job, first -> new ArrayList<>()).add(result);
        } catch (RunnerException failed) {
            String why = reason(said.toString(StandardCharsets.UTF_8), failed);
            failures.put(job, why);
            listener.failed(job.toString(), why);
        } finally {
            processors.close();
        }
    }

    /** Returns the exception that a fork ended with, from what it printed. */
    private static String reason(String said, RunnerException failed) {
        return said.lines()
                .filter(line -> line.matches("(Caused by: )?[a-z][\\w.]*(Exception|Error): .*"))
                .reduce((first, last) -> last)
                .orElse(UserError.firstLine(failed));
    }

    private void write(RunBundle bundle, BenchResults results) {
        bundle.write(results);
        bundle.write("jmh.json", jmh(false));
        bundle.write("control.json", jmh(true));
    }

    private String jmh(boolean control) {
        List<RunResult> merged = measured.entrySet().stream()
                .filter(entry -> entry.getKey().control() == control)
                .map(entry -> merged(entry.getValue()))
                .toList();
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(json, true, StandardCharsets.UTF_8)) {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(merged);
        }
        return json.toString(StandardCharsets.UTF_8);
    }

    /** Returns the rounds of a job as the forks of one result. */
    private static RunResult merged(List<RunResult> rounds) {
        BenchmarkParams one = rounds.get(0).getParams();
        BenchmarkParams all = new BenchmarkParams(
                one.getBenchmark(),
                one.generatedBenchmark(),
                one.shouldSynchIterations(),
                one.getThreads(),
                one.getThreadGroups(),
                one.getThreadGroupLabels(),
                rounds.size(),
                one.getWarmupForks(),
                one.getWarmup(),
                one.getMeasurement(),
                one.getMode(),
                parameters(one),
                one.getTimeUnit(),
                one.getOpsPerInvocation(),
                one.getJvm(),
                withoutAddresses(one.getJvmArgs()),
                one.getJdkVersion(),
                one.getVmName(),
                one.getVmVersion(),
                one.getJmhVersion(),
                one.getTimeout());
        return new RunResult(
                all,
                rounds.stream()
                        .map(RunResult::getBenchmarkResults)
                        .flatMap(Collection::stream)
                        .toList());
    }

    private static org.openjdk.jmh.runner.WorkloadParams parameters(BenchmarkParams one) {
        var parameters = new org.openjdk.jmh.runner.WorkloadParams();
        int order = 0;
        for (String key : one.getParamsKeys()) {
            parameters.put(key, one.getParam(key), order++);
        }
        return parameters;
    }

    /**
     * Returns the arguments without the addresses of databases and archives, which change with every run and may hold a
     * password.
     */
    private static List<String> withoutAddresses(Collection<String> jvmArguments) {
        return jvmArguments.stream()
                .filter(argument -> !argument.startsWith("-Dmovr.") && !argument.startsWith(SharedClasses.OPTION))
                .toList();
    }

    private BenchResults results(
            Instant startedAt,
            long begun,
            double loadSeconds,
            Environment environment,
            CpuPinning pinning,
            int rounds) {
        DatasetSpec spec = Scale.named(request.scale()).spec(BenchmarkDatabases.SEED);
        boolean complete = rounds == request.roundCount()
                && jobs.stream()
                        .allMatch(job ->
                                measured.containsKey(job) && measured.get(job).size() == rounds);
        return new BenchResults(
                BenchResults.SCHEMA_VERSION,
                "bench",
                startedAt.truncatedTo(ChronoUnit.SECONDS).toString(),
                secondsSince(begun),
                request.command(),
                complete,
                request.preset().id(),
                Stage.FOREIGN_KEYS.id(),
                rounds,
                pinning.result(),
                environment,
                EnvironmentProbe.dataset(request.scale(), spec, loadSeconds),
                failed());
    }

    private List<String> failed() {
        return failures.entrySet().stream()
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .toList();
    }

    private static double secondsSince(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun).toMillis() / 1000.0;
    }
}
