package io.movr.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.database.LocalCockroach;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each comparison at a tiny scale, so that it does not rot; figures are not asserted. */
class MainTest {

    private final StringWriter output = new StringWriter();
    private final StringWriter error = new StringWriter();

    private int run(String line) {
        return Main.commandLine()
                .setOut(new PrintWriter(output))
                .setErr(new PrintWriter(error))
                .execute(line.split(" ", -1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "load --rounds 0 | --rounds 0 is out of range",
                "runner tpcb --rounds 0 | --rounds 0 is out of range",
                "runner ycsb --clients 0 | --clients 0 is out of range",
                "runner ycsb --jobs 0 | --jobs 0 is out of range",
                "runner ycsb --workload X | --workload X is unknown: choose A to F",
                "service --rate 0 | --rate 0.0 is out of range",
                "soak --seconds 5 | --seconds 5 is out of range: at least 30",
            })
    void anOptionOutOfRangeIsRefused(String line, String message) {
        assertThat(run(line)).isEqualTo(1);
        assertThat(error.toString()).contains(message).hasLineCount(1);
    }

    @Tag("full")
    @Test
    void theLoaderIsComparedWithABareCopy() {
        assertThat(run("load --scale tiny --rounds 1")).as(error.toString()).isZero();
        assertThat(output.toString()).containsPattern("The loader runs at [0-9.]+ \\[");
    }

    @Tag("full")
    @Test
    void theRunnerIsComparedWithPgbench() throws Exception {
        assumeTrue(isOnPath("pgbench"), "There is no program 'pgbench' on the path");
        assertThat(run("runner tpcb --rounds 1 --seconds 1"))
                .as(error.toString())
                .isZero();
        assertThat(output.toString()).containsPattern("TPC-B, scale 10 +4 +[\\d,]+ +[\\d,]+ +[\\d.]+ \\[");
    }

    @Tag("full")
    @Test
    void theRunnerIsComparedWithCockroachWorkload() {
        assumeTrue(LocalCockroach.onPath().isPresent(), "There is no program 'cockroach' on the path");
        // Both run on rows of their own: of A they stay, of E, which inserts, they are made again before each run.
        for (String workload : new String[] {"movr", "ycsb --workload A", "ycsb --workload E"}) {
            output.getBuffer().setLength(0);
            assertThat(run("runner " + workload + " --rounds 1 --seconds 1 --clients 2 --engine cockroach"))
                    .as(error.toString())
                    .isZero();
            assertThat(output.toString()).containsPattern(" +2 +[\\d,]+ +[\\d,]+ +[\\d.]+ \\[");
        }
    }

    @Tag("full")
    @Test
    void theServiceIsComparedWithPgbench() {
        // There are enough vehicles although warming up may leave some in use. Requests a second are counted until the
        // last
        // answer, so a busy machine answers fewer than were sent.
        run("service --scale tiny --vehicles 900 --rate 20 --seconds 2");
        assertThat(output.toString())
                .as(error.toString())
                .containsPattern("front page +HTTP +[0-9.]+ +0 ")
                .containsPattern("start \\+ end ride +HTTP +[0-9.]+ +0 ")
                .containsPattern("pgbench( +[0-9.]+ +0 | was not compared: )")
                .containsPattern("in repository calls, 1\\.0 of them")
                .containsPattern("in the database, 1\\.0 statements");
    }

    @Tag("full")
    @Test
    void aSteadyLoadIsJudged() {
        // Whether p99 and memory are steady after half a minute depends on the machine; whether a request fails does
        // not.
        int code = run("soak --seconds 30 --rate 20 --scale tiny");
        assertThat(output.toString())
                .as(error.toString())
                .contains("Holding 20 arrivals/s for 30.0 s")
                .containsPattern("first 5.0 s +[0-9.]+ +0 ")
                .containsPattern("last 5.0 s +[0-9.]+ +0 ")
                .containsPattern(code == 0 ? "\nHeld 20 arrivals/s" : "\nNot held 20 arrivals/s for 30.0 s: ")
                .doesNotContain("requests failed");
    }

    private static boolean isOnPath(String program) throws Exception {
        Process found = new ProcessBuilder("sh", "-c", "command -v " + program)
                .redirectErrorStream(true)
                .start();
        return found.waitFor() == 0;
    }
}
