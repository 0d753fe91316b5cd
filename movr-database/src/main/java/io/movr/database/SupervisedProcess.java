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
 * A program whose life is tied to that of this process, however this one ends: a shell stands between the two, reads from
 * us, and ends the program when there is nobody left to read from. It needs {@code sh}.
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

    /** Whether the program still runs. */
    public boolean isAlive() {
        return supervisor.isAlive();
    }

    /**
     * The exit code of the program, as a shell tells it: 128 and the signal's number where one ended it.
     *
     * @throws IllegalThreadStateException while it runs
     */
    public int exitCode() {
        return supervisor.exitValue();
    }

    /** The program and its children, and those of this class that supervise it. */
    public Stream<ProcessHandle> descendants() {
        return supervisor.descendants();
    }

    /** Kills the program by SIGKILL. */
    public void kill() throws IOException {
        signal("KILL");
    }

    /** Makes the program stand still. */
    public void pause() throws IOException {
        signal("STOP");
    }

    /** Lets the program go on. */
    public void resume() throws IOException {
        signal("CONT");
    }

    private void signal(String name) throws IOException {
        OutputStream reader = supervisor.getOutputStream();
        reader.write((name + "\n").getBytes(StandardCharsets.UTF_8));
        reader.flush();
    }

    /** Tells the program to end, and does not wait until it has. */
    public void release() {
        try {
            supervisor.getOutputStream().close();
        } catch (IOException gone) {
            LOG.debug("The supervisor has ended before", gone);
        }
    }

    /** Ends the program, politely for three seconds. */
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
