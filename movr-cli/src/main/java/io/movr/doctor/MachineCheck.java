package io.movr.doctor;

import io.movr.UserError;
import io.movr.database.DatabaseSource;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.ExternalProgram;
import io.movr.database.Machine;
import io.movr.environment.Preflight;
import io.movr.report.LabResults.Check;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks of this machine and of the engines that it can start. */
public final class MachineCheck {

    private static final long MEBIBYTE = 1L << 20;
    private static final long MIN_MEMORY = 2_048 * MEBIBYTE;
    /** The memory of a node an hour after it was loaded, as measured. */
    private static final long NODE_MEMORY = 1_400 * MEBIBYTE;

    private static final long MIN_DISK = 4_096 * MEBIBYTE;
    private static final int MIN_JAVA = 17;
    private static final Duration TIME_LIMIT = Duration.ofSeconds(15);
    /** The year of this program: a clock that shows an earlier one was never set. */
    private static final int YEAR = 2026;

    private MachineCheck() {}

    /** Returns the checks of processors, memory, disks and clock. */
    public static List<Check> machine() {
        List<Check> checks = new ArrayList<>();
        int java = Runtime.version().feature();
        checks.add(new Check(
                "Java",
                java >= MIN_JAVA ? "ok" : "problem",
                Machine.java(),
                java >= MIN_JAVA ? "" : "install Java " + MIN_JAVA + " or newer"));
        int cores = Machine.cores();
        checks.add(new Check(
                "cores",
                cores > 1 ? "ok" : "warning",
                cores + " × " + Machine.processor(),
                cores > 1 ? "" : "database and client share one core: expect noise"));
        long memory = Machine.memoryBytes();
        checks.add(new Check(
                "memory",
                memory >= MIN_MEMORY ? "ok" : "warning",
                memory / MEBIBYTE + " MiB",
                memory >= MIN_MEMORY ? "" : "use --scale quick or tiny"));
        checks.add(disk("disk, temporary", Path.of(System.getProperty("java.io.tmpdir"))));
        checks.add(disk("disk, data folder", existing(DatabaseSource.sharedFolder())));
        int year = Year.from(Instant.now().atZone(ZoneOffset.UTC)).getValue();
        checks.add(new Check(
                "clock",
                year >= YEAR ? "ok" : "warning",
                Instant.now().toString(),
                year >= YEAR ? "" : "the clock is in the past: set it by NTP"));
        checks.addAll(Preflight.ofThisMachine());
        return checks;
    }

    /** Returns the checks of the engines. */
    public static List<Check> engines() {
        List<Check> checks = new ArrayList<>();
        try (EmbeddedPostgres embedded = EmbeddedPostgres.temporary()) {
            checks.add(new Check("embedded PostgreSQL", "ok", "started and stopped: " + embedded.version(), ""));
        } catch (UserError refused) {
            checks.add(new Check(
                    "embedded PostgreSQL",
                    "problem",
                    UserError.firstLine(refused),
                    "use a running database with --url"));
        }
        checks.add(answer(List.of("docker", "version", "--format", "server {{.Server.Version}}"))
                .map(version -> new Check("Docker", "ok", version, ""))
                .orElse(new Check(
                        "Docker",
                        "warning",
                        "no Docker engine answers",
                        "only tests in containers need it: start a Docker engine for them")));
        answer(List.of("cockroach", "version", "--build-tag"))
                .ifPresentOrElse(
                        version -> {
                            checks.add(new Check("cockroach", "ok", version, ""));
                            checks.add(nodes(9, "add --nodes 3, or name a running cluster with --url"));
                            checks.add(nodes(3, "name a running cluster with --url"));
                        },
                        () -> checks.add(new Check(
                                "cockroach",
                                "warning",
                                "not on the path",
                                "only --engine cockroach needs it; name a running cluster with --url")));
        return checks;
    }

    /** Returns the check of whether a cluster of three regions fits into memory. */
    private static Check nodes(int count, String otherwise) {
        boolean fits = Machine.memoryBytes() >= count * NODE_MEMORY + MIN_MEMORY;
        return new Check(
                "CockroachDB, " + count + " nodes",
                fits ? "ok" : "warning",
                "take up to " + count * NODE_MEMORY / MEBIBYTE + " MiB of memory",
                fits ? "" : otherwise);
    }

    private static Check disk(String name, Path folder) {
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            boolean enough = free >= MIN_DISK;
            return new Check(
                    name,
                    enough ? "ok" : "warning",
                    free / MEBIBYTE + " MiB free at " + folder,
                    enough ? "" : "--scale tutorial needs about " + MIN_DISK / MEBIBYTE + " MiB");
        } catch (IOException failed) {
            return new Check(name, "unknown", UserError.firstLine(failed), "check whether " + folder + " can be read");
        }
    }

    private static Path existing(Path folder) {
        Path path = folder.toAbsolutePath();
        while (!Files.exists(path) && path.getParent() != null) {
            path = path.getParent();
        }
        return path;
    }

    /** Returns the first line that a program prints; empty if it is missing or fails. */
    private static Optional<String> answer(List<String> command) {
        try {
            ExternalProgram.Ended ended = ExternalProgram.of(command).answer(TIME_LIMIT);
            return ended.succeeded() ? ended.output().lines().findFirst() : Optional.empty();
        } catch (IOException missing) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
