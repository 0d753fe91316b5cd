package io.movr.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.movr.SlowdownBound;
import io.movr.UserError;
import io.movr.report.ComparisonGate;
import io.movr.report.ComparisonReport;
import io.movr.report.ComparisonResults;
import io.movr.report.ComparisonResults.Measurement;
import io.movr.report.ComparisonResults.Row;
import io.movr.report.render.MarkdownRenderer;
import io.movr.schema.Stage;
import io.movr.stats.Holm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultComparisonTest {

    private static final Map<String, String> NONE = Map.of();

    @TempDir
    private Path folder;

    private final Random random = new Random(13);

    @Tag("full")
    @ParameterizedTest
    @CsvSource({"0, false", "0.02, false", "0.04, false", "0.04, true"})
    void twoRunsOfTheSameThingAreHardlyEverCalledDifferent(double forkSpread, boolean controlled) throws IOException {
        int families = 60;
        int mistaken = 0;
        for (int family = 0; family < families; family++) {
            Path before = bundle("before", forkSpread, 8, controlled);
            Path after = bundle("after", forkSpread, 8, controlled);
            ComparisonResults found = compare(before, after);
            assertThat(found.rules().family()).isEqualTo(8);
            mistaken += found.rows().stream()
                            .anyMatch(row -> !row.cells().get(1).verdict().equals("~"))
                    ? 1
                    : 0;
        }
        // In 12,000 such families 2 to 3 of 100 had one; by ranks of iterations alone it is every other one.
        assertThat(mistaken)
                .as("families of eight with a false alarm, of " + families)
                .isLessThanOrEqualTo(families / 12);
    }

    @ParameterizedTest
    @CsvSource({
        "avgt, us/op, 0.7, better",
        "avgt, us/op, 1.4, worse",
        "thrpt, ops/s, 0.7, worse",
        "thrpt, ops/s, 1.4, better"
    })
    void aRealDifferenceIsFoundInItsDirection(String mode, String unit, double factor, String verdict)
            throws IOException {
        Path before = file("before", new JmhText().with("a.B.c", mode, unit, NONE, forks(100)));
        Path after = file("after", new JmhText().with("a.B.c", mode, unit, NONE, forks(100 * factor)));
        Measurement cell = compare(before, after).rows().get(0).cells().get(1);
        assertThat(cell.verdict()).isEqualTo(verdict);
        double improvement = mode.equals("thrpt") ? factor : 1 / factor;
        assertThat(cell.improvement().estimate()).isCloseTo(improvement, within(0.05));
    }

    @Test
    void aDifferenceWithinTheNoiseOfTheControlIsNone() throws IOException {
        List<double[]> twin = forks(100);
        JmhText before = new JmhText().with("a.B.c", "avgt", "us/op", NONE, twin);
        JmhText noisy = new JmhText().with("a.B.c", "avgt", "us/op", NONE, forks(130));
        JmhText quiet = new JmhText().with("a.B.c", "avgt", "us/op", NONE, twin);
        Path after = file("after", new JmhText().with("a.B.c", "avgt", "us/op", NONE, forks(120)));
        Row within = compare(bundle("noisy", before, noisy), after).rows().get(0);
        assertThat(within.noiseFloor()).isBetween(1.25, 1.40);
        assertThat(within.cells().get(1).verdict()).isEqualTo("~");
        Row outside = compare(bundle("quiet", before, quiet), after).rows().get(0);
        assertThat(outside.noiseFloor()).isBetween(1.0, 1.05);
        assertThat(outside.cells().get(1).verdict()).isEqualTo("worse");
        assertThat(compare(bundle("quiet2", before, quiet), bundle("noisy2", before, noisy))
                        .rows()
                        .get(0)
                        .noiseFloor())
                .as("the larger of two")
                .isEqualTo(within.noiseFloor());
    }

    @Test
    void aControlOfOneStageSpeaksForTheOthers() throws IOException {
        JmhText stages = new JmhText();
        for (String stage : List.of("covering-index", "baseline", "foreign-keys")) {
            stages.with("a.UserById.repository", "avgt", "us/op", Map.of("stage", stage), forks(100));
            stages.with("a.RideById.repository", "avgt", "us/op", Map.of("stage", stage), forks(100));
        }
        JmhText control = new JmhText()
                .with("a.UserById.repository", "avgt", "us/op", Map.of("stage", "foreign-keys"), forks(100));
        Path bundle = bundle("stages", stages, control);
        ComparisonResults byStage = compare(request(List.of(bundle), "stage", null, null));
        assertThat(byStage.variants())
                .extracting(ComparisonResults.Variant::name)
                .as("in their order, the bundle's own baseline first")
                .containsExactly("foreign-keys", "baseline", "covering-index");
        assertThat(byStage.rows())
                .extracting(Row::benchmark)
                .containsExactly("UserById.repository", "RideById.repository");
        assertThat(byStage.rows()).extracting(row -> row.noiseFloor() == null).containsExactly(false, true);
        assertThat(byStage.warnings()).anySatisfy(warning -> assertThat(warning).contains("1 of 2 rows no control"));
        assertThat(byStage.rows().get(0).cells().get(1).forksPValue())
                .as("with a control too")
                .isNotNull();
        assertThat(byStage.rows().get(1).cells().get(1).forksPValue()).isNotNull();

        ComparisonResults byResult = compare(bundle, bundle);
        assertThat(byResult.rows())
                .filteredOn(row -> row.benchmark().equals("UserById.repository"))
                .hasSize(3)
                .allSatisfy(row -> assertThat(row.noiseFloor()).isNotNull());
    }

    @Test
    void methodsOfAClassAreComparedWithAChosenBaseline() throws IOException {
        JmhText calls = new JmhText()
                .with("a.UserById.repository", "avgt", "us/op", Map.of("stage", "baseline"), forks(120))
                .with("a.UserById.plainJdbc", "avgt", "us/op", Map.of("stage", "baseline"), forks(100))
                .with("a.RideById.repository", "avgt", "us/op", Map.of("stage", "baseline"), forks(50))
                .with("a.RideById.jdbcClient", "avgt", "us/op", Map.of("stage", "baseline"), forks(25));
        ComparisonResults found = compare(request(List.of(file("calls", calls)), "method", "plainJdbc", null));
        assertThat(found.baseline()).isEqualTo("plainJdbc");
        assertThat(found.rows())
                .extracting(Row::name)
                .containsExactly("UserById (avgt, stage=baseline)", "RideById (avgt, stage=baseline)");
        assertThat(found.rows().get(0).cells().get(1).verdict()).isEqualTo("worse");
        assertThat(found.rows().get(1).cells().get(0)).as("no plainJdbc").isNull();
        assertThat(found.rows().get(1).cells().get(1).verdict())
                .as("the first that was measured")
                .isEqualTo("baseline");
        assertThat(found.rows().get(1).cells().get(2).verdict()).isEqualTo("better");
        assertThat(found.added()).isEmpty();
        assertThat(found.missing()).isEmpty();
    }

    @Test
    void unitsAreThoseOfTheBaseline() throws IOException {
        Path micro = file(
                "micro",
                new JmhText()
                        .with("a.B.time", "avgt", "us/op", NONE, forks(2_000))
                        .with("a.B.rate", "thrpt", "ops/s", NONE, forks(5_000)));
        Path milli = file(
                "milli",
                new JmhText()
                        .with("a.B.time", "avgt", "ms/op", NONE, forks(2))
                        .with("a.B.rate", "thrpt", "ops/ms", NONE, forks(5)));
        ComparisonResults found = compare(micro, milli);
        assertThat(found.rows()).extracting(Row::unit).containsExactly("us/op", "ops/s");
        assertThat(found.rows().get(0).cells().get(1).median().estimate()).isCloseTo(2_000, within(100.0));
        assertThat(found.rows().get(1).cells().get(1).median().estimate()).isCloseTo(5_000, within(250.0));
        assertThat(found.rows())
                .allSatisfy(row -> assertThat(row.cells().get(1).verdict()).isEqualTo("~"));
    }

    @ParameterizedTest
    @CsvSource({
        "ns/op, us/op, 0.001",
        "s/op, ms/op, 1000",
        "ops/ns, ops/s, 1e9",
        "ops/min, ops/s, 0.016666666666666666",
        "ops/us, ops/us, 1",
        "us/op, ops/us, ",
        "parsecs/op, us/op, "
    })
    void unitsOfOneKindAreConverted(String from, String to, @Nullable Double factor) {
        if (factor == null) {
            assertThat(Unit.factor(from, to)).isEmpty();
        } else {
            assertThat(Unit.factor(from, to).orElseThrow()).isCloseTo(factor, within(factor * 1e-12));
        }
    }

    @Test
    void whatIsMissingOrNewIsListedAndOtherModesAreNotCompared() throws IOException {
        Path before = file(
                "before",
                new JmhText()
                        .with("a.B.both", "avgt", "us/op", NONE, forks(1))
                        .with("a.B.gone", "avgt", "us/op", NONE, forks(1))
                        .with("a.B.mode", "avgt", "us/op", NONE, forks(1)));
        Path after = file(
                "after",
                new JmhText()
                        .with("a.B.both", "avgt", "us/op", NONE, forks(1))
                        .with("a.B.come", "avgt", "us/op", NONE, forks(1))
                        .with("a.B.mode", "thrpt", "ops/us", NONE, forks(1)));
        ComparisonResults found = compare(before, after);
        assertThat(found.missing())
                .containsExactly(new ComparisonResults.RowsOf("after", List.of("B.gone (avgt)", "B.mode (avgt)")));
        assertThat(found.added())
                .containsExactly(new ComparisonResults.RowsOf("after", List.of("B.come (avgt)", "B.mode (thrpt)")));
        assertThat(found.warnings())
                .contains("B.mode was measured as avgt in before and as thrpt in after, which cannot be compared.");
        assertThat(found.rules().family()).isEqualTo(1);
        assertThat(found.geometricMeans())
                .singleElement()
                .extracting(ComparisonResults.GeometricMean::of)
                .isEqualTo(1);
    }

    @Test
    void pValuesAreAdjustedOverEveryComparisonThatTheFilterLetsThrough() throws IOException {
        ComparisonResults found = compare(
                request(List.of(bundle("before", 0, 5, false), bundle("after", 0, 5, false)), null, null, "[024] "));
        List<Measurement> cells =
                found.rows().stream().map(row -> row.cells().get(1)).toList();
        assertThat(cells).hasSize(3);
        double[] pValues = cells.stream()
                .mapToDouble(cell -> Math.max(cell.pValue(), cell.forksPValue()))
                .toArray();
        assertThat(cells.stream().mapToDouble(Measurement::pAdjusted).toArray())
                .containsExactly(Holm.adjust(pValues), within(1e-12));
    }

    @Test
    void otherCircumstancesAreNamed() throws IOException {
        JmhText same = new JmhText().with("a.B.c", "avgt", "us/op", NONE, forks(1));
        Path before = bundle("before", same, null);
        Path after = bundle("after", same, null);
        Path results = after.resolve("results.json");
        Files.writeString(
                results,
                Files.readString(results)
                        .replace("17.0.15+6", "25.0.3+9")
                        .replace("\"fsync\":\"on\"", "\"fsync\":\"off\"")
                        .replace("\"rides\":10", "\"rides\":99"));
        Files.writeString(after.resolve("jmh.json"), same.text().replace("\"threads\":1", "\"threads\":4"));
        assertThat(compare(before, after).differences())
                .containsExactly(
                        new ComparisonResults.Difference("java", List.of("17.0.15+6", "25.0.3+9")),
                        new ComparisonResults.Difference("setting fsync", List.of("on", "off")),
                        new ComparisonResults.Difference("rows of rides", List.of("10", "99")),
                        new ComparisonResults.Difference("threads", List.of("1", "4")));
        assertThat(compare(before, before).differences()).isEmpty();
    }

    @Test
    void variantsAreNamedByWhatDistinguishesThem() {
        assertThat(names("before.json", "after.json")).containsExactly("before", "after");
        assertThat(names("x/a/jmh.json", "x/b/jmh.json")).containsExactly("a", "b");
        assertThat(names("r/20261121-120000-postgresql-bench", "r/20261121-130000-postgresql-bench"))
                .containsExactly("120000", "130000");
        assertThat(names("run-1.json", "run-2.json")).containsExactly("run-1", "run-2");
        assertThat(names("a.json", "a.json")).containsExactly("a", "a (2)");
    }

    @Test
    void aBundleOfTheLaboratoryIsComparedSideBySide() throws IOException {
        Path before = laboratory("before", 1);
        Path after = laboratory("after", 3);
        ComparisonResults found = compare(before, after);
        assertThat(found.rows())
                .extracting(Row::name)
                .containsExactly("lab.name-index (ss, side=before)", "lab.name-index (ss, side=after)");
        assertThat(found.rows()).allSatisfy(row -> {
            assertThat(row.unit()).isEqualTo("ms/op");
            assertThat(row.noiseFloor()).isNotNull();
            assertThat(row.cells().get(1).forks()).isEqualTo(6);
            assertThat(row.cells().get(1).verdict()).isEqualTo("worse");
        });
        ComparisonResults within = compare(request(List.of(before), "side", null, null));
        assertThat(within.rows().get(0).cells().get(1).improvement().estimate()).isCloseTo(2, within(0.2));
    }

    @Test
    void whatCannotBeComparedIsRefusedInOneLine() throws IOException {
        Path time = file("time", new JmhText().with("a.B.c", "avgt", "us/op", Map.of("stage", "baseline"), forks(1)));
        Path rate = file("rate", new JmhText().with("a.B.c", "thrpt", "ops/us", Map.of("stage", "baseline"), forks(1)));
        Path other = file("other", new JmhText().with("a.B.d", "avgt", "us/op", NONE, forks(1)));
        Path odd =
                file("odd", new JmhText().with("a.B.c", "avgt", "furlongs/op", Map.of("stage", "baseline"), forks(1)));
        refused(
                request(List.of(time, rate), null, null, null),
                "B.c was measured as avgt in time and as thrpt in rate");
        refused(request(List.of(time, other), null, null, null), "No benchmark is in time and in another variant");
        refused(request(List.of(time, odd), null, null, null), "cannot be converted to the us/op");
        refused(request(List.of(time, time), null, "elsewhere", null), "There is no variant 'elsewhere'");
        refused(request(List.of(time, time), null, null, "nothing"), "matches none of the 1 rows");
        refused(request(List.of(time), "stage", null, null), "has only one stage, baseline");
        refused(request(List.of(time), "colour", null, null), "choose one of stage, method");
        refused(request(List.of(time, folder.resolve("nowhere")), null, null, null), "There is no file or folder");
        Path empty = Files.createDirectory(folder.resolve("empty"));
        refused(request(List.of(time, empty), null, null, null), "is no run bundle that can be compared");
        Path newer = bundle("newer", new JmhText().with("a.B.c", "avgt", "us/op", NONE, forks(1)), null);
        Files.writeString(newer.resolve("results.json"), "{\"schemaVersion\":2,\"kind\":\"bench\"}");
        refused(request(List.of(newer, newer), null, null, null), "has version 2 of its format");
        Files.writeString(newer.resolve("results.json"), "{\"schemaVersion\":1,");
        refused(request(List.of(newer, newer), null, null, null), "is not whole JSON");
        Path torn = laboratory("torn", 1);
        Files.delete(torn.resolve("raw/name-index.csv"));
        refused(request(List.of(torn, torn), null, null, null), "copy the whole bundle again");
        Files.writeString(
                torn.resolve("raw/name-index.csv"), "block,round,side,started_ms,latency_ms\n0,0,before,x,y\n");
        refused(request(List.of(torn, torn), null, null, null), "does not hold samples");
        assertThatThrownBy(() -> request(List.of(time), null, null, null))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("One result is nothing to compare");
        assertThatThrownBy(() -> request(List.of(time, time), "stage", null, null))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("compares within one result");
    }

    @Test
    void theGateJudgesTheWholeIntervalAndSaysWhatItCannotTell() throws IOException {
        Path before = file(
                "before",
                new JmhText()
                        .with("a.B.c", "avgt", "us/op", NONE, forks(100))
                        .with("a.B.gone", "avgt", "us/op", NONE, forks(100))
                        .with("a.B.once", "avgt", "us/op", NONE, List.of(new double[] {100})));
        Path after = file(
                "after",
                new JmhText()
                        .with("a.B.c", "avgt", "us/op", NONE, forks(120))
                        .with("a.B.new", "avgt", "us/op", NONE, forks(100))
                        .with("a.B.once", "avgt", "us/op", NONE, List.of(new double[] {300})));
        ComparisonResults judged = allowing(before, after, 10);
        assertThat(ComparisonGate.judge(judged))
                .extracting(one -> one.outcome() + " " + one.message())
                .satisfiesExactly(
                        one -> assertThat(one)
                                .matches("FAILED B\\.c \\(avgt\\) in after is \\d\\d\\.\\d% slower, 95% interval"
                                        + " \\[1\\d\\.\\d%, 2\\d\\.\\d%], and --fail-on allows 10%"),
                        one -> assertThat(one)
                                .isEqualTo("UNSURE B.gone (avgt) in after cannot tell: the row is missing there"),
                        one -> assertThat(one)
                                .startsWith("UNSURE B.once (avgt) in after cannot tell: a side has one value"));
        assertThat(ComparisonGate.summary(judged))
                .isEqualTo(
                        "--fail-on 'slower>10%': 3 judged: 0 passed, 1 failed, 2 cannot tell; 1 not judged, because only one"
                                + " side has figures");
        // At the bound: worse for certain, and by about as much as is allowed.
        assertThat(ComparisonGate.judge(allowing(before, after, 19.5)).get(0).outcome())
                .isEqualTo(SlowdownBound.Outcome.UNSURE);
        assertThat(ComparisonGate.judge(allowing(before, after, 40)).get(0).outcome())
                .isEqualTo(SlowdownBound.Outcome.PASSED);
        assertThat(MarkdownRenderer.of(ComparisonReport.withGate(judged)))
                .contains("- **Failed:** B.c (avgt) in after is", "- **Cannot tell:** B.gone", "3 judged: 0 passed");
    }

    @Test
    void aControlDoesNotReplaceTheTestBetweenForks() throws IOException {
        List<double[]> held = List.of(new double[] {100, 101, 102}, new double[] {100.5, 101.5, 102.5});
        List<double[]> slower = List.of(new double[] {103, 104, 105}, new double[] {109, 110, 111});
        JmhText before = new JmhText().with("a.B.c", "avgt", "us/op", NONE, held);
        JmhText after = new JmhText().with("a.B.c", "avgt", "us/op", NONE, slower);
        Measurement cell = compare(bundle("before", before, before), bundle("after", after, after))
                .rows()
                .get(0)
                .cells()
                .get(1);
        assertThat(cell.pValue()).isLessThan(0.05);
        assertThat(cell.forksPValue()).isGreaterThan(0.05);
        assertThat(cell.pAdjusted()).isEqualTo(cell.forksPValue());
        assertThat(cell.verdict()).isEqualTo("~");
    }

    @Test
    void theSmallestPossiblePValueIsThatOfTheRowsOwnBaseline() throws IOException {
        JmhText stages = new JmhText().with("a.B.first", "avgt", "us/op", Map.of("stage", "baseline"), forks(100));
        for (String stage : List.of("name-index", "covering-index")) {
            stages.with("a.B.later", "avgt", "us/op", Map.of("stage", stage), forks(100));
        }
        ComparisonResults byStage = compare(request(List.of(file("stages", stages)), "stage", null, "later"));
        assertThat(byStage.rules().family()).isEqualTo(1);
        assertThat(byStage.warnings()).noneMatch(warning -> warning.contains("no p-value can fall below"));
    }

    private ComparisonResults allowing(Path before, Path after, double percent) {
        return compare(new ComparisonRequest(
                List.of(before, after), null, null, null, percent, Map.of(), List.of("./movr", "compare")));
    }

    private static void refused(ComparisonRequest request, String message) {
        assertThatThrownBy(() -> compare(request))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(message)
                .message()
                .satisfies(line -> assertThat(line.lines()).hasSize(1));
    }

    private List<String> names(String... sources) {
        return VariantNames.of(Arrays.stream(sources).map(folder::resolve).toList());
    }

    private static ComparisonResults compare(Path... sources) {
        return compare(request(List.of(sources), null, null, null));
    }

    private static ComparisonResults compare(ComparisonRequest request) {
        return ResultComparison.of(request, part -> {});
    }

    private static ComparisonRequest request(
            List<Path> sources, @Nullable String by, @Nullable String baseline, @Nullable String filter) {
        return new ComparisonRequest(
                sources,
                by,
                baseline,
                filter == null ? null : Pattern.compile(filter),
                null,
                Map.of("stage", Arrays.stream(Stage.values()).map(Stage::id).toList()),
                List.of("./movr", "compare"));
    }

    private List<double[]> forks(double median) {
        return JmhText.forks(random, 4, 5, median, 0.01);
    }

    private Path file(String name, JmhText text) throws IOException {
        return Files.writeString(folder.resolve(name + ".json"), text.text());
    }

    /** A bundle with some benchmarks that all take as long, and forks that vary. */
    private Path bundle(String name, double forkSpread, int benchmarks, boolean controlled) throws IOException {
        JmhText measured = new JmhText();
        JmhText control = new JmhText();
        for (int number = 0; number < benchmarks; number++) {
            String benchmark = "a.B.call" + number;
            measured.with(benchmark, "avgt", "us/op", NONE, JmhText.forks(random, 3, 5, 100, forkSpread));
            control.with(benchmark, "avgt", "us/op", NONE, JmhText.forks(random, 3, 5, 100, forkSpread));
        }
        return bundle(name, measured, controlled ? control : null);
    }

    private Path bundle(String name, JmhText measured, @Nullable JmhText control) throws IOException {
        Path bundle = Files.createDirectories(folder.resolve(name));
        Files.writeString(bundle.resolve("jmh.json"), measured.text());
        if (control != null) {
            Files.writeString(bundle.resolve("control.json"), control.text());
        }
        Files.writeString(
                bundle.resolve("results.json"),
                "{\"schemaVersion\":1,\"kind\":\"bench\",\"complete\":true," + "\"baselineStage\":\"foreign-keys\","
                        + ENVIRONMENT + "}");
        return bundle;
    }

    private static final String ENVIRONMENT = "\"environment\":{\"version\":\"0.1.0\",\"commit\":\"abc\",\"java\":"
            + "\"17.0.15+6\",\"os\":\"Linux\",\"processor\":\"one\",\"cores\":2,\"memoryBytes\":8000000000,"
            + "\"engine\":\"PostgreSQL\",\"database\":\"PostgreSQL 18.6\",\"gateway\":\"jdbc:postgresql://127.0.0.1:1/m\","
            + "\"embedded\":true,\"settings\":{\"fsync\":\"on\"}},\"dataset\":{\"scale\":\"tiny\",\"seed\":1,\"cities\":[],"
            + "\"rows\":{\"rides\":10},\"loadSeconds\":1.0}";

    private Path laboratory(String name, double factor) throws IOException {
        Path bundle =
                Files.createDirectories(folder.resolve(name).resolve("raw")).getParent();
        StringBuilder raw = new StringBuilder("block,round,side,started_ms,latency_ms\n");
        for (int block = 0; block < 6; block++) {
            for (int round = 0; round < 5; round++) {
                for (String side : List.of("before", "control", "after")) {
                    double latency = (side.equals("after") ? 1 : 2) * factor * Math.exp(0.02 * random.nextGaussian());
                    raw.append(block + "," + round + "," + side + ",0.0," + latency + "\n");
                }
            }
        }
        Files.writeString(bundle.resolve("raw/name-index.csv"), raw);
        Files.writeString(
                bundle.resolve("results.json"),
                "{\"schemaVersion\":1,\"kind\":\"lab\",\"complete\":true," + ENVIRONMENT
                        + ",\"experiments\":[{\"id\":\"name-index\",\"before\":{\"rawFile\":\"raw/name-index.csv\"}}]}");
        return bundle;
    }
}
