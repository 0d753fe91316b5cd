package io.movr.environment;

import io.movr.database.ExternalProgram;
import io.movr.database.SupervisedProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the processors from falling asleep while short statements are measured.
 *
 * <p>Between a request and its answer a processor has nothing to do, goes to sleep, and takes its time to wake up: on
 * virtual machines often ten times as long as the statement itself, and not the same from one minute to the next. One
 * process a core, which runs only when nobody else wants to (Linux's SCHED_IDLE), is enough to prevent that.
 */
public final class CpuIdlePrevention implements AutoCloseable {

    private static final String LOOP = "while :; do :; done";

    private final List<SupervisedProcess> processes = new ArrayList<>();

    /** Keeps them awake where that is wanted, and where this system can. */
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

    /** Returns whether this system lets processes run only when nobody else wants to. */
    public static boolean isPossible() {
        return ExternalProgram.of("chrt", "--idle", "0", "true").works();
    }
}
