package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.database.ExternalProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell launcher, in a copy of the project whose Maven and Java only say that they were run. */
class LauncherTest {

    @TempDir
    private Path root;

    @BeforeEach
    void copy() throws IOException {
        assumeTrue(ExternalProgram.of("sh", "-c", "true").works(), "there is no sh");
        Path jar = root.resolve("movr-cli/target/movr.jar");
        Files.createDirectories(jar.getParent());
        Files.createDirectories(root.resolve("movr-cli/src/main"));
        Files.writeString(root.resolve("movr-cli/pom.xml"), "");
        Files.writeString(root.resolve("pom.xml"), "");
        Files.writeString(jar, "");
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now().minusSeconds(1000)));
        Files.copy(Path.of("..", "movr"), root.resolve("movr"));
        program("mvnw", "echo built >> \"$(dirname \"$0\")/built\"");
        program("jdk/bin/java", "echo '    java.specification.version = 17'");
        program("jdk/bin/javac", "");
    }

    private void program(String name, String script) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private boolean builds(String... words) throws IOException, InterruptedException {
        Files.deleteIfExists(root.resolve("built"));
        ExternalProgram.Ended ended = launched(words);
        assertThat(ended.succeeded()).as(ended.output()).isTrue();
        return Files.exists(root.resolve("built"));
    }

    private ExternalProgram.Ended launched(String... words) throws IOException, InterruptedException {
        String line = "sh " + root.resolve("movr") + " " + String.join(" ", words);
        return ExternalProgram.of("sh", "-c", line)
                .with(Map.of("JAVA_HOME", root.resolve("jdk").toString()))
                .run(Duration.ofMinutes(1));
    }

    @Test
    void helpBuildsNothing() throws Exception {
        assertThat(builds("traffic")).isTrue();
        assertThat(builds("lab")).isTrue();
        assertThat(builds("traffic", "--help")).isFalse();
        assertThat(builds("lab", "--with-traffic", "-h")).isFalse();
        assertThat(builds("experiment", "run", "--help")).isFalse();
        assertThat(builds("help", "traffic")).isFalse();
        assertThat(builds("--help")).isFalse();
    }

    @Test
    void helpBeforeTheFirstBuildSaysWhatBuilds() throws Exception {
        Files.delete(root.resolve("movr-cli/target/movr.jar"));
        ExternalProgram.Ended ended = launched("lab", "--help");
        assertThat(ended.succeeded()).isFalse();
        assertThat(ended.output())
                .contains("help is part of the program, which is not built yet")
                .hasLineCount(1);
        assertThat(root.resolve("built")).doesNotExist();
        assertThat(builds("--version")).isTrue();
    }
}
