package io.movr.traffic;

import io.movr.UserError;
import io.movr.database.ExternalProgram;
import io.movr.database.Gateway;
import io.movr.database.Logs;
import io.movr.database.Machine;
import io.movr.database.SupervisedProcess;
import io.movr.report.CpuSteal;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The load generator of movr-load, as a process of its own for each run. */
final class LoadGenerator {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration GRACE = Duration.ofMinutes(3);
    private static final long POLL_MILLIS = 100;
    /** Of a run that was whole, and of which an assertion failed. */
    private static final int PROMISE_BROKEN = 2;

    private static final String NO_SUMMARY = "it left no summary, so whether it kept up is not known";
    /** By how much the length of a steady part may differ from what was asked for. */
    private static final long TOLERANCE_MS = 500;

    private final RunningRegions regions;
    private final TrafficPlan plan;
    private final Path classes;

    /**
     * A generator.
     *
     * @param folder where the first run that ends by itself leaves its classes as they were loaded, which spares the next
     *     ones a second or two of their start
     */
    LoadGenerator(RunningRegions regions, TrafficPlan plan, Path folder) {
        this.regions = regions;
        this.plan = plan;
        this.classes = folder.resolve("classes.jsa");
        classes.toFile().deleteOnExit();
    }

    /**
     * Where its program is.
     *
     * @throws UserError when it has not been built
     */
    static Path program() {
        Path jar = Path.of(System.getProperty("movr.load", "movr-load/target/movr-load.jar"));
        if (!Files.exists(jar)) {
            throw new UserError("The load generator " + jar + " is missing: build it with"
                    + " ./mvnw -Pjar-only -pl movr-load -am package");
        }
        return jar;
    }

    /**
     * What is to be sent.
     *
     * @param arrivalsPerSecond of all regions together, for an open model
     * @param clients of each region for a closed loop, 0 for an open model
     * @param remoteShare of the arrivals that ask for a city of another region
     * @param duration of the steady part
     */
    record Load(
            double arrivalsPerSecond, int clients, double remoteShare, Duration warmUp, Duration duration, long seed) {

        Duration length() {
            return warmUp.plus(duration);
        }
    }

    /**
     * What a run left.
     *
     * @param summary what the load generator says of itself; a missing node when it left nothing
     * @param code its exit code
     * @param stolenShare share of all processors' time that was CPU steal meanwhile, 0 to 1; null if it is not known
     * @param transactionRetries that the service made meanwhile; null when it is not known
     * @param report Gatling's own page; {@code null} if it wrote none, because it was ended early
     */
    record Output(
            List<Request> requests,
            JsonNode summary,
            int code,
            @Nullable Double stolenShare,
            @Nullable Long transactionRetries,
            @Nullable Path report) {

        MeasuredRun measured() {
            List<Request> steady = requests.stream().filter(Request::steady).toList();
            return new MeasuredRun(
                    requests,
                    summary.path("steady_started")
                            .asLong(steady.stream()
                                    .mapToLong(Request::dueMs)
                                    .min()
                                    .orElse(0)),
                    summary.path("steady_ended")
                            .asLong(steady.stream()
                                    .mapToLong(Request::dueMs)
                                    .max()
                                    .orElse(0)));
        }

        /**
         * Why the run does not say of the service what it was to say; empty when it does.
         *
         * @param asked what was to be sent; {@code null} for a run that was to be ended early
         */
        List<String> warnings(@Nullable Load asked) {
            if (summary.isMissingNode()) {
                return List.of(NO_SUMMARY);
            }
            List<String> warnings = new ArrayList<>();
            CpuSteal.warning(stolenShare).ifPresent(warnings::add);
            if (summary.path("bottleneck").asBoolean(false)) {
                warnings.add(summary.path("reason").asString(""));
            }
            if (asked == null) {
                return warnings;
            }
            if (code == PROMISE_BROKEN) {
                warnings.add("an assertion on its run failed (exit code " + code + ")");
            }
            MeasuredRun measured = measured();
            long lasted = measured.toMs() - measured.fromMs();
            if (Math.abs(lasted - asked.duration().toMillis()) > TOLERANCE_MS) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "its steady part lasted %.1f s in place of %d s",
                        lasted / 1e3,
                        asked.duration().toSeconds()));
            }
            long planned = summary.path("arrivals_planned").asLong(0);
            long arrived = summary.path("arrivals").asLong(0);
            if (arrived < planned) {
                warnings.add("only " + arrived + " of " + planned + " riders arrived");
            }
            return warnings;
        }
    }

    /** A run that has begun. */
    static final class Started implements AutoCloseable {

        private final SupervisedProcess process;
        private final Path folder;
        private final Path log;
        private final List<ServiceInstance> instances;
        private final CpuSteal stolen = new CpuSteal();
        private final OptionalLong retriesBefore;

        Started(SupervisedProcess process, Path folder, Path log, List<ServiceInstance> instances)
                throws InterruptedException {
            this.process = process;
            this.folder = folder;
            this.log = log;
            this.instances = instances;
            this.retriesBefore = retries();
        }

        private OptionalLong retries() throws InterruptedException {
            long sum = 0;
            for (ServiceInstance instance : instances) {
                OptionalLong one = instance.transactionRetries();
                if (one.isEmpty()) {
                    return one;
                }
                sum += one.getAsLong();
            }
            return OptionalLong.of(sum);
        }

        /** Waits until it has ended by itself. */
        Output await(Duration expected, Runnable tick) throws InterruptedException {
            long end = System.nanoTime() + expected.plus(GRACE).toNanos();
            while (process.isAlive()) {
                if (System.nanoTime() > end) {
                    process.close();
                    throw new UserError("The load generator does not end (log: " + log + ")");
                }
                tick.run();
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            int code = process.exitCode();
            if (code != 0 && code != PROMISE_BROKEN) {
                throw new UserError("The load generator failed with exit code " + code + ": " + lastWords() + " (log: "
                        + log + ")");
            }
            return output(code);
        }

        /** Waits until the first request of its steady part has been answered. */
        void awaitSteady() throws InterruptedException {
            Path file = folder.resolve("requests.csv");
            long end = System.nanoTime() + GRACE.toNanos();
            while (!Files.exists(file) || read(file, true).stream().noneMatch(Request::steady)) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    throw new UserError("The load generator sends nothing (log: " + log + ")");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }

        /**
         * Ends it now.
         *
         * @throws UserError when it has ended by itself
         */
        Output end() throws InterruptedException {
            if (!process.isAlive()) {
                throw new UserError("The load generator ended too early, with exit code " + process.exitCode() + ": "
                        + lastWords() + " (log: " + log + ")");
            }
            process.close();
            return output(0);
        }

        private Output output(int code) throws InterruptedException {
            OptionalLong retries = retries();
            Path summary = folder.resolve("summary.json");
            if (!Files.exists(folder.resolve("requests.csv"))) {
                throw new UserError("The load generator left no requests: " + lastWords() + " (log: " + log + ")");
            }
            try {
                return new Output(
                        read(folder.resolve("requests.csv"), false),
                        Files.exists(summary) ? JSON.readTree(Files.readString(summary)) : JSON.missingNode(),
                        code,
                        stolen.share(),
                        retriesBefore.isPresent() && retries.isPresent()
                                ? retries.getAsLong() - retriesBefore.getAsLong()
                                : null,
                        report());
            } catch (IOException unreadable) {
                throw new UserError(
                        "'" + summary + "' cannot be read (" + UserError.firstLine(unreadable) + ")", unreadable);
            }
        }

        private @Nullable Path report() throws IOException {
            Path reports = folder.resolve("gatling");
            if (!Files.exists(reports)) {
                return null;
            }
            try (Stream<Path> runs = Files.list(reports)) {
                return runs.map(run -> run.resolve("index.html"))
                        .filter(Files::exists)
                        .findFirst()
                        .orElse(null);
            }
        }

        private String lastWords() {
            try {
                List<String> lines = Logs.lines(log);
                return lines.isEmpty() ? "it says nothing" : lines.get(lines.size() - 1);
            } catch (IOException unreadable) {
                return "its log cannot be read";
            }
        }

        @Override
        public void close() {
            process.close();
        }
    }

    /**
     * Starts a run.
     *
     * @param folder what it leaves goes there
     */
    Started start(Path folder, Load load) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Machine.javaProgram(),
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "-Xlog:disable",
                Files.exists(classes) ? "-XX:SharedArchiveFile=" + classes : "-XX:ArchiveClassesAtExit=" + classes,
                "-Dmix=" + plan.mix(),
                "-Drate=" + load.arrivalsPerSecond(),
                "-Dclients=" + load.clients(),
                "-Dwarmup=" + load.warmUp().toSeconds(),
                "-Dduration=" + load.duration().toSeconds(),
                "-DremoteShare=" + load.remoteShare(),
                "-DminSuccess=0",
                "-Dseed=" + load.seed(),
                "-Dout=" + folder,
                "-Dmovr.region.cities="
                        + regions.map().cities().entrySet().stream()
                                .map(region -> region.getKey() + "=" + String.join(",", region.getValue()))
                                .collect(Collectors.joining(";"))));
        for (ServiceInstance instance : regions.instances()) {
            command.add("-Durl." + instance.region() + "=" + instance.url());
        }
        command.addAll(List.of("-jar", program().toString()));
        try {
            Files.createDirectories(folder);
            Path log = folder.resolve("load.log");
            return new Started(ExternalProgram.of(command).start(log), folder, log, regions.instances());
        } catch (IOException failed) {
            throw new UserError("The load generator cannot be started (" + UserError.firstLine(failed) + ")", failed);
        }
    }

    /**
     * Looks for every write of some runs in the database.
     *
     * @param folders of the runs
     * @param answer what is found is written there
     * @return what is wrong, empty when nothing is
     */
    static List<String> ledgerFaults(List<Path> folders, Gateway database, Path answer) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Machine.javaProgram(), "-cp", program().toString(), "io.movr.load.LedgerCheck", Gateway.OF_PARENT));
        folders.forEach(folder -> command.add(folder.resolve("ledger.csv").toString()));
        try {
            Files.deleteIfExists(answer);
            int code = ExternalProgram.of(command)
                    .with(database.forChild())
                    .run(GRACE.multipliedBy(folders.size()), answer);
            List<String> lines = Logs.lines(answer);
            return switch (code) {
                case 0 -> List.of();
                case 1 -> lines.subList(0, Math.max(0, lines.size() - 1));
                case ExternalProgram.LATE -> List.of("The ledgers could not be checked in time");
                default -> List.of("The ledgers could not be checked: " + String.join(" ", lines));
            };
        } catch (IOException failed) {
            throw new UserError("The ledgers cannot be checked (" + UserError.firstLine(failed) + ")", failed);
        }
    }

    /** How many writes of a run were acknowledged, and how many nobody knows of. */
    static Map<String, Long> ledger(Path folder) {
        try (CSVParser rows = parser(Files.newBufferedReader(folder.resolve("ledger.csv")))) {
            return rows.stream().collect(Collectors.groupingBy(row -> row.get("outcome"), Collectors.counting()));
        } catch (IOException unreadable) {
            throw new UserError(
                    "The ledger in " + folder + " cannot be read (" + UserError.firstLine(unreadable) + ")",
                    unreadable);
        }
    }

    /**
     * Reads the requests of a run.
     *
     * @param growing whether it is still being written, so that its last line may be cut off
     */
    private static List<Request> read(Path file, boolean growing) {
        List<Request> requests = new ArrayList<>();
        try (CSVParser rows = parser(Files.newBufferedReader(file))) {
            for (CSVRecord row : rows) {
                if (growing && !row.isConsistent()) {
                    break;
                }
                requests.add(new Request(
                        Long.parseLong(row.get("due_ms")),
                        row.get("region"),
                        row.get("operation"),
                        Boolean.parseBoolean(row.get("remote")),
                        row.get("phase").equals("steady"),
                        Long.parseLong(row.get("latency_us")) / 1e3,
                        row.get("outcome"),
                        row.get("city")));
            }
            return requests;
        } catch (IOException unreadable) {
            throw new UserError("'" + file + "' cannot be read (" + UserError.firstLine(unreadable) + ")", unreadable);
        }
    }

    private static CSVParser parser(Reader reader) throws IOException {
        return CSVFormat.RFC4180
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get()
                .parse(reader);
    }
}
