package io.movr.bench;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.schema.Stage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Optional;

/**
 * The benchmarks under JMH's own command line: {@code java -jar benchmarks.jar}, with an embedded PostgreSQL, or with
 * {@code -Dmovr.bench.url=jdbc:postgresql://…} before {@code -jar} on a running one.
 */
public final class Benchmarks {

    private static final Logger DRIVER = Logger.getLogger("org.postgresql");
    private static final String STAGE = "stage";
    private static final String SCALE = "scale";

    private Benchmarks() {}

    /** Prepares the databases that the chosen benchmarks need, then hands over to JMH. */
    public static void main(String[] arguments) throws Exception {
        DRIVER.setLevel(Level.OFF);
        System.setProperty(BenchmarkDatabases.LOGGING, BenchmarkDatabases.LOGGING_FILE);
        try {
            run(new CommandLineOptions(arguments));
        } catch (CommandLineOptionException | UserError wrong) {
            System.err.println("benchmarks: " + wrong.getMessage());
            System.exit(1);
        } catch (RunnerException failed) {
            System.err.println("benchmarks: " + UserError.firstLine(failed));
            System.exit(1);
        }
        System.exit(0);
    }

    private static void run(CommandLineOptions options) throws Exception {
        if (options.shouldHelp()) {
            options.showHelp();
        } else if (options.shouldList()) {
            new Runner(options).list();
        } else if (options.shouldListWithParams()) {
            new Runner(options).listWithParams(options);
        } else if (options.shouldListProfilers()) {
            options.listProfilers();
        } else if (options.shouldListResultFormats()) {
            options.listResultFormats();
        } else {
            measure(options);
        }
    }

    private static void measure(CommandLineOptions options) throws RunnerException {
        Set<Class<?>> chosen = chosen(options);
        if (chosen.isEmpty()) {
            new Runner(options).run();
            return;
        }
        Set<Stage> stages = parameter(options, STAGE, stageIds()).stream()
                .map(Stage::named)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Stage.class)));
        Set<Stage> read = isAny(chosen, false) ? stages : Set.of();
        Set<Stage> written = isAny(chosen, true) ? stages : Set.of();
        List<String> jvmOptions = new ArrayList<>(options.getJvmArgsPrepend().orElse(List.of()));
        List<BenchmarkDatabases> open = new ArrayList<>();
        String url = System.getProperty("movr.bench.url");
        try (Cluster cluster = url == null ? EmbeddedPostgres.temporary(0) : Cluster.at(url)) {
            try {
                for (String scale : parameter(options, SCALE, List.of(Scale.QUICK.id()))) {
                    BenchmarkDatabases databases = new BenchmarkDatabases(
                            cluster,
                            scale,
                            2,
                            read,
                            written,
                            new LoadProgress(),
                            step -> System.err.println("# " + step));
                    open.add(databases);
                    databases.exportAddresses();
                    jvmOptions.addAll(databases.jvmOptions());
                }
                int threads = options.getThreads().orElse(1);
                jvmOptions.addAll(new CpuPinning(cluster, threads).jvmOptions());
                Options all = new OptionsBuilder()
                        .parent(options)
                        .jvmArgsPrepend(jvmOptions.toArray(String[]::new))
                        .build();
                new Runner(all).run();
            } finally {
                open.forEach(BenchmarkDatabases::close);
            }
        }
    }

    static List<String> stageIds() {
        return Stage.ofOneRegion().stream().map(Stage::id).toList();
    }

    /** Returns the classes of the benchmarks that the options choose. */
    private static Set<Class<?>> chosen(Options options) {
        return BenchmarkList.defaultList()
                .find(
                        OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT),
                        options.getIncludes(),
                        options.getExcludes())
                .stream()
                .map(benchmark -> classOf(benchmark.getUsername()))
                .collect(Collectors.toSet());
    }

    /** Returns the class of a benchmark, by the name that JMH gives it. */
    static Class<?> classOf(String benchmark) {
        try {
            return Class.forName(benchmark.substring(0, benchmark.lastIndexOf('.')));
        } catch (ClassNotFoundException missing) {
            throw new IllegalStateException("JMH lists " + benchmark + ", which is not there", missing);
        }
    }

    static boolean isWriting(Class<?> benchmark) {
        return WritingCall.class.isAssignableFrom(benchmark);
    }

    private static boolean isAny(Set<Class<?>> chosen, boolean writing) {
        return chosen.stream().anyMatch(benchmark -> isWriting(benchmark) == writing);
    }

    private static Collection<String> parameter(Options options, String name, List<String> otherwise) {
        Optional<Collection<String>> given = options.getParameter(name);
        return given.hasValue() ? given.get() : otherwise;
    }
}
