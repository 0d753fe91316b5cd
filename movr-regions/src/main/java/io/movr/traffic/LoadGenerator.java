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

/** The load generator of movr-load, which runs in its own process for each run. */
final class LoadGenerator {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration COMPLETION_LIMIT = Duration.ofMinutes(3);
    private static final long POLL_MILLIS = 100;
    /** The exit code of a complete run with a failed assertion. */
    private static final int ASSERTION_FAILED = 2;

    private static final String NO_SUMMARY = "it wrote no summary, so it is unknown whether it kept up";
    /** The tolerance of the duration of a steady part. */
    private static final long TOLERANCE_MS = 500;

    private final RunningRegions regions;
    private final TrafficPlan plan;
    private final Path classes;

    /**
     * Prepares runs.
     *
     * @param folder receives the class archive of the first run that ends by itself, which shortens the start of
     *     later runs by one or two seconds
     */
    LoadGenerator(RunningRegions regions, TrafficPlan plan, Path folder) {
        this.regions = regions;
        this.plan = plan;
        this.classes = folder.resolve("classes.jsa");
        classes.toFile().deleteOnExit();
    }

    /**
     * Returns the path of the program.
     *
     * @throws UserError if it is not built
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
     * The load of a run.
     *
     * @param arrivalsPerSecond the rate of all regions together, for an open model
     * @param clients the number of closed-loop clients in each region; 0 for an open model
     * @param remoteShare the share of arrivals that request a city of another region, 0 to 1
     * @param duration the duration of the steady part
     */
    record Load(
            double arrivalsPerSecond, int clients, double remoteShare, Duration warmUp, Duration duration, long seed) {

        Duration length() {
            return warmUp.plus(duration);
        }
    }

    /**
     * The results of a run.
     *
     * @param summary the summary of the load generator; a missing node if there is none
     * @param code the exit code
     * @param stolenShare CPU steal during the run as a share of the time of all processors, 0 to 1; {@code null} if
     *     unknown
     * @param transactionRetries the number of transactions that the service retried during the run; {@code null} if
     *     unknown
     * @param report the report page of Gatling; {@code null} if the run was stopped early
     */
    record RunOutput(
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
         * Returns the reasons why the run is not a valid measurement of the service; empty if it is valid.
         *
         * @param requested the requested load; {@code null} for a run that is stopped early
         */
        List<String> warnings(@Nullable Load requested) {
            if (summary.isMissingNode()) {
                return List.of(NO_SUMMARY);
            }
            List<String> warnings = new ArrayList<>();
            CpuSteal.warning(stolenShare).ifPresent(warnings::add);
            if (summary.path("bottleneck").asBoolean(false)) {
                warnings.add(summary.path("reason").asString(""));
            }
            if (requested == null) {
                return warnings;
            }
            if (code == ASSERTION_FAILED) {
                warnings.add("an assertion on its run failed (exit code " + code + ")");
            }
            MeasuredRun measured = measured();
            long durationMs = measured.toMs() - measured.fromMs();
            if (Math.abs(durationMs - requested.duration().toMillis()) > TOLERANCE_MS) {
                warnings.add(String.format(
                        Locale.ROOT,
                        "its steady part lasted %.1f s instead of %d s",
                        durationMs / 1e3,
                        requested.duration().toSeconds()));
            }
            long planned = summary.path("arrivals_planned").asLong(0);
            long arrived = summary.path("arrivals").asLong(0);
            if (arrived < planned) {
                warnings.add("only " + arrived + " of " + planned + " riders arrived");
            }
            return warnings;
        }
    }

    /** A run in progress. */
    static final class ActiveRun implements AutoCloseable {

        private final SupervisedProcess process;
        private final Path folder;
        private final Path log;
        private final List<ServiceInstance> instances;
        private final CpuSteal stolen = new CpuSteal();
        private final OptionalLong retriesBefore;

        ActiveRun(SupervisedProcess process, Path folder, Path log, List<ServiceInstance> instances)
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
        RunOutput await(Duration expected, Runnable tick) throws InterruptedException {
            long end = System.nanoTime() + expected.plus(COMPLETION_LIMIT).toNanos();
            while (process.isAlive()) {
                if (System.nanoTime() > end) {
                    process.close();
                    throw new UserError("The load generator does not end (log: " + log + ")");
                }
                tick.run();
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            int code = process.exitCode();
            if (code != 0 && code != ASSERTION_FAILED) {
                throw new UserError("The load generator failed with exit code " + code + ": " + lastLogLine()
                        + " (log: " + log + ")");
            }
            return output(code);
        }

        /** Waits until the first request of its steady part has been answered. */
        void awaitSteady() throws InterruptedException {
            Path file = folder.resolve("requests.csv");
            long end = System.nanoTime() + COMPLETION_LIMIT.toNanos();
            while (!Files.exists(file) || read(file, true).stream().noneMatch(Request::steady)) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    throw new UserError("The load generator sent no request in the steady part (log: " + log + ")");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        }

        /**
         * Stops the run.
         *
         * @throws UserError if it has ended by itself
         */
        RunOutput stop() throws InterruptedException {
            if (!process.isAlive()) {
                throw new UserError("The load generator ended too early, with exit code " + process.exitCode() + ": "
                        + lastLogLine() + " (log: " + log + ")");
            }
            process.close();
            return output(0);
        }

        private RunOutput output(int code) throws InterruptedException {
            OptionalLong retries = retries();
            Path summary = folder.resolve("summary.json");
            if (!Files.exists(folder.resolve("requests.csv"))) {
                throw new UserError("The load generator wrote no requests: " + lastLogLine() + " (log: " + log + ")");
            }
            try {
                return new RunOutput(
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

        private String lastLogLine() {
            try {
                List<String> lines = Logs.lines(log);
                return lines.isEmpty() ? "its log is empty" : lines.get(lines.size() - 1);
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
     * @param folder receives the files of the run
     */
    ActiveRun start(Path folder, Load load) throws InterruptedException {
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
            return new ActiveRun(ExternalProgram.of(command).start(log), folder, log, regions.instances());
        } catch (IOException failed) {
            throw new UserError("The load generator cannot be started (" + UserError.firstLine(failed) + ")", failed);
        }
    }

    /**
     * Checks that the database has every write of some runs.
     *
     * @param folders the folders of the runs
     * @param answer receives the output of the check
     * @return the faults; empty if there are none
     */
    static List<String> ledgerFaults(List<Path> folders, Gateway database, Path answer) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Machine.javaProgram(), "-cp", program().toString(), "io.movr.load.LedgerCheck", Gateway.OF_PARENT));
        folders.forEach(folder -> command.add(folder.resolve("ledger.csv").toString()));
        try {
            Files.deleteIfExists(answer);
            int code = ExternalProgram.of(command)
                    .with(database.forChild())
                    .run(COMPLETION_LIMIT.multipliedBy(folders.size()), answer);
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

    /** Returns the number of writes of a run by outcome. */
    static Map<String, Long> countLedgerOutcomes(Path folder) {
        try (CSVParser rows = parser(Files.newBufferedReader(folder.resolve("ledger.csv")))) {
            return rows.stream().collect(Collectors.groupingBy(row -> row.get("outcome"), Collectors.counting()));
        } catch (IOException unreadable) {
            throw new UserError(
                    "The ledger in " + folder + " cannot be read (" + UserError.firstLine(unreadable) + ")",
                    unreadable);
        }
    }

    /**
     * Returns the requests of a run.
     *
     * @param growing whether the file is still written, so that its last line may be incomplete
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
