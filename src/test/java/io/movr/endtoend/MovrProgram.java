package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The launcher of this checkout, run with a home and a folder for temporary files of its own. */
final class MovrProgram {

    /** What a command left: its exit code and what it printed. */
    record Ended(int code, String output, String error) {

        /**
         * Standard error without the progress that a command prints when it takes more than ten seconds, and without Java's note
         * of the options that tests give it.
         */
        String complaint() {
            return error.lines()
                    .filter(line -> !line.endsWith("…")
                            && !line.startsWith("… still running: ")
                            && !line.startsWith("NOTE: Picked up JDK_JAVA_OPTIONS"))
                    .collect(Collectors.joining("\n"));
        }
    }

    static final Path ROOT =
            Path.of(System.getProperty("movr.root", "../..")).toAbsolutePath().normalize();

    private static final long LIMIT_MINUTES = 30;
    private static final Pattern SERVING =
            Pattern.compile("listens on (http://[0-9.:]+),.*?from (jdbc:postgresql://\\S+)", Pattern.DOTALL);

    private final Path home;
    private final Path temporary;
    private String javaOptions = "";
    private Path lastError = Path.of("none");

    MovrProgram(Path folder) throws IOException {
        home = Files.createDirectories(folder.resolve("home"));
        temporary = Files.createDirectories(folder.resolve("tmp"));
        // PostgreSQL runs as nobody where this test runs as root.
        assertThat(folder.toFile().setExecutable(true, false)).isTrue();
        assertThat(temporary.toFile().setExecutable(true, false)).isTrue();
    }

    /** Commands run in a virtual machine with these options, too. */
    MovrProgram withJavaOptions(String options) {
        javaOptions = options;
        return this;
    }

    Path dataFolder() {
        return home.resolve(".movr").resolve("data");
    }

    Ended run(String... arguments) throws IOException, InterruptedException {
        return run(List.of(arguments), "");
    }

    Ended run(List<String> arguments, String input) throws IOException, InterruptedException {
        return run(ROOT.resolve("movr"), home, arguments, input);
    }

    Ended run(Path launcher, Path workingFolder, List<String> arguments, String input)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(home, "out", ".txt");
        Path error = Files.createTempFile(home, "err", ".txt");
        Process process = builder(launcher, workingFolder, arguments)
                .redirectOutput(output.toFile())
                .redirectError(error.toFile())
                .start();
        try (var stream = process.outputWriter()) {
            stream.write(input);
        }
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new AssertionError("movr " + arguments + " did not end: " + Files.readString(error));
        }
        return new Ended(process.exitValue(), Files.readString(output), Files.readString(error));
    }

    /** Starts a command, and returns when it has printed some words on standard error. */
    Process startUntil(String words, String... arguments) throws IOException, InterruptedException {
        Path error = Files.createTempFile(home, "err", ".txt");
        lastError = error;
        return awaited(
                builder(ROOT.resolve("movr"), home, List.of(arguments))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(error.toFile())
                        .start(),
                error,
                words,
                error);
    }

    /** Starts a command whose output goes to a file, and returns when it has printed some words there. */
    Process startWriting(Path output, String words, String... arguments) throws IOException, InterruptedException {
        Path error = Files.createTempFile(home, "err", ".txt");
        lastError = error;
        Files.writeString(output, "");
        return awaited(
                builder(ROOT.resolve("movr"), home, List.of(arguments))
                        .redirectOutput(output.toFile())
                        .redirectError(error.toFile())
                        .start(),
                output,
                words,
                error);
    }

    /** What the last command that was started has said on standard error so far. */
    String lastError() throws IOException {
        return Files.readString(lastError);
    }

    private static Process awaited(Process process, Path said, String words, Path error)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(LIMIT_MINUTES);
        while (!Files.readString(said).contains(words)) {
            if (!process.isAlive() || System.nanoTime() > end) {
                process.destroyForcibly();
                throw new AssertionError("movr never said '" + words + "': " + Files.readString(error));
            }
            Thread.sleep(50);
        }
        return process;
    }

    /**
     * The service, running.
     *
     * @param root where it listens
     * @param database the JDBC address that it said it serves from
     * @param printed all that it printed when it was ready
     */
    record Serving(Process process, String root, String database, String printed) implements AutoCloseable {

        /** Tells it to end, as a process manager does, and waits for that. */
        int end() {
            process.destroy();
            return process.onExit().join().exitValue();
        }

        @Override
        public void close() {
            end();
        }
    }

    /** Starts the service on a free port, and returns when it has said where it listens. */
    Serving serve(String... more) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("serve", "--http-port", "0", "--scale", "tiny"));
        arguments.addAll(List.of(more));
        Path output = Files.createTempFile(home, "out", ".txt");
        Process process = startWriting(output, "Ctrl-C stops it", arguments.toArray(String[]::new));
        String printed = Files.readString(output);
        Matcher matcher = SERVING.matcher(printed);
        assertThat(matcher.find()).as(printed).isTrue();
        return new Serving(process, matcher.group(1), matcher.group(2), printed);
    }

    /** The servers that run below this program's own folder for temporary files. */
    List<ProcessHandle> servers() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .map(line -> line.contains("postgres")
                                && (line.contains(temporary.toString()) || worksInTemporary(process)))
                        .orElse(false))
                .filter(process -> process.info()
                        .command()
                        .map(command -> !command.endsWith("java"))
                        .orElse(true))
                .toList();
    }

    private boolean worksInTemporary(ProcessHandle process) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"))
                    .startsWith(temporary);
        } catch (IOException endedOrNotShown) {
            return false;
        }
    }

    /** The folders of servers below this program's own folder for temporary files. */
    List<Path> serverFolders() throws IOException {
        try (var files = Files.walk(temporary, 2)) {
            return files.filter(file -> file.getFileName().toString().startsWith("server-"))
                    .toList();
        }
    }

    private ProcessBuilder builder(Path launcher, Path workingFolder, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(launcher.toString());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).directory(workingFolder.toFile());
        builder.environment()
                .put("MOVR_JAVA_OPTS", "-Dmovr.root=" + home + " -Djava.io.tmpdir=" + temporary + " " + javaOptions);
        return builder;
    }
}
