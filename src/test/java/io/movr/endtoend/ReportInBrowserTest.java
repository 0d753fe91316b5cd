package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.endtoend.MovrProgram.Ended;
import io.movr.report.LabResults;
import io.movr.report.RunBundle;
import io.movr.report.TrafficResults;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class ReportInBrowserTest {

    @TempDir
    private Path folder;

    @Test
    void theReportDrawsItsChartsWithoutErrorsAndWithoutANetwork() throws Exception {
        assumeTrue(hasBrowser(), "no Chromium on the path: the report was not opened");
        MovrProgram movr = new MovrProgram(folder);
        Ended ended = movr.run("lab", "--scale", "tiny", "--samples", "30", "--only", "name-index", "--out", "results");
        assertThat(ended.code()).as(ended.error()).isZero();
        Path report;
        try (Stream<Path> files = Files.walk(folder)) {
            report = files.filter(file -> file.endsWith("report.html"))
                    .findFirst()
                    .orElseThrow();
        }
        assertThat(opened(report, folder)).contains("<svg", "users_name_idx", "Seq Scan on users", "tuning-zh");
    }

    @Test
    void calibrationsSideBySideAreDrawnWithTheirKneesAndThePublishedMachine() throws Exception {
        assumeTrue(hasBrowser(), "no Chromium on the path: the page was not opened");
        String kept = Files.readString(MovrProgram.ROOT.resolve("docs/results/2026-11-22-calibration.results.json"));
        List<String> words = new ArrayList<>(List.of("calibrate", "compare"));
        for (String system : List.of("north", "south")) {
            Path bundle = Files.createDirectories(folder.resolve(system));
            Files.writeString(bundle.resolve("results.json"), kept);
            words.add(bundle.toString());
        }
        Path out = folder.resolve("systems");
        words.addAll(List.of("--out", out.toString()));
        Ended ended = new MovrProgram(folder).run(words, "");
        assertThat(ended.code()).as(ended.error()).isZero();
        String page = opened(out.resolve("comparison.html"), folder);
        assertThat(page.split("<svg", -1)).as("charts and legends").hasSizeGreaterThan(9);
        assertThat(page)
                .contains(
                        "published laptop of 2018",
                        "average published as healthy",
                        "3218",
                        "storage",
                        "the knee",
                        "north",
                        "south");
    }

    @Test
    void aRegionThatWasKilledIsInTheReportOfTraffic() throws Exception {
        assumeTrue(hasBrowser(), "no Chromium on the path: the report was not opened");
        RunBundle bundle = RunBundle.create(folder, Instant.EPOCH, "cockroachdb", "traffic");
        try (InputStream kept = new GZIPInputStream(Files.newInputStream(
                MovrProgram.ROOT.resolve("docs/results/2026-11-22-cockroachdb-outage-11.results.json.gz")))) {
            bundle.write(JsonMapper.shared().readValue(kept, TrafficResults.class));
        }
        assertThat(opened(bundle.report(), folder))
                .contains(
                        "<svg",
                        "europe-west1 killed",
                        "At stage region-survival",
                        "<td class=\"number\"><span>383</span>");
    }

    @ParameterizedTest
    @CsvSource({"true, 'after, 1.86× worse'", "false, 'after, which is no difference'"})
    void theHeadlineOfTrafficFollowsItsVerdict(boolean different, String words) throws Exception {
        assumeTrue(hasBrowser(), "no Chromium on the path: the report was not opened");
        ObjectNode kept = kept("2026-11-22-traffic.results.json");
        kept.path("figures").forEach(figure -> ((ObjectNode) figure).put("different", different));
        RunBundle bundle = RunBundle.create(folder, Instant.EPOCH, "postgresql", "traffic");
        bundle.write(JsonMapper.shared().treeToValue(kept, TrafficResults.class));
        assertThat(lead(opened(bundle.report(), folder)))
                .contains(words)
                .doesNotContain(different ? "no difference" : "×");
    }

    @Test
    void aSmallShareIsNotRoundedToNothing() throws Exception {
        assumeTrue(hasBrowser(), "no Chromium on the path: the report was not opened");
        ObjectNode kept = kept("2026-11-22-traffic.results.json");
        ((ObjectNode) kept.path("load")).put("remoteShare", 0.0004321);
        RunBundle bundle = RunBundle.create(folder, Instant.EPOCH, "postgresql", "traffic");
        bundle.write(JsonMapper.shared().treeToValue(kept, TrafficResults.class));
        assertThat(opened(bundle.report(), folder)).contains("0.0432%");
    }

    @Test
    void theReportOfAnExperimentOfOnesOwnAnswersItsQuestionAndShowsNothingThatIsNotThere() throws Exception {
        assumeTrue(hasBrowser(), "no Chromium on the path: the report was not opened");
        ObjectNode kept = kept("2026-11-21-lab-tutorial.results.json");
        ObjectNode experiment = (ObjectNode) kept.path("experiments").get(1);
        experiment.putArray("published");
        kept.putArray("experiments").add(experiment);
        RunBundle bundle = RunBundle.create(folder, Instant.EPOCH, "postgresql", "lab");
        bundle.write(JsonMapper.shared().treeToValue(kept, LabResults.class));
        String page = opened(bundle.report(), folder);
        assertThat(lead(page)).matches("name-index: [\\d.]+ × faster\\.");
        assertThat(page.substring(page.indexOf("<body"), page.indexOf("id=\"method\"")))
                .doesNotContain("Published", "published ratios", "the answer or the plan was wrong");
    }

    private static ObjectNode kept(String name) throws IOException {
        return (ObjectNode) JsonMapper.shared()
                .readTree(Files.readString(
                        MovrProgram.ROOT.resolve("docs/results").resolve(name)));
    }

    /** The sentence at the top of a page. */
    private static String lead(String page) {
        return page.replaceFirst("(?s).*<p class=\"lead\" id=\"lead\">(.*?)</p>.*", "$1");
    }

    /** Whether a page can be opened here. */
    static boolean hasBrowser() {
        return browser().isPresent();
    }

    /**
     * Opens a page without a network in the browser that must be there, and requires that nothing is amiss with it.
     *
     * @param folder for the browser's own files
     * @return what the page is when its scripts have run
     */
    static String opened(Path report, Path folder) throws IOException, InterruptedException {
        Path page = folder.resolve("page.html");
        Path log = folder.resolve("browser.log");
        Process process = new ProcessBuilder(
                        browser().orElseThrow(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--user-data-dir=" + folder.resolve("profile"),
                        "--enable-logging=stderr",
                        "--virtual-time-budget=10000",
                        "--dump-dom",
                        report.toUri().toString())
                .redirectOutput(page.toFile())
                .redirectError(log.toFile())
                .start();
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
        assertThat(Files.readString(log)).doesNotContain("CONSOLE");
        return Files.readString(page);
    }

    /** The program of a browser on the path. */
    static Optional<String> browser() {
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name ->
                        Stream.of(System.getenv("PATH").split(":", -1)).map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }
}
