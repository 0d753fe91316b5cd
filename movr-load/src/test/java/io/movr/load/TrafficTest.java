package io.movr.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.dataset.Invariants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The simulation as its own process, against the service. */
class TrafficTest {

    /** How a process ended. */
    private record Ended(int code, String output) {}

    private static RunningService service;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() throws Exception {
        service = RunningService.shared();
    }

    private Ended traffic(Map<String, String> settings) throws IOException, InterruptedException {
        Process process = start(settings);
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("ended").isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Ended(process.exitValue(), Files.readString(output()));
    }

    private Path output() {
        return folder.resolve("output.txt");
    }

    private Process start(Map<String, String> settings) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        Map<String, String> all = new TreeMap<>(settings);
        all.putIfAbsent("url", service.address().toString());
        all.putIfAbsent("out", run().toString());
        all.forEach((name, value) -> command.add("-D" + name + "=" + value));
        command.add("-cp");
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.add(Traffic.class.getName());
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output().toFile())
                .start();
    }

    private Path run() {
        return folder.resolve("run");
    }

    /** The lines of a file below its header, cut into fields. */
    private List<String[]> lines(String file, String header) throws IOException {
        List<String> lines = Files.readAllLines(run().resolve(file));
        assertThat(lines.get(0)).isEqualTo(header);
        return lines.stream().skip(1).map(line -> line.split(",", -1)).toList();
    }

    private JsonNode summary() throws IOException {
        return JsonMapper.shared().readTree(Files.readString(run().resolve("summary.json")));
    }

    private static Map<String, Long> counts(List<String[]> lines, Function<String[], String> by) {
        return lines.stream().collect(Collectors.groupingBy(by, TreeMap::new, Collectors.counting()));
    }

    @Test
    void wholeJourneysInAllRegionsAreMeasuredAndEveryWriteIsThereOnce() throws Exception {
        Ended ended = traffic(Map.of(
                "mix", "journey",
                "rate", "9",
                "warmup", "1",
                "duration", "4",
                "pause", "20",
                "moves", "2",
                "remoteShare", "0.3",
                "database", service.gateway().url()));
        assertThat(ended.code()).as(ended.output()).isZero();

        List<String[]> requests =
                lines("requests.csv", "due_ms,region,operation,remote,phase,latency_us,service_us,outcome,city");
        assertThat(counts(requests, line -> line[1]).keySet()).containsExactly("europe-west1", "us-east1", "us-west1");
        assertThat(counts(requests, line -> line[2]).keySet())
                .containsExactly("add_user", "end_ride", "list_vehicles", "start_ride", "update_location");
        assertThat(counts(requests, line -> line[3]).keySet()).containsExactly("false", "true");
        assertThat(counts(requests, line -> line[7]).keySet()).isSubsetOf("ok", "refused_vehicle-not-available");
        assertThat(requests).allSatisfy(line -> {
            assertThat(Long.parseLong(line[6])).as("service time").isPositive();
            // A request is never sent before it is due.
            assertThat(Long.parseLong(line[5])).as("latency").isGreaterThanOrEqualTo(Long.parseLong(line[6]));
        });

        JsonNode summary = summary();
        Map<String, Long> phases = counts(requests, line -> line[4]);
        assertThat(summary.path("total").path("requests").asLong()).isEqualTo(phases.get("steady"));
        assertThat(summary.path("warmup_requests").asLong()).isEqualTo(phases.getOrDefault("warmup", 0L));
        assertThat(summary.path("arrivals").asLong())
                .isEqualTo(counts(requests, line -> line[2]).get("list_vehicles"));
        assertThat(summary.path("regions").propertyNames()).hasSize(3);
        assertThat(summary.path("lag_ms").path("p99").asDouble()).isPositive();
        assertThat(summary.path("process_cpu_share").asDouble()).isBetween(0.0, 1.0);
        assertThat(summary.path("bottleneck").isBoolean()).isTrue();
        assertThat(summary.path("ended_early").asBoolean()).isFalse();
        assertThat(summary.path("arrivals").asLong())
                .isEqualTo(summary.path("arrivals_planned").asLong());
        assertThat(summary.path("steady_ended").asLong()
                        - summary.path("steady_started").asLong())
                .isEqualTo(4_000);
        assertThat(summary.path("assertions").path("ledger_checked").asBoolean())
                .isTrue();

        List<String[]> ledger = lines("ledger.csv", "kind,city,id,key,outcome");
        assertThat(counts(ledger, line -> line[0]).get("add_user"))
                .isEqualTo(counts(requests, line -> line[2]).get("add_user"));
        assertThat(LedgerCheck.check(service.gateway(), run().resolve("ledger.csv")))
                .isEmpty();
        assertThat(Invariants.violations(service.gateway())).isEmpty();
        try (Stream<Path> files = Files.walk(run().resolve("gatling"))) {
            assertThat(files.map(file -> file.getFileName().toString())).contains("index.html");
        }
    }

    @Tag("full")
    @Test
    void aWriteWhoseAnswerWasLostIsAskedForAgainAndDoneOnce() throws Exception {
        try (LosingProxy proxy = new LosingProxy(service.address())) {
            Ended ended = traffic(Map.of(
                    "url", proxy.address().toString(),
                    "mix", "python",
                    "rate", "60",
                    "warmup", "0",
                    "duration", "5",
                    "retryPause", "20",
                    "minSuccess", "100",
                    "database", service.gateway().url()));
            assertThat(ended.code()).as(ended.output()).isZero();
            assertThat(proxy.unavailable()).isPositive();
            // Gatling's client itself sends again what met a closed connection of its pool.
            assertThat(summary().path("retries").asInt()).isGreaterThanOrEqualTo(proxy.unavailable());
            assertThat(summary().path("replays").asInt()).isPositive();
            assertThat(LedgerCheck.check(service.gateway(), run().resolve("ledger.csv")))
                    .isEmpty();
        }
    }

    @Tag("full")
    @Test
    void aRunThatDoesNotKeepWhatWasPromisedEndsWithAnError() throws Exception {
        Ended ended = traffic(Map.of("rate", "10", "warmup", "0", "duration", "2", "p99", "0.001"));
        assertThat(ended.code()).as(ended.output()).isEqualTo(2);
        assertThat(summary().path("assertions").path("p99_held").asBoolean()).isFalse();
        assertThat(summary().path("assertions").path("success_held").asBoolean())
                .isTrue();
    }

    @Tag("full")
    @Test
    void aRunThatIsEndedEarlyLeavesASummaryOfWhatItMeasured() throws Exception {
        Process process = start(Map.of("rate", "30", "warmup", "0", "duration", "3600"));
        try {
            Path file = run().resolve("requests.csv");
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
            while (!Files.exists(file) || Files.readAllLines(file).size() < 30) {
                assertThat(process.isAlive()).as("still runs").isTrue();
                assertThat(System.nanoTime()).as("sends something").isLessThan(end);
                TimeUnit.MILLISECONDS.sleep(100);
            }
            process.destroy();
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        JsonNode summary = summary();
        assertThat(summary.path("ended_early").asBoolean()).isTrue();
        long requests = lines("requests.csv", "due_ms,region,operation,remote,phase,latency_us,service_us,outcome,city")
                .size();
        assertThat(summary.path("total").path("requests").asLong()).isEqualTo(requests);
        assertThat(summary.path("lag_ms").path("p99").asDouble()).isPositive();
        assertThat(summary.path("process_cpu_share").asDouble()).isPositive();
        assertThat(summary.path("retries").isNumber()).isTrue();
        assertThat(summary.path("steady_ended").asLong())
                .isLessThanOrEqualTo(summary.path("ended").asLong());
        assertThat(summary.has("assertions")).as("nothing was judged").isFalse();
        assertThat(LedgerCheck.check(service.gateway(), run().resolve("ledger.csv")))
                .isEmpty();
    }

    @Tag("full")
    @Test
    void aClientOfAClosedLoopWaitsForItsAnswer() throws Exception {
        Ended ended = traffic(Map.of("clients", "1", "warmup", "1", "duration", "2", "mix", "python"));
        assertThat(ended.code()).as(ended.output()).isZero();
        List<String[]> requests =
                lines("requests.csv", "due_ms,region,operation,remote,phase,latency_us,service_us,outcome,city");
        assertThat(counts(requests, line -> line[4]).keySet()).containsExactly("steady", "warmup");
        for (String region : List.of("europe-west1", "us-east1", "us-west1")) {
            List<String[]> own = requests.stream()
                    .filter(line -> line[1].equals(region))
                    .sorted(Comparator.comparingLong(line -> Long.parseLong(line[0])))
                    .toList();
            assertThat(own).hasSizeGreaterThan(3);
            for (int next = 1; next < own.size(); next++) {
                long answered = Long.parseLong(own.get(next - 1)[0]) * 1_000 + Long.parseLong(own.get(next - 1)[5]);
                // Both moments were cut to milliseconds.
                assertThat((Long.parseLong(own.get(next)[0]) + 1) * 1_000).isGreaterThanOrEqualTo(answered);
            }
        }
        assertThat(summary().has("arrivals_planned")).isFalse();
    }

    @Test
    void aFolderThatHoldsARunIsNotOverwritten() throws Exception {
        Files.createDirectories(run());
        Files.writeString(run().resolve("requests.csv"), "of another run");
        Ended ended = traffic(Map.of());
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.output()).contains("holds a run already");
        assertThat(run().resolve("requests.csv")).hasContent("of another run");
    }

    @Test
    void aPropertyThatIsNothingIsRefused() throws Exception {
        Path file = folder.resolve("traffic.properties");
        Files.write(file, Arrays.asList("mix=movr", "warm-up=3"));
        assertThat(Traffic.run(file.toString())).isEqualTo(1);
    }
}
