package io.movr.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.UserError;
import io.movr.report.ComparisonReport;
import io.movr.report.ComparisonResults;
import io.movr.report.ComparisonResults.Measurement;
import io.movr.report.ComparisonResults.Row;
import io.movr.report.render.TextRenderer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.HdrHistogram.HistogramIterationValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files were made by the programs themselves; how is in the README beside them. */
class ResultFilesTest {

    private static final Path OTHERS = Path.of("src/test/resources/io/movr/compare/others");

    @TempDir
    private Path folder;

    @Test
    void theOutputOfPgbenchIsReadInItsUnits() {
        FileContent content = read("pgbench/before-1.txt");
        assertThat(rows(content)).containsExactly("TPC-B (sort of) thrpt {} ops/s", "TPC-B (sort of) avgt {} ms/op");
        assertThat(content.measured().get(0).lowerIsBetter()).isFalse();
        assertThat(content.measured().get(1).lowerIsBetter()).isTrue();
        assertThat(content.measured().get(0).setup())
                .containsEntry("clients", "2")
                .containsEntry("threads", "2")
                .containsEntry("scale", "1")
                .containsEntry("duration", "2 s")
                .containsEntry("query mode", "simple")
                .hasEntrySatisfying("program", program -> assertThat(program).startsWith("pgbench (15.18"));
        // Two clients in a closed loop.
        assertThat(value(content, "TPC-B (sort of)", "thrpt") * value(content, "TPC-B (sort of)", "avgt"))
                .isCloseTo(2000, within(20.0));
    }

    @Test
    void eachScriptAndEachStatementOfPgbenchIsARow() {
        FileContent content = read("pgbench/scripts.txt");
        assertThat(value(content, "all scripts", "thrpt")).isEqualTo(735.214232);
        assertThat(value(content, "all scripts", "avgt")).isEqualTo(2.643);
        assertThat(value(content, "all scripts", "stddev")).isEqualTo(3.734);
        assertThat(value(content, "TPC-B (sort of)", "thrpt")).isEqualTo(376.040747);
        assertThat(value(content, "tellers.sql", "thrpt")).isEqualTo(359.173484);
        assertThat(value(content, "tellers.sql", "stddev")).isEqualTo(0.933);
        assertThat(statements(content))
                .containsEntry("1 BEGIN;", 0.232)
                .containsEntry("5 UPDATE pgbench_branches SET bbalance = bbalance…", 1.355)
                .containsEntry("7 END;", 2.013)
                .containsEntry("1 SELECT count(*) FROM pgbench_tellers;", 0.302)
                .hasSize(8);
        assertThat(statements(read("pgbench/retries.txt")))
                .as("with columns of failures and of retries")
                .containsEntry("5 UPDATE pgbench_branches SET bbalance = bbalance…", 0.475)
                .containsEntry("7 END;", 0.840)
                .hasSize(7);
    }

    @Test
    void olderPgbenchHasTwoRatesOfWhichTheOneWithoutConnectingIsTaken() throws IOException {
        Path file = write(
                "old.txt",
                "transaction type: /somewhere/own.sql",
                "latency average: 1.5 ms",
                "tps = 90.5 (including connections establishing)",
                "tps = 99.5 (excluding connections establishing)");
        FileContent content = ResultFiles.read(file);
        assertThat(value(content, "own.sql", "thrpt")).isEqualTo(99.5);
        assertThat(value(content, "own.sql", "avgt")).isEqualTo(1.5);
    }

    @Test
    void logsOfPgbenchAreReadWithThoseOfItsOtherThreadsAndAgreeWithItsOutput() {
        double latency = value(read("pgbench/log.txt"), "TPC-B (sort of)", "avgt");
        FileContent log = ResultReader.read(OTHERS.resolve("pgbench/log")).measured().stream()
                .collect(Collectors.collectingAndThen(Collectors.toList(), all -> new FileContent(all, List.of())));
        assertThat(rows(log))
                .containsExactly(
                        "script 0 sample {} ms/op",
                        "script 0 avgt {} ms/op",
                        "script 0 p95 {} ms/op",
                        "script 0 p99 {} ms/op");
        assertThat(log.measured().get(0).setup()).containsEntry("clients", "2");
        assertThat(log.measured())
                .allSatisfy(measured -> assertThat(measured.forks()).hasSize(1));
        // The output counts the time between transactions too.
        assertThat(value(log, "script 0", "avgt")).isCloseTo(latency, within(0.1 * latency));
        Histogram all = log.measured().get(0).histogram();
        assertThat(all.quantiles().get("0.99")).isEqualTo(value(log, "script 0", "p99"));

        FileContent aggregated = read("pgbench/aggregated/pgbench_log.8");
        double ofRun = value(read("pgbench/aggregated.txt"), "TPC-B (sort of)", "avgt");
        assertThat(value(aggregated, "transactions", "avgt")).isCloseTo(ofRun, within(0.1 * ofRun));
        assertThat(value(aggregated, "transactions", "stddev")).isPositive();
        assertThat(value(aggregated, "transactions", "max")).isGreaterThan(30);
    }

    @Test
    void transactionsWithoutALatencyAreReported() throws IOException {
        FileContent content = ResultFiles.read(
                write("log", "0 1 2000 0 1700000000 1", "0 2 skipped 0 1700000000 2", "0 3 4000 1 1700000000 3 20"));
        assertThat(value(content, "script 0", "avgt")).isEqualTo(2);
        assertThat(value(content, "script 1", "avgt")).isEqualTo(4);
        assertThat(content.warnings())
                .singleElement()
                .asString()
                .contains("1 transactions without a latency (skipped)");
    }

    @Test
    void linesOfGoAreSamplesOfOneFork() {
        FileContent content = read("go/before.txt");
        assertThat(rows(content))
                .containsExactly(
                        "Sort/ten avgt {pkg=example.com/sorting, procs=2} ns/op",
                        "Sort/ten thrpt {pkg=example.com/sorting, procs=2} MB/s",
                        "Sort/ten bytes {pkg=example.com/sorting, procs=2} B/op",
                        "Sort/ten allocs {pkg=example.com/sorting, procs=2} allocs/op",
                        "Sort/hundred avgt {pkg=example.com/sorting, procs=2} ns/op",
                        "Sort/hundred thrpt {pkg=example.com/sorting, procs=2} MB/s",
                        "Sort/hundred bytes {pkg=example.com/sorting, procs=2} B/op",
                        "Sort/hundred allocs {pkg=example.com/sorting, procs=2} allocs/op",
                        "Sum avgt {pkg=example.com/sorting, procs=2} ns/op");
        assertThat(content.measured().get(0).forks())
                .singleElement()
                .satisfies(fork -> assertThat(fork).containsExactly(166.4, 176.3, 239.6, 263.0, 183.0, 220.4));
        assertThat(content.measured().get(1).lowerIsBetter()).isFalse();
        assertThat(content.warnings())
                .singleElement()
                .asString()
                .contains("units of the benchmark's own left out", "rest");
    }

    @Test
    void eachStartOfGoIsAForkAndAPartOfItsOutputIsReadToo() throws IOException {
        String text = Files.readString(OTHERS.resolve("go/before.txt"));
        FileContent twice = ResultFiles.read(write("twice.txt", text, text));
        assertThat(twice.measured().get(0).forks()).hasSize(2);
        FileContent part = ResultFiles.read(write("part.txt", "BenchmarkX-8 \t 100\t 12 ns/op\t 0 B/op\t 0 allocs/op"));
        assertThat(rows(part)).containsExactly("X avgt {procs=8} ns/op");
        assertThat(part.warnings())
                .anyMatch(warning -> warning.contains("no line 'PASS'"))
                .anyMatch(warning -> warning.contains("2 values that are zero left out"));
    }

    @Test
    void samplesOfGoAreComparedAsBenchstatDoes() {
        ComparisonResults results = compare(OTHERS.resolve("go/before.txt"), OTHERS.resolve("go/after.txt"));
        Measurement memory = cell(results, "Sort/ten", "bytes");
        assertThat(memory.verdict()).isEqualTo("worse");
        assertThat(memory.improvement().estimate()).isLessThan(0.5);
        Measurement unchanged =
                cell(compare(OTHERS.resolve("go/before.txt"), OTHERS.resolve("go/before.txt")), "Sum", "avgt");
        assertThat(unchanged.verdict()).isEqualTo("~");
        assertThat(results.warnings()).anyMatch(warning -> warning.contains("ran in one fork only"));
    }

    @Test
    void constantsThatAreEqualAreNoDifference() {
        ComparisonResults results = compare(OTHERS.resolve("go/before.txt"), OTHERS.resolve("go/before.txt"));
        assertThat(results.rows())
                .allSatisfy(row -> assertThat(row.cells().get(1).verdict()).isEqualTo("~"))
                .allSatisfy(row -> assertThat(row.cells().get(1).pAdjusted()).isBetween(0.0, 1.0));
    }

    @Test
    void theTotalsOfCockroachWorkloadAreRead() {
        FileContent content = read("cockroach/kv-2.txt");
        assertThat(content.measured().stream().map(Measured::benchmark).distinct())
                .containsExactly("read", "write", "result");
        assertThat(value(content, "read", "thrpt")).isEqualTo(627.8);
        assertThat(value(content, "write", "avgt")).isEqualTo(1.9);
        assertThat(value(content, "write", "p50")).isEqualTo(1.4);
        assertThat(value(content, "result", "p95")).isEqualTo(3.4);
        assertThat(value(content, "result", "p99")).isEqualTo(8.9);
        assertThat(value(content, "result", "max")).isEqualTo(56.6);
        assertThat(content.warnings()).isEmpty();
    }

    @Test
    void anOperationThatNeverRanIsNoError() throws IOException {
        String text = Files.readString(OTHERS.resolve("cockroach/kv-2.txt")).replaceAll("(?m)^.* read$\\R(?=\\R_)", "");
        FileContent content = ResultFiles.read(write("writes.txt", text));
        assertThat(content.measured().stream().map(Measured::benchmark).distinct())
                .containsExactly("write");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void histogramsOfCockroachWorkloadAgreeWithItsText(int run) {
        FileContent text = read("cockroach/kv-" + run + ".txt");
        FileContent histograms = read("cockroach/kv-" + run + ".histograms.json");
        for (String operation : List.of("read", "write")) {
            double rate = value(text, operation, "thrpt");
            assertThat(value(histograms, operation, "thrpt")).isCloseTo(rate, within(0.02 * rate));
            assertThat(value(histograms, operation, "avgt")).isCloseTo(value(text, operation, "avgt"), within(0.06));
            // The text has the end of a bin that is a sixteenth wide, and one decimal.
            Map.of("sample", "p50", "p95", "p95", "p99", "p99").forEach((own, other) -> {
                double printed = value(text, operation, other);
                assertThat(value(histograms, operation, own))
                        .as(operation + " " + other)
                        .isCloseTo(printed, within(0.07 * printed + 0.06));
            });
        }
    }

    @Test
    void binsAreThoseOfAnHdrHistogram() {
        org.HdrHistogram.Histogram reference = new org.HdrHistogram.Histogram(100_000, 100_000_000_000L, 1);
        CockroachHistograms.Bins bins = new CockroachHistograms.Bins(100_000, 1);
        int index = 0;
        for (HistogramIterationValue bin : reference.allValues()) {
            long value = bin.getValueIteratedTo();
            double middle = reference.lowestEquivalentValue(value) + reference.sizeOfEquivalentValueRange(value) / 2.0;
            assertThat(bins.middle(index)).as("bin " + index).isEqualTo(middle);
            index++;
        }
        assertThat(index).isGreaterThan(200);
    }

    @Test
    void sysbenchIsReadWithAndWithoutADatabase() {
        FileContent content = read("sysbench/report.txt");
        assertThat(value(content, "transactions", "thrpt")).isEqualTo(456.61);
        assertThat(value(content, "queries", "thrpt")).isEqualTo(7305.75);
        assertThat(value(content, "events", "avgt")).isEqualTo(4.36);
        assertThat(value(content, "events", "p95")).isEqualTo(11.87);
        assertThat(value(content, "events", "max")).isEqualTo(46.75);
        assertThat(content.measured().get(0).setup()).containsEntry("threads", "2");
        FileContent processor = read("sysbench/cpu.txt");
        assertThat(value(processor, "events", "thrpt")).isEqualTo(2013.40);
        assertThat(value(processor, "events", "avgt")).isEqualTo(0.49);
    }

    @Test
    void theCsvOfDbworkloadIsReadFromItsCentroids() {
        FileContent content = read("dbworkload/bank-1.csv.gz");
        assertThat(content.measured().stream().map(Measured::benchmark).distinct())
                .containsExactly("__cycle__", "order", "read");
        assertThat(value(content, "order", "thrpt")).isCloseTo(7971 / 11.0, within(1e-9));
        // As dbworkload printed them.
        assertThat(value(content, "order", "avgt")).isCloseTo(2.36, within(0.01));
        assertThat(value(content, "order", "sample")).isCloseTo(1.54, within(0.05));
        assertThat(value(content, "order", "p95")).isCloseTo(6.07, within(0.2));
        FileContent periods = read("dbworkload/bank-periods.csv.gz");
        assertThat(periods.measured()).hasSameSizeAs(content.measured());
        // The summary that dbworkload printed of both periods; its t-digest interpolates.
        assertThat(value(periods, "__cycle__", "thrpt")).isCloseTo(6072 / 21.0, within(1e-9));
        assertThat(value(periods, "__cycle__", "avgt")).isCloseTo(6.83, within(0.02));
        assertThat(value(periods, "__cycle__", "sample")).isCloseTo(3.59, within(0.1));
        assertThat(value(periods, "__cycle__", "p95")).isCloseTo(17.62, within(0.6));
    }

    @Test
    void samplesOfCriterionAreIterationsOfOneFork() {
        FileContent content =
                ResultFiles.readFolder(OTHERS.resolve("criterion/before")).orElseThrow();
        assertThat(rows(content)).containsExactly("sort/unstable/10 avgt {} ns/op", "sort/unstable/100 avgt {} ns/op");
        assertThat(content.measured().get(0).forks())
                .singleElement()
                .satisfies(fork -> assertThat(fork).hasSize(10));
        assertThat(content.measured().get(0).forks().get(0)[0]).isCloseTo(14087231.0 / 46131, within(1e-9));
        FileContent estimate = read("criterion/before/sort/unstable/10/new/estimates.json");
        assertThat(estimate.measured()).singleElement().satisfies(measured -> {
            assertThat(measured.benchmark()).isEqualTo("sort/unstable/10");
            assertThat(measured.iterations()).isEqualTo(1);
        });
        ComparisonResults results = compare(OTHERS.resolve("criterion/before"), OTHERS.resolve("criterion/after"));
        assertThat(results.rows()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({
        "pgbench/before-1.txt, pgbench/before-2.txt, 2",
        "sysbench/write-1.txt, sysbench/write-2.txt, 5",
        "cockroach/kv-1.txt, cockroach/kv-2.txt, 18",
        "dbworkload/bank-1.csv.gz, dbworkload/bank-2.csv.gz, 15",
        "cockroach/kv-1.histograms.json, cockroach/kv-2.histograms.json, 10",
        "pgbench/log/pgbench_log.7, pgbench/log/pgbench_log.7.1, 4"
    })
    void oneRunASideHasNoIntervalAndNothingCanBeTold(String one, String other, int rows) {
        ComparisonResults results = compare(OTHERS.resolve(one), OTHERS.resolve(other));
        assertThat(results.rows()).hasSize(rows);
        assertThat(results.rows()).allSatisfy(row -> {
            Measurement cell = row.cells().get(1);
            assertThat(cell.verdict()).isEqualTo("one value");
            assertThat(cell.improvement()).isNull();
            assertThat(cell.pAdjusted()).isNull();
            assertThat(cell.quotient()).isPositive();
        });
        assertThat(results.geometricMeans()).isEmpty();
        assertThat(results.rules().family()).isZero();
        assertThat(results.warnings()).anyMatch(warning -> warning.contains("one value, so no interval"));
    }

    @Test
    void threeRunsASideHaveAnIntervalOverRuns() {
        ComparisonResults results = compare(list("sysbench/write-%d.txt"), list("sysbench/select-%d.txt"));
        Measurement latency = cell(results, "events", "avgt");
        assertThat(latency.forks()).isEqualTo(3);
        assertThat(latency.n()).isEqualTo(3);
        assertThat(latency.improvement().low()).isLessThan(latency.improvement().estimate());
        // A select takes a small part of the time of twenty statements.
        assertThat(latency.verdict()).isEqualTo("better");
        assertThat(cell(results, "transactions", "thrpt").verdict()).isEqualTo("better");
        assertThat(latency.forksPValue()).isLessThan(0.05);
        assertThat(results.geometricMeans().get(0).of()).isEqualTo(3);
        ComparisonResults back = compare(list("sysbench/select-%d.txt"), list("sysbench/write-%d.txt"));
        assertThat(cell(back, "transactions", "thrpt").verdict()).isEqualTo("worse");
        assertThat(results.variants().get(0).name())
                .isNotEqualTo(results.variants().get(1).name());
    }

    @Test
    void twoRunsASideShowNoDifference() throws IOException {
        Path before = write("before.txt", pgbench(100), pgbench(101));
        Path after = write("after.txt", pgbench(900), pgbench(901));
        ComparisonResults results = compare(before, after);
        Measurement rate = cell(results, "own.sql", "thrpt");
        assertThat(rate.improvement().estimate()).isGreaterThan(8);
        assertThat(rate.verdict()).isEqualTo("~");
        assertThat(results.warnings()).anyMatch(warning -> warning.contains("fewer than 3 runs"));
        ComparisonResults more = compare(
                write("three.txt", pgbench(100), pgbench(101), pgbench(99)),
                write("other.txt", pgbench(900), pgbench(901), pgbench(899)));
        assertThat(cell(more, "own.sql", "thrpt").verdict()).isEqualTo("better");
    }

    @Test
    void timesThatWereRoundedToTheSameInEveryRunShowNoDifference() throws IOException {
        Path before = write("before.txt", pgbench(100), pgbench(100), pgbench(100));
        Path after = write("after.txt", pgbench(101), pgbench(101), pgbench(101));
        assertThat(cell(compare(before, after), "own.sql", "thrpt").verdict()).isEqualTo("~");
    }

    @Test
    void aFolderIsOneSideAndOtherFilesInItAreLeftOut() throws IOException {
        for (int run = 1; run <= 3; run++) {
            Files.copy(OTHERS.resolve("pgbench/before-" + run + ".txt"), folder.resolve(run + ".txt"));
        }
        Files.writeString(folder.resolve("notes.md"), "# Notes");
        Result result = ResultReader.read(folder);
        assertThat(result.measured().get(0).forks()).hasSize(3);
        assertThat(result.warnings()).singleElement().asString().contains("1 file of another format left out");
        Files.copy(OTHERS.resolve("sysbench/cpu.txt"), folder.resolve("cpu.txt"));
        refused(folder.toString(), "has files of several formats");
    }

    /** As Windows shells, editors and CI write the file that a program wrote. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "pgbench/scripts.txt",
                "pgbench/log/pgbench_log.7.1",
                "pgbench/aggregated/pgbench_log.8",
                "go/before.txt",
                "cockroach/kv-1.txt",
                "cockroach/kv-1.histograms.json",
                "sysbench/report.txt",
                "dbworkload/bank-1.csv.gz",
                "criterion/before/sort/unstable/10/new/sample.json",
                "jmh"
            })
    void aFileIsReadInAnyEncodingAndWithOtherSpaceAroundItsLines(String name) throws IOException {
        String text = name.equals("jmh")
                ? new JmhText()
                        .with("a.B.c", "avgt", "us/op", Map.of(), List.<double[]>of(new double[] {1, 2}))
                        .text()
                : new TextFile(OTHERS.resolve(name)).text();
        List<String> expected = figures(ResultFiles.read(write("plain", text)));
        Map<String, byte[]> variants = new LinkedHashMap<>();
        variants.put("byte-order mark", ("\ufeff" + text).getBytes(StandardCharsets.UTF_8));
        variants.put("UTF-16LE", ("\ufeff" + text).getBytes(StandardCharsets.UTF_16LE));
        variants.put("UTF-16BE", ("\ufeff" + text).getBytes(StandardCharsets.UTF_16BE));
        variants.put("UTF-16LE without a mark", text.getBytes(StandardCharsets.UTF_16LE));
        variants.put("CRLF", text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
        variants.put("blank lines", ("\n  \n" + text + "\n\n").getBytes(StandardCharsets.UTF_8));
        variants.put("indentation", text.indent(4).getBytes(StandardCharsets.UTF_8));
        for (Map.Entry<String, byte[]> variant : variants.entrySet()) {
            Path file = folder.resolve("plain");
            Files.write(file, variant.getValue());
            assertThat(figures(ResultFiles.read(file))).as(variant.getKey()).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pgbench/scripts.txt", "go/before.txt", "cockroach/kv-1.txt", "sysbench/report.txt", "jmh"})
    void whatAProgramPrintedBeforeDoesNotHideItsResult(String name) throws IOException {
        String text = name.equals("jmh")
                ? new JmhText()
                        .with("a.B.c", "avgt", "us/op", Map.of(), List.<double[]>of(new double[] {1, 2}))
                        .text()
                : new TextFile(OTHERS.resolve(name)).text();
        String log = "[10:00:01] waiting for the server\n".repeat(5_000);
        FileContent content = ResultFiles.read(write("long", log + text));
        assertThat(rows(content)).isEqualTo(rows(ResultFiles.read(write("short", text))));
        if (name.equals("jmh")) {
            assertThat(content.warnings()).singleElement().asString().contains("lines 1 to 5000 before the list");
        }
    }

    private static List<String> figures(FileContent content) {
        return content.measured().stream()
                .map(one -> one.identity() + " " + one.unit() + " " + one.setup()
                        + one.forks().stream().map(Arrays::toString).toList())
                .toList();
    }

    @Test
    void jsonIsRecognisedByItsKeysAndNotByTheirOrder() throws IOException {
        FileContent criterion = ResultFiles.read(write(
                "sample.json",
                "{",
                " \"times\": [2.0, 4.0],",
                " \"iters\": [1.0, 2.0],",
                " \"sampling_mode\": \"Flat\" }"));
        assertThat(criterion.measured().get(0).iterations()).isEqualTo(2);
        String histogram = Files.readString(OTHERS.resolve("cockroach/kv-1.histograms.json"))
                .lines()
                .findFirst()
                .orElseThrow();
        String indented = histogram.replace("{\"Name\"", "{\n  \"Name\"").replace(",\"Hist\":{", ",\n  \"Hist\": {");
        assertThat(indented).isNotEqualTo(histogram);
        assertThat(figures(ResultFiles.read(write("indented", indented))))
                .isEqualTo(figures(ResultFiles.read(write("line", histogram))));
    }

    @Test
    void aLogInAFolderOfRunsIsNoResultOfJmh() throws IOException {
        for (int run = 1; run <= 3; run++) {
            Files.copy(OTHERS.resolve("pgbench/before-" + run + ".txt"), folder.resolve(run + ".txt"));
        }
        Files.writeString(folder.resolve("driver.log"), "[10:00:01] run 1 begins\n");
        Files.writeString(folder.resolve("hosts.json"), "[{\"host\": \"a\"}]");
        Result result = ResultReader.read(folder);
        assertThat(result.measured().get(0).forks()).hasSize(3);
        assertThat(result.warnings())
                .singleElement()
                .asString()
                .contains("2 files of another format left out: driver.log, hosts.json");
    }

    /** Several programs write a results.json. */
    @Test
    void aResultsJsonOfAnotherProgramIsNoBundle() throws IOException {
        Path results = folder.resolve("results.json");
        Files.writeString(
                results,
                new JmhText()
                        .with("a.B.c", "avgt", "us/op", Map.of(), List.<double[]>of(new double[] {1, 2}))
                        .text());
        assertThat(ResultReader.read(folder).measured())
                .extracting(Measured::benchmark)
                .containsExactly("a.B.c");
        Files.writeString(results, "{\"results\": [{\"command\": \"sleep 1\", \"mean\": 1.0}]}");
        Files.copy(OTHERS.resolve("pgbench/before-1.txt"), folder.resolve("1.txt"));
        assertThat(ResultReader.read(folder).warnings())
                .anyMatch(warning -> warning.contains("1 file of another format left out: results.json"));
    }

    @ParameterizedTest
    @CsvSource({"avgt, ops/s", "sample, ops/ms", "ss, MB/s", "thrpt, us/op"})
    void aModeThatContradictsItsUnitIsRefused(String mode, String unit) throws IOException {
        Path file = write(
                "jmh.json",
                new JmhText()
                        .with("a.B.c", mode, unit, Map.of(), List.<double[]>of(new double[] {1, 2}))
                        .text());
        refused(
                file.toString(),
                "has the mode '" + mode + "' and the unit '" + unit + "', which contradict each other");
    }

    @Test
    void linesOfPgbenchWithASuffixAreReadOrReported() throws IOException {
        FileContent content = ResultFiles.read(write(
                "pgbench.txt",
                "transaction type: <builtin: TPC-B (sort of)>",
                "number of failed transactions: 10 (3.333%)",
                "number of transactions skipped: 27 (9.000%)",
                "total number of retries: 700",
                "latency average = 1.500 ms (including failures)",
                "latency of something = 3 ms",
                "rate limit schedule lag: avg 0.5 (max 3.0) ms",
                "tps = 1900.000000 (without initial connection time)"));
        assertThat(value(content, "TPC-B (sort of)", "avgt")).isEqualTo(1.5);
        assertThat(content.warnings())
                .extracting(warning -> warning.substring(warning.indexOf(": ") + 2))
                .containsExactly(
                        "10 transactions failed.",
                        "line 3: number of transactions skipped: 27 (9.000%).",
                        "line 4: total number of retries: 700.",
                        "line 5: the latency is one '(including failures)'.",
                        "line 6 left out, as it is not understood: 'latency of something = 3 ms'.",
                        "line 7 left out, as it is not understood: 'rate limit schedule lag: avg 0.5 (max 3.0) ms'.");
    }

    @Test
    void transactionsOfAnAggregatedLogThatFailedAreReported() throws IOException {
        FileContent content = ResultFiles.read(write(
                "aggregated.log",
                "1760000000 500 2500000 20000000000 1000 60000 10000 900000 0 900 12 300 700 420 0",
                "1760000010 510 2550000 20400000000 1000 61000 10000 900000 0 900 15 310 720 430 0"));
        assertThat(content.warnings())
                .anyMatch(warning -> warning.endsWith(": 850 transactions failed, and are in no latency."))
                .anyMatch(warning -> warning.endsWith(": 27 transactions skipped."))
                .anyMatch(warning -> warning.endsWith(": 610 transactions retried."))
                .anyMatch(warning -> warning.endsWith(": 1420 retries."));
    }

    @Test
    void aUnitStandsInTheLineAndNotInTheFormat() throws IOException {
        String cockroach = Files.readString(OTHERS.resolve("cockroach/kv-2.txt"));
        FileContent micros = ResultFiles.read(write("micros.txt", cockroach.replace("(ms)", "(us)")));
        assertThat(micros.measured())
                .filteredOn(Measured::lowerIsBetter)
                .isNotEmpty()
                .allSatisfy(one -> assertThat(one.unit()).isEqualTo("us/op"));
    }

    @Test
    void aFactorIsNotRoundedToNothing() throws IOException {
        ComparisonResults results = compare(
                write("before.txt", pgbench(100_000), pgbench(100_001), pgbench(99_999)),
                write("after.txt", pgbench(123), pgbench(124), pgbench(122)));
        assertThat(TextRenderer.of(ComparisonReport.of(results)))
                .contains("×0.00123 [0.0012")
                .doesNotContain("×0.00 ");
    }

    @Test
    void whatIsNoFileThatEndsIsRefusedInOneLine() throws IOException {
        assumeTrue(Files.exists(Path.of("/dev/zero")));
        refused("/dev/zero", "is a pipe or a device");
        Path zip = folder.resolve("a.zip");
        Files.write(zip, new byte[] {'P', 'K', 3, 4, 0, 0});
        refused(zip.toString(), "is a ZIP archive: unpack it");
        refused(write("deep.json", "[{\"benchmark\": " + "[".repeat(100_000)).toString(), "is nested too deeply");
        refused(
                write("sample.json", "{\"sampling_mode\": \"Flat\", \"iters\": " + "[".repeat(100_000))
                        .toString(),
                "nesting depth");
    }

    @Test
    void runsThatWereMadeInAnotherWayAreRefused() {
        refused(
                OTHERS.resolve("pgbench/before-1.txt") + "," + OTHERS.resolve("pgbench/retries.txt"),
                "are not runs of the same thing: ");
        refused(OTHERS.resolve("pgbench/before-1.txt") + "," + OTHERS.resolve("nowhere.txt"), "There is no file");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pgbench/before-1.txt | tps = | the line 'tps = …' of pgbench",
                "pgbench/scripts.txt | transaction type | the summary that begins with 'transaction type:'",
                "cockroach/kv-1.txt | _elapsed___errors_____ops(total) | the line below '…__result'",
                "cockroach/kv-1.histograms.json | ,\"Elapsed\" | a whole snapshot",
                "sysbench/write-1.txt | Threads fairness | of sysbench",
                "dbworkload/bank-1.csv.gz | ,read, | columns of dbworkload in line 4",
                "criterion/before/sort/unstable/10/new/sample.json | ,\"times\" | is not a whole file of criterion",
                "go/one.txt | ns/op | the values of the line 'BenchmarkSum-2",
                "pgbench/log/pgbench_log.7 |  0 1795481965 276083 | a whole transaction in the line '0 1 5901'",
            })
    void aFileThatWasCutOffIsRefusedInOneLine(String file, String end, String message) throws IOException {
        String whole = new TextFile(OTHERS.resolve(file)).text();
        int at = whole.lastIndexOf(end);
        if (file.startsWith("pgbench/log")) {
            // The first line must be whole to be recognised.
            whole = whole.lines().findFirst().orElseThrow() + "\n" + whole;
            at = whole.lastIndexOf(end);
        }
        assertThat(at).isPositive();
        Path cut = folder.resolve("cut");
        Files.writeString(cut, whole.substring(0, at));
        refused(cut.toString(), message);
    }

    @Test
    void whatIsOfNoFormatIsRefusedInOneLine() throws IOException {
        refused(write("notes.txt", "hello there").toString(), "is of no format that movr compare reads");
        refused(write("object.json", "{\"a\": 1}").toString(), "is JSON but no result of JMH");
        refused(write("empty.txt", "").toString(), "is empty");
        refused(OTHERS.resolve("cockroach/failed.txt").toString(), "figures below '…__result' of cockroach workload");
        Files.write(folder.resolve("torn.gz"), new byte[] {0x1f, (byte) 0x8b, 3});
        refused(folder.resolve("torn.gz").toString(), "is packed by gzip and cannot be unpacked");
        refused(
                write("fail.txt", "goos: linux", "--- FAIL: BenchmarkX", "FAIL").toString(),
                "a benchmark with its values");
    }

    @Test
    void everyFileOfTheOtherProgramsIsRecognisedAsOfOneFormatAlsoPacked() throws IOException {
        try (Stream<Path> files = Files.walk(OTHERS)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = file.getFileName().toString();
                if (!List.of("README.md", "benchmark.json", "failed.txt").contains(name) && !name.endsWith(".gz")) {
                    Path packed = folder.resolve(name + ".gz");
                    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
                        Files.copy(file, out);
                    }
                    if (!name.startsWith("pgbench_log") && !name.matches("sample.json|estimates.json")) {
                        assertThat(rows(ResultFiles.read(packed))).isEqualTo(rows(ResultFiles.read(file)));
                    }
                    assertThat(ResultFiles.read(file).measured()).isNotEmpty();
                }
            }
        }
    }

    private static String pgbench(int rate) {
        return "transaction type: own.sql\nlatency average = " + 1000.0 / rate + " ms\ntps = " + rate
                + " (without initial connection time)";
    }

    private static Path list(String pattern) {
        return Path.of(Stream.of(1, 2, 3)
                .map(run -> OTHERS.resolve(String.format(pattern, run)).toString())
                .collect(Collectors.joining(",")));
    }

    private static FileContent read(String name) {
        return ResultFiles.read(OTHERS.resolve(name));
    }

    private Path write(String name, String... lines) throws IOException {
        return Files.writeString(folder.resolve(name), String.join("\n", Arrays.asList(lines)));
    }

    private static List<String> rows(FileContent content) {
        return content.measured().stream()
                .map(one -> one.benchmark() + " " + one.mode() + " " + one.params() + " " + one.unit())
                .toList();
    }

    private static double value(FileContent content, String benchmark, String mode) {
        List<Measured> found = content.measured().stream()
                .filter(one -> one.benchmark().equals(benchmark)
                        && one.mode().equals(mode)
                        && one.params().isEmpty())
                .toList();
        assertThat(found).as(benchmark + " " + mode).hasSize(1);
        return found.get(0).forks().get(0)[0];
    }

    private static Map<String, Double> statements(FileContent content) {
        return content.measured().stream()
                .filter(one -> one.params().containsKey("statement"))
                .collect(Collectors.toMap(
                        one -> one.params().get("statement"), one -> one.forks().get(0)[0]));
    }

    private static Measurement cell(ComparisonResults results, String benchmark, String mode) {
        List<Row> rows = results.rows().stream()
                .filter(row -> row.benchmark().equals(benchmark) && row.mode().equals(mode))
                .toList();
        assertThat(rows).as(benchmark + " " + mode).hasSize(1);
        return rows.get(0).cells().get(1);
    }

    private static ComparisonResults compare(Path before, Path after) {
        return ResultComparison.of(
                new ComparisonRequest(
                        List.of(before, after), null, null, null, 5.0, Map.of(), List.of("./movr", "compare")),
                part -> {});
    }

    private static void refused(String source, String message) {
        assertThatThrownBy(() -> ResultReader.read(Path.of(source)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(message)
                .message()
                .satisfies(line -> assertThat(line.lines()).hasSize(1))
                .doesNotContain("[Source: ");
    }
}
