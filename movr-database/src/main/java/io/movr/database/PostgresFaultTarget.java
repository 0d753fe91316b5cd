package io.movr.database;

import io.movr.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** An embedded PostgreSQL with all of its processes. */
final class PostgresFaultTarget implements FaultTarget {

    private static final Duration PROGRAM_LIMIT = Duration.ofSeconds(20);
    private static final int START_TRIES = 20;
    private static final Duration END_LIMIT = Duration.ofSeconds(20);
    private static final Duration END_PAUSE = Duration.ofMillis(10);
    private static final Duration START_PAUSE = Duration.ofMillis(250);

    private final String name;
    private final PostgresPrograms programs;
    private final InstanceFolder folder;

    PostgresFaultTarget(String name, PostgresPrograms programs, InstanceFolder folder) {
        this.name = name;
        this.programs = programs;
        this.folder = folder;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void kill() {
        List<ProcessHandle> killed = processes();
        // The first one first, so that it starts no others in their place.
        killed.forEach(ProcessHandle::destroyForcibly);
        long limit = System.nanoTime() + END_LIMIT.toNanos();
        while (killed.stream().anyMatch(InstanceFolder::isRunning)) {
            if (System.nanoTime() > limit) {
                throw new UserError("The processes of " + name + " do not end although they were killed");
            }
            pause(END_PAUSE);
        }
        try {
            // Where process 1 does not reap ended processes, the process id in the file would seem to belong to a
            // running server.
            Files.deleteIfExists(folder.pidFile());
        } catch (IOException failed) {
            throw new UserError("What " + name + " left cannot be removed: " + UserError.firstLine(failed), failed);
        }
    }

    @Override
    public void start() {
        try {
            for (int attempt = 1; EmbeddedPostgres.start(programs, folder) != 0; attempt++) {
                // Memory that it shared with its processes is freed only when the last of them has ended.
                if (attempt == START_TRIES) {
                    throw new UserError(name + " does not start again: " + PostgresPrograms.complaint(folder.log()));
                }
                pause(START_PAUSE);
            }
        } catch (IOException failed) {
            throw new UserError(name + " does not start again: " + UserError.firstLine(failed), failed);
        }
    }

    @Override
    public void pause() {
        signal("-STOP");
    }

    @Override
    public void resume() {
        signal("-CONT");
    }

    private void signal(String signal) {
        List<String> command = new ArrayList<>(List.of("kill", signal));
        List<ProcessHandle> processes = processes();
        processes.forEach(process -> command.add(Long.toString(process.pid())));
        // A process that has already ended is not an error.
        if (processes.isEmpty() || (run(command) != 0 && !InstanceFolder.isRunning(processes.get(0)))) {
            throw new UserError(name + " does not run: its processes cannot be suspended or resumed");
        }
    }

    private void pause(Duration pause) {
        try {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError("Waiting for " + name + " was interrupted", interrupted);
        }
    }

    private int run(List<String> command) {
        Path log = folder.path().resolve("faults.log");
        try {
            return ExternalProgram.of(command).run(PROGRAM_LIMIT, log);
        } catch (IOException failed) {
            throw new UserError(
                    "'" + String.join(" ", command) + "' cannot be run: " + UserError.firstLine(failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError("'" + String.join(" ", command) + "' was interrupted", interrupted);
        }
    }

    /** Returns the first process and its descendants; none if it does not run. */
    private List<ProcessHandle> processes() {
        try {
            return Optional.ofNullable(folder.server()).stream()
                    .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                    .toList();
        } catch (IOException failed) {
            throw new UserError("Cannot signal the processes of " + name + ": " + UserError.firstLine(failed), failed);
        }
    }
}
