package io.movr.environment;

import io.movr.database.ExternalProgram;
import io.movr.database.SupervisedProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the CPUs out of idle states while short statements are measured.
 *
 * <p>Between a request and its answer a CPU is idle, and its wake-up takes time: on virtual machines often ten times as long
 * as the statement itself, and varying by the minute. One process per core with Linux's SCHED_IDLE policy, which runs only if no
 * other process does, prevents that.
 */
public final class CpuIdlePrevention implements AutoCloseable {

    private static final String LOOP = "while :; do :; done";

    private final List<SupervisedProcess> processes = new ArrayList<>();

    /** Starts the idle processes, if wanted and supported by this system. */
    public CpuIdlePrevention(boolean wanted) {
        if (!wanted || !isPossible()) {
            return;
        }
        try {
            for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
                processes.add(ExternalProgram.of("chrt", "--idle", "0", "sh", "-c", LOOP)
                        .start());
            }
        } catch (IOException failed) {
            close();
        }
    }

    @Override
    public void close() {
        processes.forEach(SupervisedProcess::release);
        processes.forEach(SupervisedProcess::close);
        processes.clear();
    }

    /** Returns whether this system supports SCHED_IDLE. */
    public static boolean isPossible() {
        return ExternalProgram.of("chrt", "--idle", "0", "true").works();
    }
}
