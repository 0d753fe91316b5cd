package io.movr.environment;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the processors from falling asleep while short statements are measured.
 *
 * <p>Between a request and its answer a processor has nothing to do, goes to sleep, and takes its time to wake up: on
 * virtual machines often ten times as long as the statement itself, and not the same from one minute to the next. One
 * process a core, which runs only when nobody else wants to (Linux's SCHED_IDLE), is enough to prevent that. It ends by
 * itself when this program is gone.
 */
public final class CpuIdlePrevention implements AutoCloseable {

    private static final String LOOP =
            "while kill -0 \"$1\" 2>/dev/null; do i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; done";

    private final List<Process> processes = new ArrayList<>();

    /** Keeps them awake where that is wanted, and where this system can. */
    public CpuIdlePrevention(boolean wanted) {
        if (!wanted || !isPossible()) {
            return;
        }
        String self = Long.toString(ProcessHandle.current().pid());
        try {
            for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
                processes.add(start(List.of("chrt", "--idle", "0", "sh", "-c", LOOP, "keep-awake", self)));
            }
        } catch (IOException failed) {
            close();
        }
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
        processes.clear();
    }

    /** Whether this system lets processes run only when nobody else wants to. */
    public static boolean isPossible() {
        try {
            Process probe = start(List.of("chrt", "--idle", "0", "true"));
            return probe.waitFor(10, TimeUnit.SECONDS) && probe.exitValue() == 0;
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
