package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import io.movr.database.Gateway;
import io.movr.report.RunBundle;
import io.movr.report.TrafficResults;
import io.movr.report.TrafficResults.Second;
import io.movr.stats.LatencyClasses;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The console as a newcomer uses it, in a browser. What it does is looked for in the databases. */
@Tag("full")
class ConsoleInBrowserTest {

    private static final Pattern ADDRESS = Pattern.compile("Console: (http://127\\.0\\.0\\.1:\\d+/)(#token=\\S+)");
    private static final Pattern GATEWAY = Pattern.compile("(?m)^  (\\S+) +http://\\S+ +(jdbc:postgresql://\\S+)");
    private static final double LIMIT_MILLIS = 120_000;

    @TempDir
    private Path folder;

    private final List<String> errors = new ArrayList<>();

    @Test
    void aNewcomerFinishesTheTourAndRides() throws Exception {
        assumeTrue(ReportInBrowserTest.hasBrowser(), "no Chromium on the path: the console was not opened");
        MovrProgram movr = new MovrProgram(folder);
        Path output = folder.resolve("regions.txt");
        Path results = folder.resolve("results");
        Map<String, String> shown;
        Process running = movr.startWriting(
                output, "Ctrl-C stops it", "regions", "start", "--scale=tiny", "--http-port=0", "--out=" + results);
        try (Playwright playwright = playwright();
                Browser browser = browser(playwright)) {
            String printed = Files.readString(output);
            Matcher address = ADDRESS.matcher(printed);
            assertThat(address.find()).as(printed).isTrue();

            Page reader = page(browser, 1600, ColorScheme.LIGHT);
            reader.navigate(address.group(1));
            reader.waitForSelector("#tour-steps li.current");
            assertThat(reader.locator("#actions button:not([disabled]), #tour button:not([disabled])")
                            .count())
                    .as("buttons without a token")
                    .isZero();
            reader.close();

            Page page = page(browser, 1600, ColorScheme.LIGHT);
            page.navigate(address.group(1) + address.group(2));
            page.waitForSelector("#tour-steps li.current");
            assertThat(page.url()).as("the token is not left in the address").doesNotContain("token");
            for (int step = 1; step <= 8; step++) {
                assertThat(ridesOf(printed, "europe-west1").isEmpty())
                        .as("where European rides are before step " + step)
                        .isEqualTo(step <= 4);
                step(page, step);
            }
            assertThat(page.locator("#tour-count").textContent()).isEqualTo("8 of 8 steps");
            assertThat(page.locator("#before-note").textContent()).contains("unused-index-dropped");
            assertThat(page.locator("#log").textContent())
                    .contains("./movr regions cut us-east1:europe-west1", "./movr migrate --stage regional-by-row");
            page.locator("[data-words=ledger]").click();
            page.waitForSelector("#ledger tbody td");
            List<String> ledger = page.locator("#ledger tbody td").allTextContents();
            assertThat(ledger.get(0))
                    .as("acknowledged and found")
                    .isNotEqualTo("0")
                    .isEqualTo(ledger.get(1));
            assertThat(ledger.subList(2, 4)).as("lost and doubled").containsExactly("0", "0");
            page.locator("[data-words=staleness]").click();
            page.waitForSelector("#promo tbody td", new Page.WaitForSelectorOptions().setTimeout(60_000));
            assertThat(page.locator("#promo tbody tr").count())
                    .as("a row for each region")
                    .isEqualTo(3);
            assertThat(page.locator("#promo tbody").textContent())
                    .contains("europe-west1", "subscribed: a copy in each region");
            shown = figures(page);
            page.locator("#span-seconds").fill("30");
            page.waitForFunction("() => Number(document.querySelector('#span tbody td').textContent) > 0");
            assertThat(seriousFaults(page)).isEmpty();

            page.setViewportSize(360, 740);
            assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(360);
            page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
            assertThat(seriousFaults(page)).isEmpty();

            ride(page, printed);
            assertThat(errors).isEmpty();
        } finally {
            running.destroy();
            assertThat(running.waitFor(3, TimeUnit.MINUTES)).isTrue();
        }
        Path recording;
        try (Stream<Path> files = Files.walk(results)) {
            recording = files.filter(file -> file.endsWith("console.html"))
                    .findFirst()
                    .orElseThrow();
        }
        try (Playwright playwright = playwright();
                Browser browser = browser(playwright)) {
            Page page = page(browser, 1600, ColorScheme.LIGHT);
            page.navigate(recording.toUri().toString());
            page.waitForFunction("() => document.getElementById('stage').textContent === 'regional-by-row'");
            page.locator("#scrub").focus();
            page.keyboard().press("Home");
            page.waitForFunction("() => document.getElementById('stage').textContent === 'unused-index-dropped'");
            page.keyboard().press("End");
            page.waitForFunction("() => document.getElementById('stage').textContent === 'regional-by-row'");
            assertThat(figures(page)).as("figures of the bundle").isEqualTo(shown);
            dragOver(page.locator(".u-over").first(), 0.3, 0.9);
            page.waitForFunction("() => document.getElementById('span-time').textContent.startsWith('Selected: ')");
            page.waitForFunction("() => Number(document.querySelector('#span tbody td').textContent) > 0");
            assertThat(seriousFaults(page)).isEmpty();
            assertThat(errors).isEmpty();
        }
    }

    @Test
    void aSpanOfAReportOfTrafficTellsItsPercentiles() throws Exception {
        assumeTrue(ReportInBrowserTest.hasBrowser(), "no Chromium on the path: the report was not opened");
        ObjectNode results = (ObjectNode)
                JsonMapper.shared().readTree(MovrProgram.ROOT.resolve("docs/results/2026-11-22-traffic.results.json"));
        List<Second> seconds = new ArrayList<>();
        for (int second = 0; second < 20; second++) {
            // 10 ms in the first half, 200 ms in the second; one of ten takes 1 s.
            seconds.add(second("us-east1", second, second < 10 ? 10 : 200));
            seconds.add(second("us-west1", second, 30));
        }
        results.set("timeline", JsonMapper.shared().valueToTree(seconds));
        results.put("latencyClassWidth", LatencyClasses.WIDTH);
        RunBundle bundle = RunBundle.create(folder, Instant.EPOCH, "postgresql", "traffic");
        bundle.write(JsonMapper.shared().treeToValue(results, TrafficResults.class));
        try (Playwright playwright = playwright();
                Browser browser = browser(playwright)) {
            Page page = page(browser, 1600, ColorScheme.LIGHT);
            page.navigate(bundle.report().toUri().toString());
            assertThat(span(page))
                    .containsExactly(
                            "all regions|400|0|29.8|993|993|1,000",
                            "us-east1|200|0|200|993|993|1,000",
                            "us-west1|200|0|29.8|993|993|1,000");
            dragOver(page.locator(".chart[data-kind=timeline] > svg").first(), 0.6, 0.8);
            assertThat(span(page)).hasSize(3).element(1).asString().matches("us-east1\\|[45]0\\|0\\|200\\|.*");
            assertThat(page.locator(".selection").first().getAttribute("visibility"))
                    .isEqualTo("visible");
            page.locator("#span-from").fill("2");
            page.locator("#span-until").fill("5");
            page.keyboard().press("Enter");
            assertThat(span(page)).element(1).isEqualTo("us-east1|30|0|10|993|993|1,000");
            assertThat(seriousFaults(page)).isEmpty();
            page.locator("#span-from").fill("99");
            page.keyboard().press("Enter");
            assertThat(page.locator("#span-from").inputValue())
                    .as("a second past the end")
                    .isEqualTo("5");
            page.locator("#span-whole").click();
            assertThat(span(page)).element(0).asString().startsWith("all regions|400|");
            assertThat(page.locator(".selection").first().getAttribute("visibility"))
                    .isEqualTo("hidden");
            assertThat(errors).isEmpty();
        }
    }

    private static Second second(String region, int number, double millis) {
        DoubleStream latencies =
                DoubleStream.concat(DoubleStream.generate(() -> millis).limit(9), DoubleStream.of(1_000));
        return new Second(
                "before", region, 1_000L * number, 10, 0, millis, 1_000.0, 1_000.0, LatencyClasses.counts(latencies));
    }

    private static List<String> span(Page page) {
        return page.locator("#span-table tbody tr").all().stream()
                .map(row -> String.join("|", row.locator("th, td").allTextContents()))
                .toList();
    }

    /** The figures of what was measured on request, and of before, which stay as they are. */
    private static Map<String, String> figures(Page page) {
        return Stream.of("matrix", "promo", "ledger", "before-note")
                .collect(Collectors.toMap(id -> id, id -> page.locator("#" + id).textContent()));
    }

    private static Playwright playwright() {
        return Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    }

    private static Browser browser(Playwright playwright) {
        return playwright
                .chromium()
                .launch(new LaunchOptions()
                        .setExecutablePath(Path.of(ReportInBrowserTest.browser().orElseThrow()))
                        .setArgs(List.of("--no-sandbox", "--disable-gpu")));
    }

    private Page page(Browser browser, int width, ColorScheme scheme) {
        Page page = browser.newPage(
                new Browser.NewPageOptions().setViewportSize(width, 1000).setColorScheme(scheme));
        page.setDefaultTimeout(LIMIT_MILLIS);
        page.onPageError(errors::add);
        page.onConsoleMessage(message -> {
            if (message.type().equals("error")) {
                errors.add(message.text());
            }
        });
        return page;
    }

    private static void dragOver(Locator chart, double from, double to) {
        Page page = chart.page();
        chart.scrollIntoViewIfNeeded();
        BoundingBox box = chart.boundingBox();
        page.mouse().move(box.x + from * box.width, box.y + box.height / 2);
        page.mouse().down();
        page.mouse().move(box.x + to * box.width, box.y + box.height / 2);
        page.mouse().up();
    }

    private static void step(Page page, int number) {
        Locator item = page.locator("#tour-steps > li").nth(number - 1);
        String done = "at => document.querySelectorAll('#tour-steps > li')[at].className === 'done'";
        // On a busy machine requests may stand in the way of a migration's lock for long, and then it is tried again.
        for (int attempt = 1; !(boolean) page.evaluate(done, number - 1); attempt++) {
            assertThat(attempt)
                    .as("step " + number + ": " + item.textContent() + " | "
                            + page.locator("#log tbody").textContent())
                    .isLessThanOrEqualTo(number == 4 ? 4 : 1);
            item.locator("button").click();
            if (number == 4 || number == 7) {
                page.locator("#confirm button[value=yes]").click();
                assertThat(page.locator("#confirm-line").textContent()).startsWith("./movr ");
            }
            page.waitForFunction(
                    "at => !['', '…'].includes(document.querySelectorAll('#tour-steps > li .result')[at].textContent)",
                    number - 1);
        }
        assertThat(item.locator(".result").textContent()).isNotEmpty();
    }

    /** Rides whose rows are on a region's own server; none as long as that has no table. */
    private static List<String> ridesOf(String printed, String region) throws Exception {
        Matcher gateway = GATEWAY.matcher(printed);
        while (gateway.find()) {
            if (gateway.group(1).equals(region)) {
                try (Connection connection = new Gateway(gateway.group(2)).connect("test");
                        Statement statement = connection.createStatement();
                        ResultSet rows = statement.executeQuery(
                                "SELECT relname FROM pg_class WHERE relname = 'rides_europe_west1' AND relkind = 'r'")) {
                    List<String> found = new ArrayList<>();
                    while (rows.next()) {
                        found.add(rows.getString(1));
                    }
                    return found;
                }
            }
        }
        throw new AssertionError(printed);
    }

    private static long rides(String printed, String city) throws Exception {
        Matcher gateway = GATEWAY.matcher(printed);
        assertThat(gateway.find()).isTrue();
        try (Connection connection = new Gateway(gateway.group(2)).connect("test");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT count(*) FROM rides WHERE city = '" + city + "' AND end_address = 'Browser Street'")) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void ride(Page page, String printed) throws Exception {
        page.locator("#ride-link").click();
        page.waitForFunction("() => document.querySelectorAll('#city option').length > 0");
        startARide(page);
        page.locator("#address").fill("Browser Street");
        page.locator("#end").click();
        page.waitForFunction("() => document.getElementById('last').textContent.includes('The ride cost')");
        assertThat(page.locator("#last").textContent()).containsPattern("Ending the ride: \\d+\\.\\d ms");
        assertThat(rides(printed, "new york")).isEqualTo(1);
        assertThat(page.evaluate("document.documentElement.scrollWidth")).isEqualTo(360);
        assertThat(seriousFaults(page)).isEmpty();
    }

    /** The traffic may have taken a vehicle since it was found, which is said; then it is the next one's turn. */
    private static void startARide(Page page) {
        for (int attempt = 1; !page.locator("#riding").isVisible(); attempt++) {
            assertThat(attempt).as(page.locator("#last").textContent()).isLessThanOrEqualTo(5);
            page.locator("#find").click();
            page.locator("#vehicles button:not([disabled])").nth(attempt - 1).click();
            page.waitForFunction("() => !document.getElementById('riding').hidden"
                    + " || document.getElementById('last').textContent.includes(' – ')");
        }
    }

    private static Object[] seriousFaults(Page page) throws Exception {
        try (InputStream axe = ConsoleInBrowserTest.class.getResourceAsStream("/axe.min.js")) {
            page.evaluate(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
        }
        List<?> faults = (List<?>) page.evaluate("async () => (await axe.run()).violations"
                + ".filter(fault => ['serious', 'critical'].includes(fault.impact))"
                + ".map(fault => fault.id + ' ' + fault.nodes.map(node => node.target.join(' ')).join(', '))");
        return faults.toArray();
    }
}
