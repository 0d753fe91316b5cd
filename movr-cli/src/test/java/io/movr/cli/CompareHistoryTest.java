package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareHistoryTest {

    @TempDir
    private Path folder;

    private final StringWriter output = new StringWriter();
    private final StringWriter error = new StringWriter();

    /** Twelve runs, of which the last five are of another version of the server, and slower. The newest is read first. */
    @BeforeEach
    void runs() throws IOException {
        for (int number = 0; number < 12; number++) {
            double before = 10 + 0.01 * (number % 3);
            double after = (number < 7 ? 2 : 3) + 0.01 * (number % 4);
            write("run-" + (char) ('z' - number), """
                    {"kind": "lab", "startedAt": "2026-11-%02dT00:00:00Z",
                     "environment": {"engine": "PostgreSQL", "database": "PostgreSQL %s", "cores": 2},
                     "experiments": [{"id": "name-index", "before": {"medianMs": {"estimate": %s, "low": 9, "high": 11}},
                       "after": {"medianMs": {"estimate": %s, "low": 1, "high": 4}}},
                       {"id": "failed"}]}""".formatted(
                            number + 1, number < 7 ? "18.5" : "18.6", before, after));
        }
        write("workload", """
                {"kind": "workload", "startedAt": "2026-11-20T00:00:00Z", "workload": "ycsb-b",
                 "environment": {"engine": "PostgreSQL"}, "total": {"perSecond": 100, "response": {"p99Ms": 7}}}""");
        write("check", "{\"kind\": \"check\", \"startedAt\": \"2026-11-21T00:00:00Z\"}");
    }

    @Test
    void measuresArePlottedInTheOrderOfTimeWithTheDifferencesOfTheirEnvironments() throws IOException {
        assertThat(run(folder.toString())).isZero();
        assertThat(output.toString())
                .containsPattern("name-index \\(PostgreSQL\\), before +ms +12 +10\\.00 +10\\.02 +×1\\.00\n")
                .containsPattern("name-index \\(PostgreSQL\\), after +ms +12 +2\\.000 +3\\.030 +×1\\.5\\d*\n")
                .containsPattern("ycsb-b \\(PostgreSQL\\), p99 +ms +1 +7\\.000 +7\\.000")
                .doesNotContain("failed", "check");
        assertThat(folder.resolve("history.html"))
                .content()
                .contains("MovR history")
                .containsOnlyOnce("<td><span>database: PostgreSQL 18.5 → PostgreSQL 18.6</span>")
                .doesNotContain("<!--BODY-->");
    }

    @Test
    void measuresMayBeChosenAndThePageMayGoElsewhere() {
        Path out = folder.resolve("page");
        assertThat(run(folder.toString(), "--filter", "before", "--out", out.toString()))
                .isZero();
        assertThat(output.toString()).contains("name-index").doesNotContain("ycsb");
        assertThat(out.resolve("history.html")).exists();
    }

    @Test
    void whatCannotBeReadIsSaidInOneLine() throws IOException {
        isRefused("--filter matches none of the measures: the first is name-index", folder, "--filter", "nothing");
        isRefused("There is no folder", folder.resolve("none"));
        isRefused("There are no results.json of movr lab, movr bench or a workload in", folder.resolve("check"));
        write("broken", "{");
        isRefused("Cannot read " + folder.resolve("broken"), folder);
    }

    private void isRefused(String message, Path history, String... more) {
        error.getBuffer().setLength(0);
        List<String> words = new ArrayList<>(List.of(history.toString()));
        words.addAll(List.of(more));
        assertThat(run(words.toArray(String[]::new))).isEqualTo(1);
        assertThat(error.toString()).contains(message).hasLineCount(1);
    }

    private int run(String... arguments) {
        String[] all = Stream.concat(Stream.of("compare", "history"), Stream.of(arguments))
                .toArray(String[]::new);
        return Movr.commandLine()
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(error, true))
                .execute(all);
    }

    private void write(String bundle, String json) throws IOException {
        Files.writeString(Files.createDirectories(folder.resolve(bundle)).resolve("results.json"), json);
    }
}
