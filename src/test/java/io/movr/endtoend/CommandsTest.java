package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.movr.endtoend.MovrProgram.Ended;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandsTest {

    /** SIGINT, the second signal, in a mask of signals. */
    private static final long INTERRUPT = 0b10;

    @TempDir
    private Path folder;

    private MovrProgram movr;

    @BeforeEach
    void program() throws IOException {
        movr = new MovrProgram(folder);
    }

    @Test
    void theVersionNamesCommitAndJava() throws Exception {
        Ended ended = movr.run("--version");
        assertThat(ended.code()).isZero();
        assertThat(ended.output())
                .containsPattern("movr \\d+\\.\\d+\\.\\d+\\S* \\(commit [0-9a-f]{7,}(-dirty)?\\)")
                .contains("Java " + Runtime.version().feature());
    }

    @Test
    void helpGivesExamples() throws Exception {
        Ended ended = movr.run("lab", "--help");
        assertThat(ended.code()).isZero();
        assertThat(ended.output()).contains("Usage: movr lab", "Examples:");
    }

    @Test
    void itRunsThroughALinkFromAnyFolder() throws Exception {
        Path elsewhere = Files.createDirectories(folder.resolve("else where"));
        Path link = Files.createSymbolicLink(elsewhere.resolve("m"), MovrProgram.ROOT.resolve("movr"));
        Path second = Files.createSymbolicLink(elsewhere.resolve("n"), Path.of("m"));
        assertThat(movr.run(link, elsewhere, List.of("--version"), "").code()).isZero();
        assertThat(movr.run(second, elsewhere, List.of("--version"), "").output())
                .startsWith("movr");
    }

    @Test
    void anArchiveOfClassesIsUsedIfTheServiceWasReadyWhenItWasWritten() throws Exception {
        Path root = Files.createDirectories(folder.resolve("a build"));
        Path launcher = Files.copy(MovrProgram.ROOT.resolve("movr"), root.resolve("movr"));
        Path target = Files.createDirectories(root.resolve("movr-cli/target"));
        Path java = Files.createDirectories(root.resolve("java/bin")).resolve("java");
        Files.writeString(root.resolve("pom.xml"), "");
        Files.writeString(target.resolve("movr.jar"), "");
        Files.writeString(java, """
                #!/bin/sh
                [ "$1" != -XshowSettings:properties ] || exec printf 'java.specification.version = 17\njava.vm.version = x\n'
                printf '%s\n' "$@"
                """);
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Instant built = Instant.parse("2026-01-01T00:00:00Z");
        for (Path file : List.of(root.resolve("pom.xml"), target.resolve("movr.jar"))) {
            Files.setLastModifiedTime(file, FileTime.from(built));
        }
        Path archive = target.resolve("movr-x.jsa");
        String writing = "-XX:ArchiveClassesAtExit=" + archive;
        String noting = "-Dmovr.note=" + archive + ".ready";
        String reading = "-XX:SharedArchiveFile=" + archive;

        assertThat(launched(launcher, "serve")).contains(writing, noting);
        Files.writeString(archive, "of a service that did not start");
        assertThat(launched(launcher, "serve")).contains(writing, noting);
        assertThat(launched(launcher, "regions")).contains("-Dmovr.classes=").doesNotContain(writing);
        Path note = Files.writeString(target.resolve("movr-x.jsa.ready"), "");
        assertThat(launched(launcher, "serve")).contains(reading).doesNotContain(writing);
        assertThat(launched(launcher, "regions")).contains("-Dmovr.classes=" + reading);
        assertThat(launched(launcher, "serve", "--data-dir", "Archive")).contains(reading);
        assertThat(launchedWith("-XX:StartFlightRecording", launcher, "serve")).doesNotContain(reading, writing);
        assertThat(launchedWith("-XX:AOTCache=mine", launcher, "serve")).doesNotContain(reading, writing);
        Files.setLastModifiedTime(note, FileTime.from(built.minusSeconds(60)));
        assertThat(launched(launcher, "serve")).as("a note of the build before").contains(writing);
        assertThat(launchedWith("-XX:StartFlightRecording", launcher, "serve")).doesNotContain(reading, writing);
    }

    private static List<String> launched(Path launcher, String... arguments) throws IOException, InterruptedException {
        return launchedWith("", launcher, arguments);
    }

    /** The options and arguments with which a launcher starts Java. */
    private static List<String> launchedWith(String javaOptions, Path launcher, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
        builder.environment().put("MOVR_JAVA_OPTS", javaOptions);
        builder.environment().put("JAVA_HOME", launcher.resolveSibling("java").toString());
        Process process = builder.start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed.lines().toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lab --samples 5 | 1 | --samples 5 is too few",
                "lab --only multi-region-p99 --url us-east1=jdbc:postgresql://h/x | 1 | There is a --url of us-east1",
                "load --append --replace | 2 | mutually exclusive",
                "experiment time | 1 | The statement is empty",
                "'' | 2 | Name a command",
            })
    void badInputIsAnsweredByOneClearLine(String arguments, int code, String message) throws Exception {
        List<String> words = arguments.isBlank() ? List.of() : List.of(arguments.split(" ", -1));
        Ended ended = movr.run(words, "");
        assertThat(ended.code()).isEqualTo(code);
        assertThat(ended.output()).isEmpty();
        List<String> lines =
                ended.error().lines().filter(line -> line.contains(message)).toList();
        assertThat(lines).as(ended.error()).hasSize(1);
        assertThat(ended.error()).doesNotContain("\tat ", "Exception");
        if (code == 1) {
            assertThat(ended.complaint().lines()).hasSize(1);
        }
    }

    @Test
    void theTutorialsWalkWorksFromLoadToTheLastStage() throws Exception {
        Ended loaded = movr.run("load", "--scale", "tiny");
        assertThat(loaded.error()).doesNotContain("movr:");
        assertThat(loaded.code()).isZero();
        assertThat(loaded.output()).contains("3,400 rows").contains("rows/s");

        Ended again = movr.run("load", "--scale", "tiny");
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.error()).contains("--append").contains("--replace");

        assertThat(movr.run("load", "--scale", "tiny", "--if-empty").output())
                .contains("The tables have rows already; nothing to do.");

        Ended scan = movr.run(
                "experiment",
                "time",
                "--explain",
                "--statement",
                "SELECT * FROM users WHERE name = 'Natalie Cunningham'");
        assertThat(scan.output())
                .contains("Seq Scan on users")
                .contains("02cc9e5b-1e91-4cdb-87c4-726b4ea7219a")
                .containsPattern(
                        "average \\S+  median \\S+  p95 \\S+  p99 \\S+  minimum \\S+  maximum \\S+  cumulative \\S+");

        assertThat(movr.run("migrate", "--stage", "covering-index").output()).contains("name-index, covering-index");
        assertThat(movr.run("migrate", "--stage", "covering-index").output()).contains("nothing to do");
        Ended index = movr.run(
                List.of("experiment", "time", "--explain", "--times", "--repeat", "3"),
                "SELECT name, credit_card FROM users WHERE name = 'Natalie Cunningham'");
        assertThat(index.output())
                .contains("Index Only Scan using users_name_idx")
                .contains("Times (milliseconds):")
                .contains("cumulative");

        Ended back = movr.run("migrate", "--stage", "baseline");
        assertThat(back.code()).isEqualTo(1);
        assertThat(back.error()).contains("stages go forward only");
        assertThat(movr.run("migrate", "--stage", "latest", "--list").output())
                .containsPattern("10  regional-by-row       \\d{4}-");
        assertThat(movr.run(
                                "experiment",
                                "time",
                                "--statement",
                                "SELECT region FROM users WHERE name = 'Natalie Cunningham'")
                        .output())
                .contains("us-east1");
        Ended survival = movr.run("migrate", "--stage", "region-survival");
        assertThat(survival.code()).isEqualTo(1);
        assertThat(survival.error()).contains("There is no stage region-survival on PostgreSQL");
    }

    @Test
    void theStatementsOfEveryStageArePrintedWithoutADatabase() throws Exception {
        Ended cockroach = movr.run("migrate", "--engine", "cockroach", "--print");
        assertThat(cockroach.code()).isZero();
        assertThat(cockroach.output())
                .contains(
                        "-- Stage 1, baseline",
                        "CREATE INDEX IF NOT EXISTS users_name_idx",
                        "-- Stage 11, region-survival")
                .contains("ALTER DATABASE movr SURVIVE REGION FAILURE;");
        Ended ours =
                movr.run("migrate", "--print", "--stage", "7", "--home", "north=oslo", "--home", "south=rome, naples");
        assertThat(ours.output())
                .contains("CREATE TABLE users_south PARTITION OF users FOR VALUES IN ('rome', 'naples');")
                .doesNotContain("-- Stage 8");
        assertThat(movr.serverFolders()).isEmpty();
    }

    @Test
    void aFailingStatementSaysWhyAndTheMissingTableWhatToDo() throws Exception {
        Ended ended = movr.run("experiment", "time", "--statement", "SELECT * FROM users");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.error()).contains("relation \"users\" does not exist").contains("run 'movr load' first");
        assertThat(ended.complaint().lines()).hasSize(1);
    }

    @Test
    void theDoctorStartsTheEmbeddedDatabaseAndChecksTheNamedOne() throws Exception {
        assertThat(movr.run("load", "--scale", "tiny").code()).isZero();
        Ended ended = movr.run("doctor", "--data-dir", movr.dataFolder().toString());
        assertThat(ended.output())
                .contains("started and stopped: PostgreSQL 18")
                .contains("fsync, synchronous_commit and full_page_writes are on")
                .containsPattern("ok +shell +psql 'postgresql://127.0.0.1:\\d+/movr\\?user=movr&passfile=/\\S+'")
                .contains("0 problems");
        assertThat(ended.code()).isZero();
    }

    @Test
    void theLaboratoryLeavesAReport() throws Exception {
        Ended ended = movr.run(
                "lab", "--scale", "tiny", "--samples", "30", "--only", "name-index,returning-id", "--out", "here");
        assertThat(ended.error()).contains("2 experiments");
        assertThat(ended.code()).isZero();
        assertThat(ended.output()).contains("name-index", "returning-id", "Report: here/");
        Path report = movr.dataFolder()
                .getParent()
                .getParent()
                .resolve(ended.output()
                        .lines()
                        .filter(line -> line.startsWith("Report: "))
                        .map(line -> line.substring("Report: ".length()))
                        .findFirst()
                        .orElseThrow());
        assertThat(report).content().contains("<!DOCTYPE html>", "users_name_idx");
        assertThat(movr.serverFolders()).isEmpty();
    }

    @Tag("full")
    @Test
    void whatAKilledRunLeftIsRemovedByTheNext() throws Exception {
        Process killed = movr.startUntil("Databases ready", "lab", "--scale", "tiny");
        killed.destroyForcibly().waitFor();
        assertThat(movr.servers()).as("the server outlives a killed movr").isNotEmpty();
        assertThat(movr.serverFolders()).hasSize(1);
        assertThat(movr.run("doctor").output()).contains("started and stopped");
        assertThat(movr.servers()).isEmpty();
        assertThat(movr.serverFolders()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void anInterruptStopsAllThatWasStarted(String signal, int code) throws Exception {
        assumeFalse(
                signal.equals("INT") && isInterruptIgnored(),
                "SIGINT is ignored here, as in jobs in the background of a script: run the build in the foreground");
        Process running = movr.startUntil("Databases ready", "lab", "--scale", "tiny");
        assertThat(movr.servers()).isNotEmpty();
        new ProcessBuilder("kill", "-" + signal, Long.toString(running.pid()))
                .start()
                .waitFor();
        assertThat(running.waitFor()).isEqualTo(code);
        assertThat(movr.servers()).isEmpty();
        assertThat(movr.serverFolders()).isEmpty();
    }

    /** Whether this process, and so every one that it starts, was told to ignore what Ctrl-C sends. */
    private static boolean isInterruptIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .anyMatch(line ->
                                (Long.parseUnsignedLong(line.substring(7).strip(), 16) & INTERRUPT) != 0);
    }
}
