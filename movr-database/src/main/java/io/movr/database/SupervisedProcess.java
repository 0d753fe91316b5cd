package io.movr.database;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program that ends with this process, even if this process is killed. A shell between the two reads from this process, and
 * ends the program when its input is closed. It requires {@code sh}.
 */
public final class SupervisedProcess implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SupervisedProcess.class);
    private static final int STOP_SECONDS = 15;

    /** A second one reads, so that the first can wait for the program and end with it. */
    private static final String SUPERVISOR = """
            trap '' HUP INT QUIT TERM
            exec 3<&0
            (trap - HUP INT QUIT TERM; exec "$@") </dev/null 3<&- &
            program=$!
            (
              while read -r line; do
                case "$line" in KILL | STOP | CONT) kill "-$line" "$program" ;; esac
              done
              kill -TERM "$program"
              kill -CONT "$program"
              tries=0
              while kill -0 "$program" && [ "$tries" -lt 30 ]; do
                sleep 0.1
                tries=$((tries + 1))
              done
              kill -KILL "$program"
            ) <&3 >/dev/null 2>&1 &
            reader=$!
            exec 3<&-
            wait "$program"
            code=$?
            kill -KILL "$reader" 2>/dev/null
            exit "$code"
            """;

    private final Process supervisor;

    private SupervisedProcess(Process supervisor) {
        this.supervisor = supervisor;
    }

    static SupervisedProcess start(ExternalProgram command, @Nullable Path log) throws IOException {
        return new SupervisedProcess(
                command.after(List.of("sh", "-c", SUPERVISOR, "movr"), log).start());
    }

    /** Returns whether the program still runs. */
    public boolean isAlive() {
        return supervisor.isAlive();
    }

    /**
     * Returns the exit code of the program as a shell reports it: 128 plus the signal's number if a signal ended it.
     *
     * @throws IllegalThreadStateException while it runs
     */
    public int exitCode() {
        return supervisor.exitValue();
    }

    /** Returns the program and its children, and those of this class that supervise it. */
    public Stream<ProcessHandle> descendants() {
        return supervisor.descendants();
    }

    /** Kills the program by SIGKILL. */
    public void kill() throws IOException {
        signal("KILL");
    }

    /** Suspends the program. */
    public void pause() throws IOException {
        signal("STOP");
    }

    /** Resumes the program. */
    public void resume() throws IOException {
        signal("CONT");
    }

    private void signal(String name) throws IOException {
        OutputStream reader = supervisor.getOutputStream();
        reader.write((name + "\n").getBytes(StandardCharsets.UTF_8));
        reader.flush();
    }

    /** Asks the program to end, without waiting for it. */
    public void release() {
        try {
            supervisor.getOutputStream().close();
        } catch (IOException gone) {
            LOG.debug("The supervisor has ended before", gone);
        }
    }

    /** Asks the program to end, and kills it after three seconds. */
    @Override
    public void close() {
        release();
        try {
            if (!supervisor.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                end();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            end();
        }
    }

    private void end() {
        supervisor.descendants().forEach(ProcessHandle::destroyForcibly);
        supervisor.destroyForcibly();
    }
}
