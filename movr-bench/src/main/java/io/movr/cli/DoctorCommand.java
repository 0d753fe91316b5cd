package io.movr.cli;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.ExternalProgram;
import io.movr.database.Machine;
import io.movr.dataset.Invariants;
import io.movr.dataset.Invariants.Violation;
import io.movr.doctor.FullCheck;
import io.movr.environment.Preflight;
import io.movr.environment.Requirements;
import io.movr.region.RegionMap;
import io.movr.report.LabResults.Check;
import io.movr.schema.Schema;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr doctor}. */
@Command(
        name = "doctor",
        description = "Check this machine and a database, and say what to do about each problem.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Exit code 0 unless there is a problem.",
            "",
            "Examples:",
            "  movr doctor",
            "  movr doctor --url \"jdbc:postgresql://localhost:5432/movr?user=me\"",
            "  movr doctor --full --engine cockroach",
            "  movr doctor --full --engine cockroach --skip experiments",
            "  movr doctor --full --url us-east1=postgresql://root@localhost:26257/movr --url us-west1=…"
        })
final class DoctorCommand implements Callable<Integer> {

    private static final long MEBIBYTE = 1L << 20;
    private static final long LITTLE_MEMORY = 2_048 * MEBIBYTE;
    /** What a node was seen to take, an hour after it was loaded. */
    private static final long NODE = 1_400 * MEBIBYTE;

    private static final long LITTLE_DISK = 4_096 * MEBIBYTE;
    private static final int OLDEST_JAVA = 17;
    private static final Duration TIME_LIMIT = Duration.ofSeconds(15);
    /** A clock that stands before the year of this program was never set. */
    private static final int YEAR = 2026;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--full",
            description = "Also try everything that movr does on a database, one piece after the other: loading, every "
                    + "stage, the experiments, the service, stale reads. It uses databases of its own and drops them.")
    private boolean full;

    @Option(
            names = "--wait",
            paramLabel = "MINUTES",
            defaultValue = "10",
            description = "With --full: how long to wait for leaseholders to reach their home regions (default: 10).")
    private double wait = 10;

    @Option(
            names = "--skip",
            paramLabel = "PIECE",
            split = ",",
            description = "Of --full: pieces to leave out, of experiments, cache, service and promo-codes. For the"
                    + " experiments several databases are loaded.")
    private Set<String> skipped = Set.of();

    @Mixin
    private RegionOptions regions = new RegionOptions();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        PrintWriter output = Objects.requireNonNull(spec).commandLine().getOut();
        if (!FullCheck.skippable().containsAll(skipped)) {
            throw new UserError(
                    "--skip takes " + String.join(", ", FullCheck.skippable()) + ", not " + String.join(", ", skipped));
        }
        List<Check> checks = new ArrayList<>();
        section("This machine", machine(), checks, output);
        section("Engines", engines(), checks, output);
        if (database.isNamed()) {
            section("The database", database(), checks, output);
        }
        if (full) {
            checks.addAll(everything(output));
        }
        long problems = checks.stream()
                .filter(check -> check.status().equals("problem"))
                .count();
        long warnings = checks.stream()
                .filter(check -> check.status().equals("warning"))
                .count();
        output.printf(
                Locale.ROOT,
                "%d ok, %d warnings, %d problems%n",
                checks.size() - problems - warnings,
                warnings,
                problems);
        output.flush();
        return problems == 0 ? 0 : 1;
    }

    private List<Check> everything(PrintWriter output) {
        Terminal terminal =
                new Terminal(Objects.requireNonNull(spec).commandLine().getErr());
        RegionMap map = regions.map();
        database.checkNodes(map);
        List<Check> checks = new ArrayList<>();
        output.println("All that movr does on a database");
        output.flush();
        try (Cluster cluster = database.regional(map)) {
            new FullCheck(
                            cluster,
                            map,
                            Duration.ofMillis(Math.round(wait * 60_000)),
                            skipped,
                            Build.program(),
                            check -> {
                                if (Movr.isStopping()) {
                                    return;
                                }
                                terminal.clear();
                                print(check, output);
                                output.flush();
                                checks.add(check);
                            },
                            terminal::progress)
                    .run();
        } catch (UserError refused) {
            if (Movr.isStopping()) {
                throw refused;
            }
            Check stopped = new Check("check", "problem", UserError.firstLine(refused), "see the server's log");
            print(stopped, output);
            checks.add(stopped);
        } finally {
            terminal.clear();
        }
        output.println();
        return checks;
    }

    private static void print(Check check, PrintWriter output) {
        output.printf(Locale.ROOT, "  %-8s %-30s %s%n", check.status(), check.name(), check.detail());
        if (!check.remedy().isEmpty()) {
            output.printf(Locale.ROOT, "  %-8s %-30s → %s%n", "", "", check.remedy());
        }
    }

    private static void section(String title, List<Check> found, List<Check> all, PrintWriter output) {
        output.println(title);
        for (Check check : found) {
            print(check, output);
        }
        output.println();
        output.flush();
        all.addAll(found);
    }

    private static List<Check> machine() {
        List<Check> checks = new ArrayList<>();
        int java = Runtime.version().feature();
        checks.add(new Check(
                "Java",
                java >= OLDEST_JAVA ? "ok" : "problem",
                Machine.java(),
                java >= OLDEST_JAVA ? "" : "install Java " + OLDEST_JAVA + " or newer"));
        int cores = Machine.cores();
        checks.add(new Check(
                "cores",
                cores > 1 ? "ok" : "warning",
                cores + " × " + Machine.processor(),
                cores > 1 ? "" : "database and client share one core: expect noise"));
        long memory = Machine.memoryBytes();
        checks.add(new Check(
                "memory",
                memory >= LITTLE_MEMORY ? "ok" : "warning",
                memory / MEBIBYTE + " MiB",
                memory >= LITTLE_MEMORY ? "" : "keep to --scale quick or tiny"));
        checks.add(disk("disk, temporary", Path.of(System.getProperty("java.io.tmpdir"))));
        checks.add(disk("disk, data folder", existing(DatabaseOptions.defaultFolder())));
        int year = Year.from(Instant.now().atZone(ZoneOffset.UTC)).getValue();
        checks.add(new Check(
                "clock",
                year >= YEAR ? "ok" : "warning",
                Instant.now().toString(),
                year >= YEAR ? "" : "it is in the past: set it by NTP"));
        checks.addAll(Preflight.ofThisMachine());
        return checks;
    }

    private static List<Check> engines() {
        List<Check> checks = new ArrayList<>();
        try (EmbeddedPostgres embedded = EmbeddedPostgres.temporary()) {
            checks.add(new Check("embedded PostgreSQL", "ok", "started and stopped: " + embedded.version(), ""));
        } catch (UserError refused) {
            checks.add(new Check(
                    "embedded PostgreSQL",
                    "problem",
                    UserError.firstLine(refused),
                    "or use a database of your own by --url"));
        }
        checks.add(answer(List.of("docker", "version", "--format", "server {{.Server.Version}}"))
                .map(version -> new Check("Docker", "ok", version, ""))
                .orElse(new Check(
                        "Docker",
                        "warning",
                        "no engine answers",
                        "nothing needs it yet but tests in containers: start a Docker engine for those")));
        answer(List.of("cockroach", "version", "--build-tag"))
                .ifPresentOrElse(
                        version -> {
                            checks.add(new Check("cockroach", "ok", version, ""));
                            checks.add(nodes(9, "add --nodes 3, or name a cluster that runs elsewhere with --url"));
                            checks.add(nodes(3, "name a cluster that runs elsewhere with --url"));
                        },
                        () -> checks.add(new Check(
                                "cockroach",
                                "warning",
                                "not on the path",
                                "needed for --engine cockroach only; a running cluster is named by --url")));
        return checks;
    }

    /** Whether there is room for a cluster of three regions. */
    private static Check nodes(int count, String otherwise) {
        boolean fits = Machine.memoryBytes() >= count * NODE + LITTLE_MEMORY;
        return new Check(
                "CockroachDB, " + count + " nodes",
                fits ? "ok" : "warning",
                "take up to " + count * NODE / MEBIBYTE + " MiB of memory",
                fits ? "" : otherwise);
    }

    private List<Check> database() {
        try (Cluster cluster = database.kept()) {
            List<Check> checks = new ArrayList<>();
            checks.add(new Check("version", "ok", cluster.version(), ""));
            if (cluster.embedded()) {
                checks.add(new Check(
                        "shell",
                        "ok",
                        cluster.engine().shell(cluster.gateway()),
                        cluster.path().isEmpty()
                                ? ""
                                : "this server ends now: movr serve prints the address of its own"));
            }
            checks.addAll(Preflight.of(cluster.gateway()));
            if (cluster.engine() == Engine.POSTGRESQL) {
                checks.addAll(Requirements.of(cluster.gateway()));
            }
            checks.addAll(data(cluster));
            return checks;
        } catch (UserError refused) {
            return List.of(new Check(
                    "connection", "problem", UserError.firstLine(refused), "start it, or correct the address"));
        }
    }

    private static List<Check> data(Cluster cluster) {
        try {
            if (new Schema(cluster.engine(), cluster.gateway()).current().isEmpty()) {
                return List.of();
            }
        } catch (UserError another) {
            return List.of(new Check(
                    "data", "warning", UserError.firstLine(another), "only lab and tune work in such a database"));
        }
        try {
            List<Violation> violations = Invariants.violations(cluster.gateway());
            if (violations.isEmpty()) {
                return List.of(new Check("data", "ok", "every rule of MovR holds", ""));
            }
            return violations.stream()
                    .map(violation -> new Check(
                            "data",
                            "warning",
                            String.format(Locale.ROOT, "%,d rows break: %s", violation.rows(), violation.rule()),
                            "see which program wrote them"))
                    .toList();
        } catch (SQLException failed) {
            return List.of(new Check("data", "unknown", UserError.firstLine(failed), "see whether it can be read"));
        }
    }

    private static Check disk(String name, Path folder) {
        try {
            long free = Files.getFileStore(folder).getUsableSpace();
            boolean enough = free >= LITTLE_DISK;
            return new Check(
                    name,
                    enough ? "ok" : "warning",
                    free / MEBIBYTE + " MiB free at " + folder,
                    enough ? "" : "--scale tutorial needs about " + LITTLE_DISK / MEBIBYTE + " MiB");
        } catch (IOException failed) {
            return new Check(name, "unknown", UserError.firstLine(failed), "see whether " + folder + " can be read");
        }
    }

    private static Path existing(Path folder) {
        Path path = folder.toAbsolutePath();
        while (!Files.exists(path) && path.getParent() != null) {
            path = path.getParent();
        }
        return path;
    }

    /** The first line that a program answers, empty if it is missing or fails. */
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
