package io.movr.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.SlowdownBound.IfUnsure;
import io.movr.SlowdownBound.Outcome;
import io.movr.UserError;
import io.movr.lab.Lab;
import io.movr.report.LabResults.Published;
import io.movr.report.LabResults.Traffic;
import io.movr.report.TrafficResults.Figure;
import io.movr.report.render.MarkdownRenderer;
import io.movr.report.render.TextRenderer;
import io.movr.stats.Interval;
import io.movr.stats.Summary;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** Results of the laboratory with what traffic found. */
class LabResultsTest {

    private static final List<String> BOTH = List.of("multi-region-qps", "multi-region-p99");

    private static final Figure RATE = figure(
            "multi-region-qps",
            "requests/s",
            new Interval(22.5, 22, 23),
            new Interval(140, 139, 141),
            1.25,
            "reproduced");
    private static final Figure TAIL = figure(
            "multi-region-p99", "ms", new Interval(812, 800, 820), new Interval(401, 390, 420), null, "not judged");

    @TempDir
    private Path folder;

    @Test
    void figuresOfTrafficStandInTheTableWithTheirUnitsAndInTheBundle() throws IOException {
        LabResults results = with(traffic(List.of(RATE, TAIL), true), BOTH);
        assertThat(results.complete()).isTrue();
        assertThat(labText(results))
                .containsPattern("multi-region-qps +22\\.50/s +140\\.0/s +2\\.00 \\[1\\.50, 2\\.50] +1\\.89\\* +repr")
                .containsPattern("multi-region-p99 +812\\.0 +401\\.0 +2\\.00 \\[1\\.50, 2\\.50] +1\\.89\\* +not judged")
                .contains("* weak evidence")
                .doesNotContain("not measured whole");
        RunBundle bundle = RunBundle.create(folder, Instant.EPOCH, "postgresql", "lab");
        bundle.write(results);
        String json = Files.readString(bundle.folder().resolve("results.json"));
        assertThat(json).contains("\"bundle\" : \"../a-traffic\"").doesNotContain("\"unit\" : {");
        Documented.assertDescribes(Documented.RESULTS, json);
    }

    @Test
    void onlyWhatWasAskedForIsTakenOver() {
        assertThat(with(traffic(List.of(RATE, TAIL), true), List.of("multi-region-p99"))
                        .traffic()
                        .figures())
                .containsExactly(TAIL);
    }

    @Test
    void aFigureThatIsMissingOrTrafficThatWasNotWholeLeavesTheRunIncomplete() {
        assertThat(with(traffic(List.of(RATE), true), BOTH).complete()).isFalse();
        LabResults notWhole = with(traffic(List.of(RATE, TAIL), false), BOTH);
        assertThat(notWhole.complete()).isFalse();
        assertThat(labText(notWhole)).contains("was not measured whole");
    }

    @Test
    void anIntervalBeyondTheBoundThatIsNoDifferenceCannotBeTold() {
        assertThat(new LabGate(5.0, IfUnsure.SKIP).judge(own(experiment("orders", 0.8, false), null)))
                .extracting(LabGate.Judged::outcome)
                .containsExactly(Outcome.UNSURE);
    }

    @Test
    void aBoundPassesFailsOrCannotBeTold() {
        LabResults results = results();
        assertThat(new LabGate(5.0, IfUnsure.SKIP).judge(results))
                .extracting(one -> one.name() + " " + one.outcome() + ": " + one.message())
                .containsExactly(
                        "slower FAILED: is 25.0% slower after than before, 95% interval of the slowdown [11.1%, 42.9%],"
                                + " and --fail-on allows 5%",
                        "faster PASSED: is 33.3% faster after than before, 95% interval of the slowdown [-37.5%, -28.6%],"
                                + " and --fail-on allows 5%",
                        "perhaps-slower UNSURE: cannot tell: 0.0% slower after than before, 95% interval of the slowdown"
                                + " [-9.1%, 11.1%], and --fail-on allows 5%; more --samples make the interval narrower",
                        "wrong FAILED: Wrong plan\n\u0007Seq Scan on <orders>",
                        "orders: the write new-order FAILED: is 25.0% slower after than before, 95% interval of the slowdown"
                                + " [11.1%, 42.9%], and its max-slowdown allows 2.5%",
                        "orders: the write allowed UNSURE: cannot tell: 25.0% slower after than before, 95% interval of the"
                                + " slowdown [11.1%, 42.9%], and its max-slowdown allows 30%; more --samples make the interval"
                                + " narrower");
        assertThat(new LabGate(null, IfUnsure.SKIP).judge(results).get(0).outcome())
                .isEqualTo(Outcome.PASSED);
        assertThat(new LabGate(45.0, IfUnsure.SKIP).judge(results).get(0).outcome())
                .isEqualTo(Outcome.PASSED);
        // Shown to be slower, by an estimate beyond the bound and an interval that is not.
        assertThat(new LabGate(15.0, IfUnsure.SKIP).judge(results).get(0).outcome())
                .isEqualTo(Outcome.UNSURE);
        assertThat(new LabGate(5.0, IfUnsure.SKIP).judge(with(traffic(List.of(RATE, TAIL), true), BOTH)))
                .extracting(one -> one.name() + " " + one.outcome())
                .containsExactly("multi-region-qps PASSED", "multi-region-p99 PASSED");
        assertThat(LabGate.bound("slower>5%")).isEqualTo(LabGate.bound(" 5 ")).isEqualTo(5);
        assertThatThrownBy(() -> LabGate.bound("faster>5%"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("--fail-on 'faster>5%' is no percentage");
    }

    @Test
    void junitShowsWhatCannotBeToldAsTheAuthorChooses() throws Exception {
        assertThat(counts(IfUnsure.SKIP)).containsExactly("6", "3", "2");
        assertThat(counts(IfUnsure.FAIL)).containsExactly("6", "5", "0");
        assertThat(counts(IfUnsure.PASS)).containsExactly("6", "3", "0");
        Element suite = suite(IfUnsure.SKIP);
        assertThat(suite.getElementsByTagName("testcase")
                        .item(4)
                        .getAttributes()
                        .getNamedItem("name")
                        .getNodeValue())
                .isEqualTo("write new-order");
        assertThat(suite.getElementsByTagName("failure").item(1).getTextContent())
                .isEqualTo("Wrong plan\n\uFFFDSeq Scan on <orders>");
    }

    private static List<String> counts(IfUnsure choice) throws Exception {
        Element suite = suite(choice);
        return List.of(suite.getAttribute("tests"), suite.getAttribute("failures"), suite.getAttribute("skipped"));
    }

    private static Element suite(IfUnsure choice) throws Exception {
        String xml = LabJunit.of(results(), new LabGate(5.0, choice));
        return (Element) DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)))
                .getElementsByTagName("testsuite")
                .item(0);
    }

    @Test
    void markdownSaysFirstWhatFailed() {
        assertThat(labMarkdown(results(), new LabGate(5.0, IfUnsure.SKIP)))
                .startsWith("### movr lab: 3 of 6 failed\n\n- **Failed:** slower is 25.0% slower")
                .contains(
                        "- **Cannot tell:** perhaps-slower cannot tell",
                        "| price of orders | before |",
                        "| 1MB | 3MB |")
                .contains("| **wrong** | FAILED |")
                .doesNotContain("published");
        assertThat(labMarkdown(results(), new LabGate(5.0, IfUnsure.FAIL))).startsWith("### movr lab: 5 of 6 failed");
    }

    @Test
    void anExperimentOfOnesOwnIsAnsweredInASentence() {
        LabResults results = own(
                experiment("orders", 46.2, true),
                new LabResults.Price(
                        "orders",
                        null,
                        1.5,
                        List.of(new LabResults.TableSize("orders", 1L << 20, 10L << 20, null, 9L << 20)),
                        List.of(
                                new LabResults.Write(
                                        "new-order", null, experiment("orders.new-order", 0.97, true), null, null),
                                new LabResults.Write(
                                        "rename", null, experiment("orders.rename", 0.99, false), null, null)),
                        List.of()));
        assertThat(labMarkdown(results, new LabGate(null, IfUnsure.SKIP)))
                .startsWith("### movr lab: passed\n\n- **orders: 46.2 × faster, +9 MB, new-order 3% slower.**\n");
        assertThat(labMarkdown(own(experiment("orders", 0.2, true), null), new LabGate(null, IfUnsure.SKIP)))
                .contains("- **orders: 5.00 × slower.**");
        assertThat(labMarkdown(own(experiment("orders", 46.2, false), null), new LabGate(null, IfUnsure.SKIP)))
                .contains("- **orders: no difference was shown.**")
                .doesNotContain("published");
        assertThat(labMarkdown(own(experiment("orders", 1.004, true), null), new LabGate(null, IfUnsure.SKIP)))
                .contains("- **orders: 0.398% faster.**");
        assertThat(labText(results)).doesNotContain("published");
    }

    @Test
    void theReportBeginsWithTheSentencesOfTheMarkdown(@TempDir Path folder) throws IOException {
        RunBundle.in(folder).write(own(experiment("orders", 46.2, true), null));
        assertThat(Files.readString(folder.resolve("report.html")))
                .contains("<p class=\"lead\" id=\"lead\">orders: 46.2 × faster.</p>");
        assertThat(Files.readString(folder.resolve("results.json"))).doesNotContain("headlines");
    }

    private static LabResults own(LabResults.Experiment experiment, LabResults.Price price) {
        LabResults some = results();
        return new LabResults(
                some.schemaVersion(),
                some.kind(),
                some.startedAt(),
                1,
                some.command(),
                true,
                some.environment(),
                some.dataset(),
                some.rules(),
                List.of(),
                List.of(experiment),
                null,
                null,
                price == null ? null : List.of(price),
                null);
    }

    private static LabResults.Side side() {
        return new LabResults.Side(
                "",
                "",
                List.of("SELECT 1"),
                "",
                Summary.of(new double[] {1, 2, 3}),
                new Interval(2, 1, 3),
                null,
                List.of(),
                "",
                List.of());
    }

    @Test
    void thePublishedFigureOfTheTableIsTheOneThatTheVerdictIsHeldAgainst() {
        LabResults.Experiment own = experiment("name-index", 2.4, true);
        LabResults.Experiment compared = new LabResults.Experiment(
                own.id(),
                own.title(),
                own.lesson(),
                own.status(),
                null,
                List.of(),
                side(),
                side(),
                null,
                own.improvement(),
                null,
                1,
                0.01,
                0.01,
                true,
                List.of(new Published(
                        "tuning-en",
                        "",
                        "",
                        "",
                        "ms",
                        28,
                        9,
                        3.11,
                        new Interval(2.56, 2.4, 2.7),
                        false,
                        "reproduced",
                        "")),
                null,
                null);
        assertThat(labText(own(compared, null)))
                .containsPattern("name-index .* 2\\.56 +reproduced")
                .doesNotContain("3.11")
                .contains("published: the ratio of medians where 20 samples a side or more were published");
    }

    @Test
    void aPriceIsInTheTable() {
        assertThat(labText(results()))
                .containsPattern("(?m)^size of orders +1MB +3MB$")
                .containsPattern("(?m)^its indexes +2MB$")
                .containsPattern("(?m)^time to build +1\\.500 s$")
                .contains("not measured: writes of one row of items: it has no primary key");
    }

    @Test
    void growthIsALineOfTheTableAndOfMarkdown() {
        assertThat(labText(results()))
                .containsPattern(
                        "(?m)^growth of orders: from 1 to 10 times the rows, before takes 8\\.00 times as long,"
                                + " after 1\\.00 times; failed at scale 100$")
                .containsPattern("(?m)^growth of none: nothing can be said; failed at scale 1, 10$");
        assertThat(labMarkdown(results(), new LabGate(null, IfUnsure.SKIP)))
                .contains("growth of orders: from 1 to 10 times the rows");
    }

    @Test
    void growthIsInTheBundleAlsoWhereAScaleFailed() throws IOException {
        RunBundle bundle = RunBundle.create(folder, Instant.EPOCH, "postgresql", "lab");
        bundle.write(results());
        String json = Files.readString(bundle.folder().resolve("results.json"));
        Documented.assertDescribes(Documented.RESULTS, json);
        Documented.assertRefuses(Documented.RESULTS, json.replaceFirst("\"points\"", "\"point\""));
    }

    private static LabResults results() {
        LabResults none = with(traffic(List.of(), true), List.of());
        return new LabResults(
                none.schemaVersion(),
                none.kind(),
                none.startedAt(),
                1,
                none.command(),
                true,
                none.environment(),
                none.dataset(),
                none.rules(),
                List.of(),
                List.of(
                        experiment("slower", 0.8, true),
                        experiment("faster", 1.5, true),
                        experiment("perhaps-slower", 1, false),
                        failed()),
                null,
                null,
                List.of(new LabResults.Price(
                        "orders",
                        null,
                        1.5,
                        List.of(new LabResults.TableSize("orders", 1L << 20, 3L << 20, null, 2L << 20)),
                        List.of(
                                new LabResults.Write(
                                        "new-order", 2.5, experiment("orders.new-order", 0.8, true), null, null),
                                new LabResults.Write(
                                        "allowed", 30.0, experiment("orders.allowed", 0.8, true), null, null),
                                new LabResults.Write(
                                        "unbounded", null, experiment("orders.unbounded", 0.1, true), null, null)),
                        List.of("writes of one row of items: it has no primary key"))),
                List.of(
                        new LabResults.Growth("orders", List.of(point(1), point(10), failedAt(100))),
                        new LabResults.Growth("none", List.of(failedAt(1), failedAt(10)))));
    }

    private static LabResults.Point point(int scale) {
        return new LabResults.Point(
                scale,
                "orders@" + scale,
                new Interval(scale == 1 ? 1 : 8, 0.5, 9),
                new Interval(2, 1, 3),
                new Interval(4, 3, 5));
    }

    private static LabResults.Point failedAt(int scale) {
        return LabResults.Point.of(scale, failed());
    }

    private static LabResults.Experiment failed() {
        return new LabResults.Experiment(
                "wrong",
                "",
                "",
                "failed",
                "Wrong plan\n\u0007Seq Scan on <orders>",
                List.of(),
                null,
                null,
                null,
                null,
                null,
                1,
                1,
                null,
                false,
                List.of(),
                null,
                null);
    }

    private static LabResults.Experiment experiment(String id, double ratio, boolean different) {
        return new LabResults.Experiment(
                id,
                "",
                "",
                "measured",
                null,
                List.of(),
                null,
                null,
                null,
                new Interval(ratio, ratio - 0.1, ratio + 0.1),
                null,
                1,
                0.01,
                0.01,
                different,
                List.of(),
                null,
                null);
    }

    private static LabResults with(TrafficResults traffic, List<String> asked) {
        return LabResults.of(traffic, Instant.EPOCH, Lab.rules()).with(Traffic.of(traffic, "../a-traffic", asked), 10);
    }

    private static Figure figure(
            String id, String unit, Interval before, Interval after, Double noiseFloor, String verdict) {
        Published published = new Published(
                "multi-region-demo", "CockroachDB v21.1", "", "", "", 87, 164, 1.89, null, true, verdict, "");
        return new Figure(
                id, "", "", unit, before, after, new Interval(2, 1.5, 2.5), noiseFloor, 0.01, true, List.of(published));
    }

    private static TrafficResults traffic(List<Figure> figures, boolean complete) {
        return new TrafficResults(
                TrafficResults.SCHEMA_VERSION,
                "traffic",
                "2026-11-22T00:00:00Z",
                5,
                List.of("./movr", "lab"),
                complete,
                List.of(),
                new Environment(
                        "1", "1", "17", "Linux", "any", 2, 1, "PostgreSQL", "18", "local", true, null, Map.of()),
                new LabResults.Dataset("tiny", 1, List.of("boston"), Map.of("rides", 1L), null),
                List.of(),
                new TrafficResults.Load("movr", 30, 5, 20, 3, 0.05, 10, 3, "alternating"),
                List.of(),
                List.of(),
                new TrafficResults.Migration("a", "b", List.of("b"), 0, 1, Map.of(), false, List.of()),
                List.of(),
                null,
                List.of(),
                List.of(),
                List.of(),
                new TrafficResults.Ledger(1, 0, List.of()),
                List.of(),
                null,
                figures);
    }

    private static String labText(LabResults results) {
        return TextRenderer.of(LabReport.of(results));
    }

    private static String labMarkdown(LabResults results, LabGate gate) {
        return MarkdownRenderer.of(LabReport.withGate(results, gate));
    }
}
