package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.endtoend.MovrProgram.Ended;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Three regions on one machine: running them, moving rows while they run, and traffic before and after. */
@Tag("full")
class RegionsTest {

    private static final Pattern SERVICE = Pattern.compile("(?m)^  (\\S+) +(http://127\\.0\\.0\\.1:\\d+) ");

    @TempDir
    private Path folder;

    private MovrProgram movr;

    @BeforeEach
    void program() throws IOException {
        movr = new MovrProgram(folder);
    }

    @Test
    void rowsMoveToTheirRegionsWhileTheServiceGoesOn() throws Exception {
        Path output = folder.resolve("regions.txt");
        Process running =
                movr.startWriting(output, "Ctrl-C stops it", "regions", "start", "--scale", "tiny", "--http-port", "0");
        try {
            String table = Files.readString(output);
            Matcher service = SERVICE.matcher(table);
            List<String> urls = service.results().map(found -> found.group(2)).toList();
            assertThat(urls).as(table).hasSize(3);
            assertThat(get(urls.get(2) + "/api/region"))
                    .contains("\"region\":\"europe-west1\"", "unused-index-dropped");

            Ended second = movr.run("regions", "start", "--scale", "tiny");
            assertThat(second.code()).isEqualTo(1);
            assertThat(second.error()).contains("Regions run here already");

            assertThat(movr.run("regions", "slow", "us-east1:us-west1=1ms").output())
                    .contains("The link between us-east1 and us-west1 has a round trip of 1 ms.");
            assertThat(movr.run("regions", "kill", "us-west1").output()).contains("server in us-west1 is killed.");
            assertThat(movr.run("regions", "restart", "us-west1").output()).contains("server in us-west1 runs again.");
            assertThat(movr.run("regions", "kill", "us-west1", "--service").code())
                    .isZero();
            assertThat(answers(urls.get(1) + "/api/region")).isFalse();
            assertThat(movr.run("regions", "restart", "us-west1", "--service").code())
                    .isZero();
            assertThat(answers(urls.get(1) + "/api/region")).isTrue();
            assertThat(movr.run("regions", "cut", "us-east1:mars").error())
                    .contains("There is no link between us-east1 and mars");

            Ended migrated = movr.run("migrate", "--stage", "regional-by-row");
            assertThat(migrated.output())
                    .as(migrated.error())
                    .contains("The regions that run are at stage regional-by-row, by way of geo-partitioned")
                    .containsPattern("geo-partitioned locked the tables for \\d+ ms");
            assertThat(movr.run("migrate", "--stage", "regional-by-row").output())
                    .contains("at stage regional-by-row already");

            Ended placement = movr.run("regions", "status");
            assertThat(placement.code()).as(placement.error()).isZero();
            assertThat(placement.output())
                    .containsPattern("us-east1 +us-west1 +europe-west1")
                    .contains("users@", " 0 of them outside their home region");

            // What has its home region there is answered while every link is cut.
            for (String pair : List.of("us-east1:us-west1", "us-east1:europe-west1", "us-west1:europe-west1")) {
                assertThat(movr.run("regions", "cut", pair).code()).isZero();
            }
            assertThat(get(urls.get(1) + "/api/vehicles?city=seattle")).contains("\"city\":\"seattle\"");
            assertThat(get(urls.get(2) + "/api/vehicles?city=paris")).contains("\"city\":\"paris\"");

            assertThat(movr.run("regions", "stop").output()).contains("being stopped");
            assertThat(running.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(running.exitValue()).isZero();
        } finally {
            running.destroyForcibly().waitFor();
        }
        assertThat(movr.run("regions", "cut", "us-east1:us-west1").error()).contains("No regions run here");
        assertThat(movr.serverFolders()).isEmpty();
    }

    @Test
    void regionsThatAreKilledLeaveNothingRunning() throws Exception {
        Path output = folder.resolve("regions.txt");
        Process killed =
                movr.startWriting(output, "Ctrl-C stops it", "regions", "start", "--scale", "tiny", "--http-port", "0");
        Matcher service = SERVICE.matcher(Files.readString(output));
        assertThat(service.find()).isTrue();
        String url = service.group(2);
        killed.destroyForcibly().waitFor();
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (answers(url)) {
            assertThat(System.nanoTime()).as("the service still answers").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(200);
        }
        assertThat(movr.serverFolders()).isNotEmpty();
        assertThat(movr.run("lab", "--scale", "tiny", "--samples", "30", "--only", "pk-lookup", "--out", folder + "/r")
                        .code())
                .isZero();
        assertThat(movr.serverFolders()).isEmpty();
        assertThat(movr.servers()).isEmpty();
    }

    @Test
    void trafficBeforeAndAfterAlternatesAndGoesOnDuringAMigration() throws Exception {
        Path results = folder.resolve("results");
        Ended ended = movr.run(
                "traffic",
                "--rtt=us-east1:us-west1=8ms",
                "--rtt=us-east1:europe-west1=9ms",
                "--rtt=us-west1:europe-west1=17ms",
                "--scale=tiny",
                "--runs=2",
                "--seconds=4",
                "--rate=15",
                "--during",
                "--out=" + results);
        assertThat(ended.output())
                .as(ended.error())
                .contains(
                        "each is there exactly once",
                        "requests/s",
                        "p95, ms",
                        "Intervals are within the runs only, and nothing is judged",
                        "Runs before and after alternated",
                        "A waiting client in each region, after:")
                .containsPattern("multi-region-p99: .*: not judged")
                .containsPattern("multi-region-qps: .*: not judged");
        Path bundle;
        try (Stream<Path> bundles = Files.list(results)) {
            bundle = bundles.toList().get(0);
        }
        JsonNode json = new JsonMapper().readTree(Files.readString(bundle.resolve("results.json")));
        assertThat(json.path("phases")
                        .valueStream()
                        .map(phase -> phase.path("id").asString()))
                .containsExactly("before", "during", "after");
        assertThat(json.path("load").path("order").asString()).isEqualTo("alternating");
        for (String runs : List.of("/runs", "/closedLoop/runs")) {
            assertThat(order(json, runs)).as(runs).containsExactly("before 1", "after 1", "after 2", "before 2");
        }
        assertThat(json.path("migration").path("underTraffic").asBoolean()).isTrue();
        json.path("phases")
                .valueStream()
                .flatMap(phase -> phase.path("runs").valueStream())
                .filter(run -> !run.path("gatlingReport").isNull())
                .forEach(run -> assertThat(
                                bundle.resolve(run.path("gatlingReport").asString()))
                        .as("Gatling's report")
                        .isRegularFile());
        assertThat(json.at("/phases/0/runs/0/gatlingReport").asString()).endsWith("index.html");
        // A busy machine may hold up the load generator, which is said and makes the run incomplete.
        assertThat(ended.code())
                .as(ended.output())
                .isEqualTo(json.path("complete").asBoolean() ? 0 : 1);
        assertThat(json.path("dataset").path("loadSeconds").asDouble())
                .isBetween(0.0, json.path("tookSeconds").asDouble());
        JsonNode during = json.path("phases").path(1).path("runs").path(0);
        assertThat(during.path("lagP99Ms").asDouble()).isPositive();
        assertThat(during.path("cpuShare").asDouble()).isPositive();
        assertThat(during.path("transactionRetries").isIntegralNumber())
                .as("the service tells its retries")
                .isTrue();
        assertThat(json.path("ledger").path("acknowledged").asLong()).isPositive();
        assertThat(json.path("ledger").path("faults")).isEmpty();
        for (JsonNode phase : json.path("phases")) {
            List<String> regions = phase.path("operations")
                    .valueStream()
                    .map(operation -> operation.path("region").asString())
                    .distinct()
                    .toList();
            assertThat(regions).contains("us-east1", "us-west1", "europe-west1");
        }
        for (int phase : new int[] {0, 2}) {
            JsonNode loop = json.path("phases").path(phase).path("closedLoop");
            assertThat(loop.path("requestsPerSecond").path("estimate").asDouble())
                    .isPositive();
            assertThat(loop.path("byRegion").size()).isEqualTo(3);
        }
        Map<String, Set<String>> placed = new TreeMap<>();
        for (JsonNode share : json.path("placement")) {
            assertThat(share.path("bytes").asLong()).isPositive();
            placed.computeIfAbsent(share.path("phase").asString(), phase -> new TreeSet<>())
                    .add(share.path("region").asString());
        }
        assertThat(placed.get("before")).containsExactly("us-east1");
        assertThat(placed.get("after")).containsExactly("europe-west1", "us-east1", "us-west1");
        assertThat(json.path("matrix").size()).isEqualTo(2 * 3 * 3 * 4);
        assertThat(json.path("promoReads")
                        .valueStream()
                        .map(mode -> mode.path("stage").asString() + " "
                                + mode.path("mode").asString()))
                .containsExactly("unused-index-dropped primary", "regional-by-row subscribed");
        for (JsonNode mode : json.path("promoReads")) {
            assertThat(mode.path("writes").asLong()).isPositive();
            assertThat(mode.path("regions").valueStream())
                    .hasSize(3)
                    .allSatisfy(
                            region -> assertThat(region.path("reads").asLong()).isPositive());
        }
        assertThat(json.path("promoReads").path(0).path("regions").valueStream())
                .as("reads at the primary")
                .allSatisfy(region -> assertThat(region.path("stale").asLong()).isZero());
        assertThat(movr.serverFolders()).isEmpty();
        if (ReportInBrowserTest.hasBrowser()) {
            assertThat(ReportInBrowserTest.opened(bundle.resolve("report.html"), folder))
                    .contains(
                            "<svg",
                            "regional-by-row",
                            "europe-west1",
                            "not judged",
                            "Waiting clients",
                            "a copy in each region",
                            "Where the rows are");
        }
    }

    /** The runs before and after, as they began. */
    private static List<String> order(JsonNode results, String runs) {
        TreeMap<Long, String> byStart = new TreeMap<>();
        for (JsonNode phase : results.path("phases")) {
            if (!phase.path("id").asString().equals("during")) {
                for (JsonNode run : phase.at(runs)) {
                    byStart.put(
                            run.path("startedMs").asLong(),
                            phase.path("id").asString() + " "
                                    + run.path("number").asInt());
                }
            }
        }
        return List.copyOf(byStart.values());
    }

    @Test
    void theLaboratoryMeasuresTrafficAfterItsOwnExperiments() throws Exception {
        Path calibration = Files.createDirectories(folder.resolve("a-calibration"));
        Files.copy(
                MovrProgram.ROOT.resolve("docs/results/2026-11-22-calibration.results.json"),
                calibration.resolve("results.json"));
        Path results = folder.resolve("results");
        Ended ended = movr.run(
                "lab",
                "--only=multi-region-p99,name-index,multi-region-qps",
                "--rtt=us-east1:us-west1=8ms",
                "--rtt=us-east1:europe-west1=9ms",
                "--rtt=us-west1:europe-west1=17ms",
                "--scale=tiny",
                "--samples=30",
                "--runs=1",
                "--seconds=4",
                "--rate=15",
                "--calibration=" + calibration,
                "--out=" + results);
        assertThat(ended.output())
                .as(ended.error())
                .containsPattern("name-index +[0-9.]+ +[0-9.]+ ")
                .containsPattern("multi-region-qps +[0-9.]+/s +[0-9.]+/s .* 1\\.89\\* +not judged")
                .containsPattern("multi-region-p99 +[0-9.]+ +[0-9.]+ .* 1\\.38\\* +not judged");
        List<Path> bundles;
        try (Stream<Path> files = Files.list(results)) {
            bundles = files.sorted().toList();
        }
        assertThat(bundles).hasSize(2);
        Path lab = bundles.stream()
                .filter(bundle -> bundle.toString().endsWith("-lab"))
                .findFirst()
                .orElseThrow();
        JsonNode json = new JsonMapper().readTree(Files.readString(lab.resolve("results.json")));
        assertThat(json.path("experiments").size()).isEqualTo(1);
        assertThat(json.path("experiments")
                        .path(0)
                        .path("before")
                        .path("medianUnits")
                        .asDouble())
                .isPositive();
        assertThat(json.path("unit").path("calibration").asString()).isEqualTo("a-calibration");
        JsonNode traffic = json.path("traffic");
        assertThat(traffic.path("figures").size()).isEqualTo(2);
        assertThat(lab.resolve(traffic.path("bundle").asString()).resolve("report.html"))
                .isRegularFile();
        // A busy machine may hold up the load generator, which is said and makes the run incomplete.
        assertThat(ended.code())
                .as(ended.output())
                .isEqualTo(traffic.path("complete").asBoolean() ? 0 : 1);
        assertThat(json.path("complete").asBoolean())
                .isEqualTo(traffic.path("complete").asBoolean());
        assertThat(movr.serverFolders()).isEmpty();
        if (ReportInBrowserTest.hasBrowser()) {
            assertThat(ReportInBrowserTest.opened(lab.resolve("report.html"), folder))
                    .contains(
                            "<svg",
                            "multi-region-demo",
                            "not judged",
                            "-traffic/report.html",
                            " units",
                            "a-calibration");
        }
    }

    private static String get(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofMinutes(1))
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static boolean answers(String url) throws InterruptedException {
        try {
            HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.discarding());
            return true;
        } catch (IOException gone) {
            return false;
        }
    }
}
