package io.movr.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.console.ProgressPage.Item;
import io.movr.console.ProgressPage.Progress;
import io.movr.console.ProgressPage.Ratio;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ProgressPageTest {

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void aPageGetsWhatWasShownLastAndWhatIsShownFromThenOn() throws Exception {
        ProgressPage page = ProgressPage.start(ProgressPage.PORT);
        page.show(progress("Preparing", null));
        page.show(progress("Measuring", 0.5));
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                URI.create(page.url() + "api/events").toURL().openStream(), StandardCharsets.UTF_8))) {
            JsonNode history = event(lines).path("events");
            assertThat(history).hasSize(1);
            JsonNode progress = history.path(0).path("progress");
            assertThat(progress.path("doing").asString()).isEqualTo("Measuring");
            assertThat(progress.at("/items/0/ratio/high").asDouble()).isEqualTo(2.5);
            page.show(progress("Done", 1.0));
            page.close();
            assertThat(event(lines).at("/progress/doing").asString())
                    .as("what was shown right before the end")
                    .isEqualTo("Done");
        }
    }

    @Test
    void itsFilesComeFromHereUnderAStrictPolicyAndNothingIsChanged() throws Exception {
        try (ProgressPage page = ProgressPage.start(ProgressPage.PORT)) {
            HttpResponse<String> answer = get(page, "");
            assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'", "script-src 'self'");
            assertThat(answer.body()).contains("progress.js").doesNotContain("style=", "<script>", "<style>");
            for (String file : List.of("progress.js", "console.css", "uplot.js", "uplot.css", "uplot-licence.txt")) {
                assertThat(get(page, file).statusCode()).as(file).isEqualTo(200);
            }
            assertThat(get(page, "ride").statusCode()).isEqualTo(404);
            assertThat(http.send(
                                    HttpRequest.newBuilder(URI.create(page.url() + "api/events"))
                                            .POST(BodyPublishers.noBody())
                                            .build(),
                                    BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(403);
        }
    }

    @Test
    void whereThePortIsTakenAPageListensAtOneOfTheNextAndShowsItsOwnRun() throws Exception {
        List<ProgressPage> pages = IntStream.range(0, 4)
                .parallel()
                .mapToObj(number -> {
                    ProgressPage page = ProgressPage.start(ProgressPage.PORT);
                    page.show(progress("run " + number, null));
                    return page;
                })
                .toList();
        try {
            for (int number = 0; number < pages.size(); number++) {
                URI address = URI.create(pages.get(number).url());
                assertThat(address.getPort()).isBetween(ProgressPage.PORT, ProgressPage.PORT + ConsoleServer.TRIES - 1);
                try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                        address.resolve("api/events").toURL().openStream(), StandardCharsets.UTF_8))) {
                    assertThat(event(lines).at("/events/0/progress/doing").asString())
                            .isEqualTo("run " + number);
                }
            }
        } finally {
            pages.forEach(ProgressPage::close);
        }
    }

    private HttpResponse<String> get(ProgressPage page, String path) throws Exception {
        return http.send(HttpRequest.newBuilder(URI.create(page.url() + path)).build(), BodyHandlers.ofString());
    }

    private static JsonNode event(BufferedReader lines) throws Exception {
        String line = lines.readLine();
        while (line != null && !line.startsWith("data:")) {
            line = lines.readLine();
        }
        assertThat(line).isNotNull();
        return JsonMapper.shared().readTree(line.substring("data:".length()));
    }

    private static Progress progress(String doing, Double part) {
        return new Progress(
                "./movr lab",
                doing,
                part,
                null,
                true,
                "samples",
                List.of(),
                List.of(new Item("name-index", "measuring", 0.5, new Ratio(36, 2, 1.5, 2.5), null, null, "ms", "")),
                List.of());
    }
}
