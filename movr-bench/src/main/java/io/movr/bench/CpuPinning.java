package io.movr.bench;

import io.movr.database.Cluster;
import io.movr.environment.Cores;
import io.movr.environment.CpuIdlePrevention;
import io.movr.report.BenchResults;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts the server and the thread that calls it on the same core, where this system lets us. */
final class CpuPinning {

    /** The property that tells a fork its core. */
    static final String PROPERTY = "movr.bench.core";

    private final List<String> done = new ArrayList<>();
    private final List<String> notDone = new ArrayList<>();
    private @Nullable String coreOfCalls;

    CpuPinning(Cluster cluster, int threads) {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            notDone.add("There is one core, which everything shares.");
        } else if (threads > 1) {
            notDone.add("Several threads call at once, so they and the server run on whatever core is free.");
        } else if (!Cores.canPin()) {
            notDone.add("This system does not let a thread choose its core.");
        } else {
            cluster.process()
                    .ifPresentOrElse(
                            server -> pin(server, Cores.last()),
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
            Cores.pin(server, core);
            coreOfCalls = core;
            done.add("The server and the thread that calls it take turns on core " + core
                    + "; compilers and collectors of the virtual machine run anywhere.");
        } catch (IOException impossible) {
            notDone.add("Server and benchmark run on whatever core is free: " + impossible.getMessage() + ".");
        }
    }

    /** The system properties of a fork. */
    List<String> jvmOptions() {
        return coreOfCalls == null ? List.of() : List.of("-D" + PROPERTY + "=" + coreOfCalls);
    }

    BenchResults.Pinning result() {
        return new BenchResults.Pinning(List.copyOf(done), List.copyOf(notDone));
    }

    /** Pins the calling thread to the core that was assigned to its fork. */
    static void apply() {
        String core = System.getProperty(PROPERTY);
        if (core == null) {
            return;
        }
        try {
            Cores.pinThisThread(core);
        } catch (IOException impossible) {
            throw new IllegalStateException("Cannot move to core " + core, impossible);
        }
    }
}
