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
 * @param environment what is added to that of this process, secrets above all
 * @param folder its working folder; {@code null} for that of this process
 */
public record ExternalProgram(
        List<String> words,
        Map<String, String> environment,
        @Nullable Path folder) {

    /**
     * How a program ended.
     *
     * @param code its exit code; {@link #LATE} if it had to be ended because it took too long
     * @param output what it said on both streams
     */
    public record Ended(int code, String output) {

        /** Whether it ended by itself and says that all went well. */
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

    /** One that needs no environment of its own. */
    public static ExternalProgram of(List<String> words) {
        return new ExternalProgram(words, Map.of(), null);
    }

    /** One that needs no environment of its own. */
    public static ExternalProgram of(String... words) {
        return of(List.of(words));
    }

    /** The same with some variables. */
    public ExternalProgram with(Map<String, String> variables) {
        return new ExternalProgram(words, variables, folder);
    }

    /** The same with a working folder. */
    ExternalProgram in(Path workingFolder) {
        return new ExternalProgram(words, environment, workingFolder);
    }

    /**
     * The same in a session of its own, where this system has {@code setsid}, as a service or a program in another terminal
     * runs. Linux shares processors among sessions before it shares them among threads, so one in the session of its
     * clients gets another share under load.
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
     * Starts it, and it ends when this process does, however that one ends.
     *
     * @param log what it says on both streams is added to this file
     */
    public SupervisedProcess start(Path log) throws IOException {
        return SupervisedProcess.start(this, log);
    }

    /** As {@link #start(Path)}, but what it says is discarded. */
    public SupervisedProcess start() throws IOException {
        return SupervisedProcess.start(this, null);
    }

    /**
     * Runs it to its end, with nothing to read.
     *
     * @throws IOException if there is no such program
     * @throws InterruptedException if this thread is interrupted, which ends the program too
     */
    public Ended run(Duration limit) throws IOException, InterruptedException {
        return run(limit, true);
    }

    /** As {@link #run(Duration)}, but what it says on its stream of errors is discarded. */
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
     * As {@link #run(Duration)}, but what it says is added to a file.
     *
     * @return its exit code, or {@link #LATE}
     */
    public int run(Duration limit, Path log) throws IOException, InterruptedException {
        return run(limit, builder(words, log));
    }

    /** As {@link #run(Duration, Path)}, with a file to read. */
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

    /** Whether it can be run and succeeds, within ten seconds. */
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

    /** The same after other words, such as those of a program that runs it. */
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
