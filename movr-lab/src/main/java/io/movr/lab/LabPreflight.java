package io.movr.lab;

import io.movr.database.Cluster;
import io.movr.database.Gateway;
import io.movr.environment.CpuIdlePrevention;
import io.movr.environment.Preflight;
import io.movr.environment.SharedCore;
import io.movr.report.LabResults.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The checks of machine and server before anything is measured. */
final class LabPreflight {

    private final Cluster cluster;
    private final LabRequest request;
    private final Optional<ProcessHandle> process;
    private final @Nullable ProcessHandle sharedServer;

    LabPreflight(Cluster cluster, LabRequest request) {
        this.cluster = cluster;
        this.request = request;
        this.process = cluster.process();
        this.sharedServer = process.filter(SharedCore::isPossible).orElse(null);
    }

    /** Returns the server's process, which can share a core with the calling thread; {@code null} if it cannot. */
    @Nullable
    ProcessHandle sharedServer() {
        return sharedServer;
    }

    /**
     * Checks the machine and the server.
     *
     * @param any any of the databases
     * @throws io.movr.UserError if something is unsound, unless the request forces the run
     */
    List<Check> check(Gateway any) {
        List<Check> checks = new ArrayList<>(Preflight.ofThisMachine());
        checks.addAll(Preflight.of(any));
        checks.add(processors());
        if (process.isPresent()) {
            checks.add(cores(sharedServer != null));
        }
        if (!cluster.engine().isMultiRegion()) {
            checks.add(new Check("replicas and leases", "ok", "one server: there are none to place", ""));
        }
        if (!cluster.engine().copiesDatabases() && request.folders().inPlace().isEmpty()) {
            checks.add(new Check(
                    "databases",
                    "ok",
                    "restored from one backup or loaded one by one, with the same rows, because "
                            + cluster.engine().title() + " does not copy databases",
                    ""));
        }
        requireSound(checks);
        return checks;
    }

    /**
     * Requires that no check has found a problem.
     *
     * @throws io.movr.UserError if one has, unless the request forces the run
     */
    void requireSound(List<Check> checks) {
        if (!request.force()) {
            Preflight.requireSound(checks);
        }
    }

    private Check processors() {
        return request.keepAwake() && CpuIdlePrevention.isPossible()
                ? new Check(
                        "processors",
                        "ok",
                        "kept awake by a process of idle priority on each core while reading is measured",
                        "")
                : new Check(
                        "processors",
                        "warning",
                        "may fall asleep between statements, and waking up is in every sample",
                        "measure on Linux with the program chrt (util-linux), or expect short statements to vary");
    }

    private static Check cores(boolean shared) {
        return shared
                ? new Check(
                        "cores",
                        "ok",
                        "the server and the thread that calls it share one while reads below a millisecond are measured",
                        "")
                : new Check(
                        "cores",
                        "warning",
                        "the system chooses those of the server and of the thread that calls it, and a short statement takes"
                                + " longer on two",
                        "measure on Linux with the program taskset (util-linux), or expect short statements to vary");
    }
}
