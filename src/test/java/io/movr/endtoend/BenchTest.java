package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.endtoend.MovrProgram.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures a little, and compares what was measured. */
class BenchTest {

    @TempDir
    private Path folder;

    private MovrProgram movr;

    @BeforeEach
    void program() throws IOException {
        movr = new MovrProgram(folder);
    }

    @Tag("full")
    @Test
    void twoTinyRunsAreMeasuredAndCompared() throws Exception {
        String[] words = {
            "bench", "UsersByName.repository|InsertOneUser.plainJdbc",
            "--scale", "tiny",
            "--stages", "foreign-keys,name-index",
            "--rounds", "2",
            "--warm-up", "0.4",
            "--out", "results"
        };
        Ended first = movr.run(words);
        assertThat(first.code()).as(first.error()).isZero();
        assertThat(first.error()).contains("6 measurements, controls included, in each of 2 rounds: about");
        assertThat(first.output())
                .contains("Compared by stage, baseline foreign-keys", "UsersByName.repository", "geometric mean")
                .containsPattern("Report: results/[0-9]{8}-[0-9]{6}-postgresql-bench/comparison.html");
        Ended second = movr.run(words);
        assertThat(second.code()).as(second.error()).isZero();

        List<Path> bundles = bundles();
        assertThat(bundles).hasSize(2);
        for (String file : List.of(
                "results.json",
                "environment.json",
                "jmh.json",
                "control.json",
                "comparison.html",
                "comparison.json",
                "comparison.md",
                "comparison.csv",
                "plans/UsersByName-name-index.txt",
                "plans/InsertOneUser-foreign-keys.txt")) {
            assertThat(bundles.get(0).resolve(file)).isNotEmptyFile();
        }
        assertThat(bundles.get(0).resolve("results.json"))
                .content()
                .contains("\"kind\" : \"bench\"", "\"complete\" : true", "\"pinning\"");
        assertThat(bundles.get(0).resolve("jmh.json"))
                .content()
                .contains("\"forks\" : 2")
                .doesNotContain("jdbc:", ".jsa");
        assertThat(bundles.get(0).resolve("plans/UsersByName-name-index.txt"))
                .content()
                .contains("users_name_idx");

        Ended compared = movr.run(
                "compare",
                bundles.get(0).toString(),
                bundles.get(1).toString(),
                "--format",
                "csv",
                "--out",
                "compared");
        assertThat(compared.code()).as(compared.error()).isZero();
        assertThat(compared.output()).contains("UsersByName.repository", "InsertOneUser.plainJdbc");
        Ended byStage = movr.run("compare", bundles.get(0).resolve("jmh.json").toString(), "--by", "stage");
        assertThat(byStage.code()).as(byStage.error()).isZero();
        assertThat(byStage.output()).contains("name-index");
    }

    @Tag("full")
    @Test
    void aRunThatIsStoppedLeavesTheRoundsThatWereDoneAndNoProcess() throws Exception {
        Process running = movr.startUntil(
                "round 2",
                "bench",
                "UserById.plainJdbc",
                "--scale",
                "tiny",
                "--stages",
                "foreign-keys",
                "--rounds",
                "50",
                "--out",
                "results");
        List<ProcessHandle> started = List.of();
        // Between two forks there is none: the line that says "round 2" comes before the fork does.
        for (long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
                started.isEmpty() && System.nanoTime() < end; ) {
            started = running.descendants().toList();
        }
        assertThat(started).isNotEmpty();
        running.destroy();
        assertThat(running.waitFor()).isEqualTo(143);
        assertThat(movr.servers()).isEmpty();
        for (ProcessHandle process : started) {
            process.onExit().orTimeout(1, TimeUnit.MINUTES).join();
        }
        assertThat(bundles()).hasSize(1);
        assertThat(bundles().get(0).resolve("jmh.json")).content().contains("UserById.plainJdbc");
        assertThat(bundles().get(0).resolve("results.json")).content().contains("\"complete\" : false");
    }

    @Tag("full")
    @Test
    void theBenchmarksAnswerToTheOptionsOfJmh() throws Exception {
        Path jar = MovrProgram.ROOT.resolve("movr-bench/target/benchmarks.jar");
        assertThat(java(jar, "-l")).contains("io.movr.bench.UserById.repository");
        Path json = folder.resolve("jmh.json");
        String said = java(
                jar,
                "UserById.plainJdbc",
                "-p",
                "stage=foreign-keys",
                "-p",
                "scale=tiny",
                "-bm",
                "avgt",
                "-f",
                "1",
                "-wi",
                "1",
                "-i",
                "1",
                "-w",
                "100ms",
                "-r",
                "100ms",
                "-rf",
                "json",
                "-rff",
                json.toString());
        assertThat(said).contains("UserById.plainJdbc");
        assertThat(json).content().contains("\"stage\" : \"foreign-keys\"");
        assertThat(java(jar, "-nonsense")).contains("is not a recognized option");
    }

    private String java(Path jar, String... arguments) throws IOException, InterruptedException {
        Path output = Files.createTempFile(folder, "jmh", ".txt");
        List<String> command = Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-jar",
                                jar.toString()),
                        Stream.of(arguments))
                .toList();
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return Files.readString(output);
    }

    private List<Path> bundles() throws IOException {
        Path results = folder.resolve("home").resolve("results");
        if (!Files.isDirectory(results)) {
            return List.of();
        }
        try (var files = Files.list(results)) {
            return files.sorted().toList();
        }
    }
}
