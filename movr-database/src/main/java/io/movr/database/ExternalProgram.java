package io.movr.database;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A program to run as a child of this process: one that is {@linkplain #start started} ends with this process, one that is
 * {@linkplain #run run} is waited for.
 *
 * @param words its name and its arguments, which every user of the machine can see
 * @param environment the variables added to the environment of this process, such as passwords
 * @param folder its working folder; {@code null} for this process's folder
 */
public record ExternalProgram(
        List<String> words,
        Map<String, String> environment,
        @Nullable Path folder) {

    /**
     * How a program ended.
     *
     * @param code its exit code; {@link #LATE} if it had to be ended because it took too long
     * @param output its standard output and standard error
     */
    public record Ended(int code, String output) {

        /** Returns whether it ended by itself with exit code 0. */
        public boolean succeeded() {
            return code == 0;
        }
    }

    /** The exit code of a program that took too long. */
    public static final int LATE = -1;

    public ExternalProgram {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    /** Returns a program without additional environment variables. */
    public static ExternalProgram of(List<String> words) {
        return new ExternalProgram(words, Map.of(), null);
    }

    /** Returns a program without additional environment variables. */
    public static ExternalProgram of(String... words) {
        return of(List.of(words));
    }

    /** Returns the same with some variables. */
    public ExternalProgram with(Map<String, String> variables) {
        return new ExternalProgram(words, variables, folder);
    }

    /** Returns the same with a working folder. */
    ExternalProgram in(Path workingFolder) {
        return new ExternalProgram(words, environment, workingFolder);
    }

    /**
     * Returns the same in a session of its own, where this system has {@code setsid}, as a service or a program in another
     * terminal runs. Linux shares processors among sessions before it shares them among threads, so one in the session of
     * its clients gets another share under load.
     */
    ExternalProgram inOwnSession() {
        if (!of("setsid", "true").works()) {
            return this;
        }
        List<String> all = new ArrayList<>(List.of("setsid"));
        all.addAll(words);
        return new ExternalProgram(all, environment, folder);
    }

    /**
     * Starts the program, which ends when this process ends, even if this process is killed.
     *
     * @param log the file to which its output is appended
     */
    public SupervisedProcess start(Path log) throws IOException {
        return SupervisedProcess.start(this, log);
    }

    /** Starts the program as {@link #start(Path)} does, and discards its output. */
    public SupervisedProcess start() throws IOException {
        return SupervisedProcess.start(this, null);
    }

    /**
     * Runs the program to its end, with an empty standard input.
     *
     * @throws IOException if there is no such program
     * @throws InterruptedException if this thread is interrupted, which ends the program too
     */
    public Ended run(Duration limit) throws IOException, InterruptedException {
        return run(limit, true);
    }

    /** Runs the program as {@link #run(Duration)} does, and discards its standard error. */
    public Ended answer(Duration limit) throws IOException, InterruptedException {
        return run(limit, false);
    }

    private Ended run(Duration limit, boolean errors) throws IOException, InterruptedException {
        Path said = TemporaryFiles.file("program-", ".out");
        try {
            int code = run(limit, builder(words, said).redirectErrorStream(errors));
            return new Ended(code, new String(Files.readAllBytes(said), StandardCharsets.UTF_8));
        } finally {
            Files.delete(said);
        }
    }

    /**
     * Runs the program as {@link #run(Duration)} does, and appends its output to a file.
     *
     * @return its exit code, or {@link #LATE}
     */
    public int run(Duration limit, Path log) throws IOException, InterruptedException {
        return run(limit, builder(words, log));
    }

    /** Runs the program as {@link #run(Duration, Path)} does, with a file as its standard input. */
    int run(Duration limit, Path log, Path input) throws IOException, InterruptedException {
        return run(limit, builder(words, log).redirectInput(input.toFile()));
    }

    private static int run(Duration limit, ProcessBuilder builder) throws IOException, InterruptedException {
        Process process = builder.start();
        process.getOutputStream().close();
        try {
            return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS) ? process.exitValue() : LATE;
        } finally {
            if (process.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    /** Returns whether the program succeeds within ten seconds. */
    public boolean works() {
        try {
            return run(Duration.ofSeconds(10), builder(words, null)) == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the same after other words, such as those of a program that runs it. */
    ProcessBuilder after(List<String> before, @Nullable Path log) throws IOException {
        List<String> all = new ArrayList<>(before);
        all.addAll(words);
        return builder(all, log);
    }

    private ProcessBuilder builder(List<String> all, @Nullable Path log) throws IOException {
        if (log != null) {
            // Statements and values that a server logs are not for other users.
            Folders.createPrivateFile(log);
        }
        ProcessBuilder builder = new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(
                        log == null ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.appendTo(log.toFile()));
        if (folder != null) {
            builder.directory(folder.toFile());
        }
        builder.environment().putAll(environment);
        return builder;
    }
}
