package io.movr.database;

import io.movr.UserError;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Lets processes that run write no file beyond a size, as a full disk does. It needs {@code prlimit}, of util-linux,
 * and processes whose limits this user may change.
 */
final class FileSizeLimit {

    private static final Duration PROGRAM_LIMIT = Duration.ofSeconds(20);
    private static final String UNLIMITED = "unlimited";

    private FileSizeLimit() {}

    /** Tries it, because prlimit may be missing, or may not change limits of a process of another user. */
    static boolean isPossible(List<ProcessHandle> processes) {
        try {
            return !processes.isEmpty() && limit(processes.get(0), UNLIMITED).succeeded();
        } catch (UserError missing) {
            return false;
        }
    }

    /** Sets the limit, in bytes. */
    static void set(List<ProcessHandle> processes, long bytes) {
        each(processes, Long.toString(bytes));
    }

    /** Takes the limit back. */
    static void lift(List<ProcessHandle> processes) {
        each(processes, UNLIMITED);
    }

    private static void each(List<ProcessHandle> processes, String bytes) {
        for (ProcessHandle process : processes) {
            ExternalProgram.Ended ended = limit(process, bytes);
            // One that has ended meanwhile has no limits.
            if (!ended.succeeded() && InstanceFolder.isRunning(process)) {
                throw new UserError("prlimit cannot limit the files of process " + process.pid() + ": "
                        + ended.output().strip());
            }
        }
    }

    private static ExternalProgram.Ended limit(ProcessHandle process, String bytes) {
        try {
            // The soft limit only, which can be taken back.
            return ExternalProgram.of("prlimit", "--pid", Long.toString(process.pid()), "--fsize=" + bytes + ":")
                    .run(PROGRAM_LIMIT);
        } catch (IOException failed) {
            throw new UserError("prlimit cannot be run: " + UserError.firstLine(failed), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new UserError("prlimit was interrupted", interrupted);
        }
    }
}
