package io.movr.bench;

import io.movr.database.Cluster;
import io.movr.database.ExternalProgram;
import io.movr.environment.CpuIdlePrevention;
import io.movr.report.BenchResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the server and the thread that calls it on the same core, where this system lets us. They take turns anyway, and on
 * two cores each call would wake a core up twice, which takes longer than a short statement and never the same time.
 * Compilers, collectors and everything else keep the other cores.
 */
final class CpuPinning {

    /** The property that tells a fork its core. */
    static final String PROPERTY = "movr.bench.core";

    private static final Path SELF = Path.of("/proc/thread-self");

    private final List<String> done = new ArrayList<>();
    private final List<String> notDone = new ArrayList<>();
    private @Nullable String coreOfCalls;

    CpuPinning(Cluster cluster, int threads) {
        int cores = Runtime.getRuntime().availableProcessors();
        if (cores < 2) {
            notDone.add("There is one core, which everything shares.");
        } else if (threads > 1) {
            notDone.add("Several threads call at once, so they and the server run on whatever core is free.");
        } else if (!Files.isSymbolicLink(SELF)) {
            notDone.add("This system does not let a thread choose its core.");
        } else {
            cluster.process()
                    .ifPresentOrElse(
                            server -> pin(server, Integer.toString(cores - 1)),
                            () -> notDone.add(
                                    "The server runs on whatever cores are free, or where its own settings say."));
        }
        if (CpuIdlePrevention.isPossible()) {
            done.add("While reading is measured a process of idle priority keeps each core awake.");
        } else {
            notDone.add("Cores may fall asleep between calls, and waking up is in every sample.");
        }
        notDone.add("Other processes of this machine, its clock rate and its neighbours on the same hardware.");
    }

    private void pin(ProcessHandle server, String core) {
        try {
            List<ProcessHandle> all =
                    Stream.concat(Stream.of(server), server.descendants()).toList();
            for (ProcessHandle process : all) {
                setCore(process.pid(), core);
            }
            coreOfCalls = core;
            done.add("The server and the thread that calls it take turns on core " + core
                    + "; compilers and collectors of the virtual machine run anywhere.");
        } catch (IOException impossible) {
            notDone.add("Server and benchmark run on whatever core is free: " + impossible.getMessage() + ".");
        }
    }

    /** What a fork must be told. */
    List<String> jvmOptions() {
        return coreOfCalls == null ? List.of() : List.of("-D" + PROPERTY + "=" + coreOfCalls);
    }

    BenchResults.Pinning told() {
        return new BenchResults.Pinning(List.copyOf(done), List.copyOf(notDone));
    }

    /**
     * Moves the calling thread to the core that its fork was told. The thread alone, because a virtual machine whose
     * compiler has to share that core does not become warm in any time that one would wait.
     */
    static void apply() {
        String core = System.getProperty(PROPERTY);
        if (core == null) {
            return;
        }
        try {
            // Leads to <process>/task/<thread>.
            Path self = Files.readSymbolicLink(SELF);
            setCore(Long.parseLong(self.getFileName().toString()), core);
        } catch (IOException impossible) {
            throw new IllegalStateException("Cannot move to core " + core, impossible);
        }
    }

    private static void setCore(long processOrThread, String core) throws IOException {
        try {
            boolean moved = ExternalProgram.of("taskset", "-c", "-p", core, Long.toString(processOrThread))
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
