package io.movr.cli;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.doctor.DatabaseCheck;
import io.movr.doctor.FullCheck;
import io.movr.doctor.MachineCheck;
import io.movr.region.RegionMap;
import io.movr.report.LabResults.Check;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr doctor}. */
@Command(
        name = "doctor",
        description = "Check this machine and a database, and print what to do about each problem.",
        footer = {
            "",
            "Exit code 0 unless there is a problem.",
            "",
            "Examples:",
            "  movr doctor --url \"jdbc:postgresql://localhost:5432/movr?user=me\"",
            "  movr doctor --full --engine cockroach",
            "  movr doctor --full --url us-east1=postgresql://root@localhost:26257/movr --url us-west1=…"
        })
final class DoctorCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--full",
            description =
                    "Also check every feature of movr on a database: loading, every stage, the experiments, the service, stale"
                            + " reads. It creates databases and drops them.")
    private boolean full;

    @Option(
            names = "--skip",
            paramLabel = "PART",
            split = ",",
            description =
                    "With --full: parts to skip, of experiments, cache, service and promo-codes. The experiments load several"
                            + " databases.")
    private Set<String> skipped = Set.of();

    @Mixin
    private WaitOption wait = new WaitOption();

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private StoredDatabaseOptions database = new StoredDatabaseOptions();

    @ArgGroup(validate = false, heading = Headings.REGIONS)
    private RegionOptions regions = new RegionOptions();

    @Override
    public Integer call() {
        PrintWriter output = Objects.requireNonNull(spec).commandLine().getOut();
        if (!FullCheck.skippable().containsAll(skipped)) {
            throw new UserError(
                    "--skip takes " + String.join(", ", FullCheck.skippable()) + ", not " + String.join(", ", skipped));
        }
        List<Check> checks = new ArrayList<>();
        section("This machine", MachineCheck.machine(), checks, output);
        section("Engines", MachineCheck.engines(), checks, output);
        if (database.source().isNamed()) {
            section("The database", DatabaseCheck.of(database.source()), checks, output);
        }
        if (full) {
            checks.addAll(fullCheck(output));
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

    private List<Check> fullCheck(PrintWriter output) {
        Terminal terminal =
                new Terminal(Objects.requireNonNull(spec).commandLine().getErr());
        RegionMap map = regions.map();
        database.source().requireNodes(map);
        List<Check> checks = new ArrayList<>();
        output.println("Every feature of movr on a database");
        output.flush();
        try (Cluster cluster = database.source().temporaryOf(map)) {
            new FullCheck(
                            cluster,
                            map,
                            wait.time(),
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
}
