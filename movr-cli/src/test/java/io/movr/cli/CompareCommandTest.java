package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.report.Documented;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The command as a user types it, on files that JMH wrote. */
class CompareCommandTest {

    private static final Path RESULTS = Path.of("..", "movr-lab", "src", "test", "resources", "io", "movr", "compare");

    @TempDir
    private Path folder;

    private record Ended(int code, String output, String error) {}

    @BeforeEach
    void files() throws IOException {
        for (String name : List.of("before.json", "after.json", "thrpt-ss.json", "profiled.json")) {
            Files.copy(RESULTS.resolve(name), folder.resolve(name));
        }
    }

    @Test
    void twoRunsOfTheSameThingAreShownWithoutADifference() {
        Ended ended = compare("before.json after.json --fail-on slower>0%");
        assertThat(ended.code()).isZero();
        assertThat(ended.error()).contains("--fail-on 'slower>0%': 8 judged: 0 passed, 0 failed, 8 cannot tell");
        assertThat(compare("before.json after.json --fail-on slower>0% --if-unsure fail")
                        .code())
                .isEqualTo(1);
        assertThat(ended.output())
                .contains("Compared by result, baseline before:", "All rows: size=20000")
                .contains("geometric mean of 8", "adjusted by Holm over 8 comparisons", "Welch's between forks")
                .doesNotContain("\u001b", "Missing from", "New in");
        assertThat(ended.output().lines().filter(line -> line.contains("Sorting.")))
                .hasSize(8)
                .allMatch(line -> line.contains("~ ×"))
                .allMatch(line -> line.contains("us/op"), "the unit of the baseline, though the other is in ms/op");
    }

    @Test
    void differentCircumstancesComeBeforeAnyNumber() {
        String output = compare("before.json profiled.json").output();
        assertThat(output).contains("Not measured alike").containsPattern("forks +3 +2");
        assertThat(output.indexOf("Not measured alike")).isLessThan(output.indexOf("improvement [95%]"));
        assertThat(output)
                .contains("Missing from profiled:", "New in profiled:", "Sorting.plainJdbc (thrpt, size=20000");
    }

    @Test
    void aStageThatHalvesTheWorkIsShownToBeBetterAndTheOtherWayRoundFailsTheGate() {
        Ended better = compare("before.json --by stage --fail-on slower>5%");
        assertThat(better.code()).isZero();
        assertThat(better.output())
                .contains("Compared by stage, baseline baseline")
                .doesNotContain("~ ×");
        assertThat(better.output().lines().filter(line -> line.contains("×2.0") || line.contains("×1.9")))
                .hasSizeGreaterThanOrEqualTo(4);

        Ended worse = compare("before.json --by stage --baseline name-index --fail-on slower>5% --filter avgt");
        assertThat(worse.code()).isEqualTo(1);
        assertThat(worse.error().lines())
                .hasSize(3)
                .anyMatch(
                        line -> line.equals("movr: --fail-on 'slower>5%': 2 judged: 0 passed, 2 failed, 0 cannot tell"))
                .filteredOn(line -> line.contains("Sorting"))
                .hasSize(2)
                .allMatch(line -> line.matches(
                        "movr: Sorting\\.\\w+ \\(avgt, size=20000\\) in baseline is \\d+\\.\\d% slower, 95%"
                                + " interval \\[.*], and --fail-on allows 5%"));
        assertThat(compare("before.json --by stage --baseline name-index --fail-on slower>300%")
                        .code())
                .isZero();
        assertThat(compare("before.json --by stage --baseline name-index").code())
                .isZero();
    }

    @Test
    void moreThanTwoVariantsStandBelowEachOther() {
        Ended ended = compare("before.json after.json profiled.json --filter avgt");
        assertThat(ended.output()).containsPattern("(?m)^  before +\\d").containsPattern("(?m)^  profiled +\\d");
        assertThat(ended.output()).contains("geometric mean of 4, after", "geometric mean of 4, profiled");
    }

    @ParameterizedTest
    @ValueSource(strings = {"table", "markdown", "csv", "json"})
    void namesOfOthersDoNotActOnTheTerminalOrOnWhatShowsTheOutput(String format) throws IOException {
        String name = "=cmd()\u001b[31m\u009b2J\u202e\u0007![x](http://evil)@everyone<img src=x>";
        String json = Files.readString(folder.resolve("before.json"));
        JsonNode first = JsonMapper.shared().readTree(json).get(0);
        String hostile = JsonMapper.shared().writeValueAsString(List.of(((ObjectNode) first).put("benchmark", name)));
        Files.writeString(folder.resolve("before.json"), hostile);
        Files.writeString(folder.resolve("after.json"), hostile);
        System.setProperty(CompareCommand.COLOURS, "true");
        try {
            Ended ended = compare("before.json after.json --fail-on slower>5% --format " + format);
            assertThat(ended.code()).as(ended.error()).isZero();
            assertThat(ended.output() + ended.error())
                    .doesNotContain("\u001b[31m=", "\u001b[31m\u009b", "\u009b", "\u202e", "\u0007")
                    .contains("\\u202e", "\\u0007");
            if (format.equals("markdown")) {
                assertThat(ended.output())
                        .doesNotContain("//evil", "@everyone")
                        .doesNotContainPattern("(?<!\\\\)(\\]\\(http|<img)");
            }
            if (format.equals("csv")) {
                assertThat(ended.output()).contains("\n'=cmd()").doesNotContain("\n=cmd()");
            }
        } finally {
            System.clearProperty(CompareCommand.COLOURS);
        }
        Ended refused = compare("\u001b[31mnowhere.json after.json");
        assertThat(refused.error()).contains("\\u001b[31mnowhere.json").doesNotContain("\u001b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "+1+1", "-1+1", "@SUM(1)", " =1+1", "\t=1+1", "\n=1+1", "\uff1d1+1"})
    void noCellOfACsvIsAFormula(String name) throws IOException {
        JsonNode first = JsonMapper.shared()
                .readTree(Files.readString(folder.resolve("before.json")))
                .get(0);
        Files.writeString(
                folder.resolve("before.json"),
                JsonMapper.shared().writeValueAsString(List.of(((ObjectNode) first).put("benchmark", name))));
        assertThat(compare("before.json before.json --format csv").output())
                .contains("\n'" + name.replaceAll("\\s", " "));
    }

    @Test
    void coloursAreForTerminals() {
        System.setProperty(CompareCommand.COLOURS, "true");
        try {
            assertThat(compare("before.json --by stage").output()).contains("\u001b[32m×");
            assertThat(compare("before.json --by stage --baseline name-index").output())
                    .contains("\u001b[31m×");
            assertThat(compare("before.json after.json").output()).doesNotContain("\u001b");
        } finally {
            System.clearProperty(CompareCommand.COLOURS);
        }
    }

    @Test
    void theFormatsHoldTheSameNumbers() throws IOException {
        JsonNode json = json(compare("before.json after.json --format json").output());
        JsonNode cell = json.path("rows").get(0).path("cells").get(1);
        assertThat(json.path("rows").get(0).path("cells").get(0).path("verdict").asString())
                .isEqualTo("baseline");
        Ended csv = compare("before.json after.json --format csv");
        assertThat(csv.error()).startsWith("Warning: ");
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get();
        List<CSVRecord> lines =
                CSVParser.parse(new StringReader(csv.output()), format).getRecords();
        assertThat(lines).hasSize(16);
        assertThat(lines.get(1).get("variant")).isEqualTo("after");
        assertThat(Double.parseDouble(lines.get(1).get("improvement")))
                .isEqualTo(cell.path("improvement").path("estimate").asDouble());
        assertThat(Double.parseDouble(lines.get(1).get("p_adjusted")))
                .isEqualTo(cell.path("pAdjusted").asDouble());
        assertThat(lines.get(0).get("improvement")).isEmpty();
        String markdown = compare("before.json after.json --format markdown").output();
        List<String> table =
                markdown.lines().filter(line -> line.startsWith("|")).toList();
        assertThat(table).hasSize(2 + 8 + 1).allMatch(line -> line.split("(?<!\\\\)\\|", -1).length == 9);
        assertThat(markdown).contains("| Sorting.plainJdbc (avgt, stage=baseline) | us/op | ", "\\~ ×");
    }

    @Test
    void theFolderHoldsWholeFilesAsDocumented() throws IOException {
        Path out = folder.resolve("a/comparison");
        Ended ended = compare("before.json thrpt-ss.json after.json profiled.json --out " + out);
        assertThat(ended.code()).isZero();
        assertThat(ended.error()).contains("Report: " + out.resolve("comparison.html"));
        try (Stream<Path> files = Files.list(out)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("comparison.json", "comparison.md", "comparison.csv", "comparison.html");
        }
        String written = Files.readString(out.resolve("comparison.json"));
        Documented.assertDescribes(Documented.RESULTS, written);
        Documented.assertRefuses(Documented.RESULTS, written.replace("\"family\"", "\"familie\""));
        assertThat(written).contains("\"histogram\" : [ [").doesNotContain("NaN", "Infinity");
        String page = Files.readString(out.resolve("comparison.html"));
        assertThat(page)
                .doesNotContain("/*DATA*/", "/*D3*/", "/*CSS*/", "/*JS*/", "{{")
                .contains("Sorting.plainJdbc");
        assertThat(page.replaceAll("(?s)<script.*?</script>", ""))
                .as("nothing that a browser would fetch")
                .doesNotContain("http://", "https://", "src=");
    }

    @Test
    void aPageCannotBeBrokenByWhatItsDataSay() throws IOException {
        Path evil = folder.resolve("<b>&.json");
        Files.writeString(
                evil,
                Files.readString(folder.resolve("before.json"))
                        .replace("example.Sorting", "example.</script><script>alert(1)</script>"));
        Path out = folder.resolve("out");
        assertThat(run(List.of("compare", evil.toString(), evil.toString(), "--out", out.toString()))
                        .code())
                .isZero();
        String page = Files.readString(out.resolve("comparison.html"));
        assertThat(page).doesNotContain("<script>alert", "<b>&").contains("&lt;b&gt;&amp;", "\\u003cscript>alert");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "before.json | 1 | One result is nothing to compare",
                "before.json nowhere.json | 1 | There is no file or folder",
                "before.json after.json --by stage | 1 | --by stage compares within one result",
                "before.json --by colour | 1 | choose one of size, stage, method",
                "before.json after.json --baseline x | 1 | There is no variant 'x' to be the --baseline: choose one of",
                "before.json after.json --if-unsure fail | 1 | --if-unsure requires --fail-on",
                "before.json after.json --fail-on slower>5% --if-unsure perhaps | 1 | --if-unsure perhaps is unknown",
                "before.json after.json --fail-on 5% | 1 | --fail-on '5%' is not a bound",
                "before.json after.json --fail-on slower>-5% | 1 | --fail-on '-5%' is no percentage",
                "before.json after.json --fail-on slower>NaN | 1 | --fail-on 'NaN' is no percentage",
                "before.json after.json --fail-on slower>5%% | 1 | --fail-on '5%%' is no percentage",
                "before.json after.json --filter [ | 1 | --filter '[' is no regular expression",
                "before.json after.json --filter nothing | 1 | --filter 'nothing' matches none of the 8 rows",
                "before.json after.json --format xml | 1 | There is no format 'xml': choose one of table",
                "before.json after.json --out /proc/nowhere | 1 | name another with --out",
                "before.json after.json --metric x | 2 | Unknown option",
                "'' | 2 | Missing required parameter",
            })
    void badInputIsAnsweredByOneClearLine(String arguments, int code, String message) {
        Ended ended = compare(arguments);
        assertThat(ended.code()).isEqualTo(code);
        assertThat(ended.output()).isEmpty();
        assertThat(ended.error()).contains(message).doesNotContain("\tat ", "Exception");
        if (code == 1) {
            assertThat(ended.error().lines()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[{\"benchmark\":", "no JSON", "[]", "{}", ""})
    void aFileThatCannotBeReadLeavesNothingBehind(String content) throws IOException {
        Files.writeString(folder.resolve("broken.json"), content);
        Path out = folder.resolve("out");
        Ended ended = compare("before.json broken.json --out " + out);
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.error().lines()).singleElement().asString().contains("broken.json");
        assertThat(out)
                .satisfiesAnyOf(
                        path -> assertThat(path).doesNotExist(),
                        path -> assertThat(path).isEmptyDirectory());
    }

    @Test
    void theHelpHasExamples() {
        Ended ended = run(List.of("compare", "--help"));
        assertThat(ended.code()).isZero();
        assertThat(ended.output()).contains("Usage: movr compare", "Examples:", "--fail-on 'slower>5%' --format");
        assertThat(run(List.of("--help")).output()).contains("  compare ");
    }

    private Ended compare(String arguments) {
        List<String> words = Stream.concat(
                        Stream.of("compare"),
                        Stream.of(arguments.split(" "))
                                .filter(word -> !word.isEmpty())
                                .map(word -> word.endsWith(".json")
                                        ? folder.resolve(word).toString()
                                        : word))
                .toList();
        return run(words);
    }

    private static Ended run(List<String> words) {
        StringWriter output = new StringWriter();
        StringWriter error = new StringWriter();
        CommandLine line = Movr.commandLine().setOut(new PrintWriter(output)).setErr(new PrintWriter(error));
        int code = line.execute(words.toArray(String[]::new));
        return new Ended(code, output.toString(), error.toString());
    }

    private static JsonNode json(String text) {
        return JsonMapper.builder().build().readTree(text);
    }
}
