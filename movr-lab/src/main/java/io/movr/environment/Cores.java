package io.movr.environment;

import io.movr.database.ExternalProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Pins processes and threads to cores, on Linux, with {@code taskset}.
 *
 * <p>A call and its answer take turns. On two cores each call would wake a core up twice, which takes longer than a short
 * statement and never the same time, so a server and the thread that calls it are better put on one.
 */
public final class Cores {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String ALLOWED = "Cpus_allowed_list:";
    private static final Path SELF = Path.of("/proc/thread-self");

    private Cores() {}

    /**
     * Returns the cores that this process may use, in the format of {@code taskset}, such as {@code 0-3}; empty if that is
     * unknown.
     */
    public static String all() {
        try {
            return Files.readAllLines(STATUS).stream()
                    .filter(line -> line.startsWith(ALLOWED))
                    .map(line -> line.substring(ALLOWED.length()).strip())
                    .findFirst()
                    .orElse("");
        } catch (IOException elsewhere) {
            return "";
        }
    }

    /** Returns the last of them: the system's own work prefers the first. */
    public static String last() {
        String all = all();
        return all.substring(1 + Math.max(all.lastIndexOf('-'), all.lastIndexOf(',')));
    }

    /** Returns whether a thread can choose its core, of at least two. */
    public static boolean canPin() {
        return !all().equals(last()) && Files.isSymbolicLink(SELF);
    }

    /**
     * Pins a process and its children, including later ones.
     *
     * @param cores as {@code taskset} takes them, such as {@code 1} or {@code 0-3}
     * @throws IOException if the system refuses, or there is no {@code taskset}
     */
    public static void pin(ProcessHandle process, String cores) throws IOException {
        List<ProcessHandle> all =
                Stream.concat(Stream.of(process), process.descendants()).toList();
        for (ProcessHandle one : all) {
            pin(one.pid(), cores);
        }
    }

    /**
     * Pins the calling thread and the threads that it starts later. Compiler and collector threads of the JVM are not moved: if
     * its compilers shared the caller's core, the JVM would not warm up in reasonable time.
     *
     * @param cores as {@code taskset} takes them
     * @throws IOException if the system refuses, or there is no {@code taskset}
     */
    public static void pinThisThread(String cores) throws IOException {
        // Leads to <process>/task/<thread>.
        pin(Long.parseLong(Files.readSymbolicLink(SELF).getFileName().toString()), cores);
    }

    private static void pin(long processOrThread, String cores) throws IOException {
        try {
            boolean moved = ExternalProgram.of("taskset", "-c", "-p", cores, Long.toString(processOrThread))
                    .run(Duration.ofSeconds(10))
                    .succeeded();
            if (!moved && isAlive(processOrThread)) {
                throw new IOException("taskset (util-linux) does not work here");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    private static boolean isAlive(long process) {
        return ProcessHandle.of(process).map(ProcessHandle::isAlive).orElse(false);
    }
}
