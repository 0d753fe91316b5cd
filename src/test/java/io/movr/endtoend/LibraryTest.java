package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Deploys the library to a repository in a folder, and runs the sample project with it. Whatever Maven fetches for that goes to
 * a temporary folder too, behind which stands the repository of this build.
 */
@Tag("full")
class LibraryTest {

    private static final long LIMIT_MINUTES = 15;
    private static final String INDEX = ".by(\"orders_customer_idx\")";

    @TempDir
    private Path folder;

    @Test
    void aProjectElsewhereTestsItsPlansWithTheLibrary() throws Exception {
        String repository = folder.resolve("deployed").toUri().toString();
        Path checkout = checkout();
        assertThat(maven(
                        checkout,
                        0,
                        "deploy",
                        "-Prelease,jar-only",
                        "-pl",
                        ".,movr-bom,movr-database,movr-testing",
                        "-Dmaven.install.skip",
                        "-DaltDeploymentRepository=movr::" + repository))
                .contains("BUILD SUCCESS");
        for (String module : List.of("movr-database", "movr-testing")) {
            assertThat(deployed(module))
                    .anyMatch(file -> file.endsWith("-sources.jar"))
                    .anyMatch(file -> file.endsWith("-javadoc.jar"));
            // A project with migrations of its own would find ours, too.
            assertThat(filesIn(module)).noneMatch(file -> file.endsWith(".sql"));
        }

        Path sample = sample();
        assertThat(maven(
                        sample,
                        0,
                        "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:tree",
                        "-Dmovr.repository=" + repository))
                .contains("io.movr:movr-database")
                .doesNotContain("org.flywaydb");
        assertThat(maven(sample, 0, "test", "-Dmovr.repository=" + repository))
                // A comparison that a busy machine leaves open is skipped.
                .containsPattern("Tests run: 5, Failures: 0, Errors: 0, Skipped: [01]\\b");

        Path test = sample.resolve("src/test/java/com/example/orders/OrdersTest.java");
        String right = Files.readString(test);
        assertThat(right).contains(INDEX);
        Files.writeString(test, right.replace(INDEX, ".by(\"orders_pkey\")"));
        assertThat(maven(sample, 1, "test", "-Dmovr.repository=" + repository))
                .containsPattern("Tests run: 5, Failures: 1, Errors: 0, Skipped: [01]\\b")
                .contains(
                        "Expected: index-only scan of orders by orders_pkey",
                        "Found: index-only scan of orders by orders_customer_idx",
                        "\"Node Type\": \"Index Only Scan\"");
    }

    /** What Maven needs of this checkout to build the library, so that the build that runs this test is left alone. */
    private Path checkout() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String part : List.of(".mvn", "movr-database/src", "movr-testing/src")) {
            try (Stream<Path> below = Files.walk(MovrProgram.ROOT.resolve(part))) {
                files.addAll(below.filter(Files::isRegularFile).toList());
            }
        }
        try (Stream<Path> poms = Files.find(
                MovrProgram.ROOT,
                3,
                (file, attributes) -> file.getFileName().toString().equals("pom.xml"))) {
            files.addAll(poms.toList());
        }
        Path copy = folder.resolve("checkout");
        copy(files, MovrProgram.ROOT, copy);
        return withMaven(copy);
    }

    private Path sample() throws IOException {
        Path original = MovrProgram.ROOT.resolve("docs/samples/testing");
        Path copy = folder.resolve("orders");
        List<Path> files = new ArrayList<>(List.of(original.resolve("pom.xml")));
        try (Stream<Path> below = Files.walk(original.resolve("src"))) {
            files.addAll(below.filter(Files::isRegularFile).toList());
        }
        copy(files, original, copy);
        copy(List.of(MovrProgram.ROOT.resolve(".mvn/wrapper/maven-wrapper.properties")), MovrProgram.ROOT, copy);
        return withMaven(copy);
    }

    private static Path withMaven(Path project) throws IOException {
        copy(List.of(MovrProgram.ROOT.resolve("mvnw")), MovrProgram.ROOT, project);
        return project;
    }

    private static void copy(List<Path> files, Path from, Path to) throws IOException {
        for (Path file : files) {
            Path target = to.resolve(from.relativize(file));
            Files.createDirectories(target.getParent());
            Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
        }
    }

    private List<String> deployed(String module) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("deployed/io/movr").resolve(module))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    /** Returns the files in a module's jar and its sources. */
    private List<String> filesIn(String module) throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder.resolve("deployed/io/movr").resolve(module))) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".jar")).toList()) {
                try (ZipFile jar = new ZipFile(file.toFile())) {
                    jar.stream().map(ZipEntry::getName).forEach(names::add);
                }
            }
        }
        assertThat(names).anyMatch(name -> name.endsWith(".class"));
        return names;
    }

    /** What Maven prints. */
    private String maven(Path project, int code, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                project.resolve("mvnw").toString(),
                "-B",
                "-ntp",
                "-Dmaven.repo.local=" + folder.resolve("fetched"),
                "-Dmaven.repo.local.tail=" + System.getProperty("localRepository")));
        command.addAll(List.of(arguments));
        Path printed = Files.createTempFile(folder, "maven", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(project.toFile())
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start();
        try {
            assertThat(process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES))
                    .as("Maven ended: " + Files.readString(printed))
                    .isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String output = Files.readString(printed);
        assertThat(process.exitValue()).as(output).isEqualTo(code);
        return output;
    }
}
