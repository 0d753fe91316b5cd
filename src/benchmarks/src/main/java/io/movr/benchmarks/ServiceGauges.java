package io.movr.benchmarks;

import io.movr.UserError;
import io.movr.database.ExternalProgram;
import io.movr.database.Machine;
import io.movr.traffic.ServiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The memory, threads and files of a service at one time.
 *
 * @param liveHeapBytes the heap after a full garbage collection
 * @param residentBytes the resident set of the process; {@code null} if the system does not report it
 */
record ServiceGauges(long liveHeapBytes, @Nullable Long residentBytes, int threads, int openFiles) {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long NOTIFIED_MILLIS = 500;
    private static final long KIBIBYTE = 1_024;

    /** Runs a full garbage collection in the service, and reads its gauges. */
    static ServiceGauges of(ServiceProcess service) throws InterruptedException {
        long process = service.processId();
        collect(process);
        // The metrics of the collector are updated after a short delay.
        TimeUnit.MILLISECONDS.sleep(NOTIFIED_MILLIS);
        ServiceProcess.Metrics metrics =
                service.metrics().orElseThrow(() -> new UserError("The service does not tell its metrics"));
        return new ServiceGauges(
                (long) metrics.sum("jvm_gc_live_data_size_bytes"),
                residentBytes(process),
                (int) metrics.sum("jvm_threads_live_threads"),
                (int) metrics.sum("process_files_open_files"));
    }

    private static void collect(long process) throws InterruptedException {
        Path jcmd = Path.of(Machine.javaProgram()).resolveSibling("jcmd");
        try {
            ExternalProgram.Ended ended = ExternalProgram.of(jcmd.toString(), Long.toString(process), "GC.run")
                    .run(LIMIT);
            if (!ended.succeeded()) {
                throw new UserError("'" + jcmd + " " + process + " GC.run' failed: "
                        + ended.output().strip());
            }
        } catch (IOException missing) {
            throw new UserError("There is no " + jcmd + ": run with a JDK, not a JRE", missing);
        }
    }

    private static @Nullable Long residentBytes(long process) {
        Path status = Path.of("/proc", Long.toString(process), "status");
        if (!Files.isReadable(status)) {
            return null;
        }
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * KIBIBYTE)
                    .findFirst()
                    .orElse(null);
        } catch (IOException gone) {
            return null;
        }
    }
}
