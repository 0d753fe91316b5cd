package io.movr.cli;

import io.movr.UserError;
import io.movr.database.DatabaseSource;
import io.movr.dataset.BulkLoader;
import io.movr.lab.ExperimentFolders;
import io.movr.lab.LabOutcome;
import io.movr.lab.LabRequest;
import io.movr.lab.LabRun;
import io.movr.report.ByteSize;
import io.movr.report.LabResults;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code movr experiment run}. */
@Command(
        name = "run",
        description = "Measure your own experiments: the same statement before and after a change.",
        footer = {
            "",
            "The experiments run on generated rows, or on copies of the database that --url names.",
            "",
            "Exit code 1 if an experiment failed, or a bound did: --fail-on, or max-slowdown of a write. A bound fails if"
                    + " the whole 95%% interval lies beyond it, and passes if the whole interval lies within it.",
            "",
            "Examples:",
            "  movr experiment run my-experiment",
            "  movr experiment run my-experiment --url \"postgresql://me@localhost:5432/shop\" --samples 60",
            "  movr experiment run experiments --fail-on 'slower>5%%' --junit lab.xml --format markdown"
        })
final class ExperimentRunCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = "FOLDER",
            description = "Experiments, each a folder with experiment.yaml, or parents of experiments.")
    private List<Path> folders = List.of();

    @ArgGroup(validate = false, heading = Headings.MEASURING)
    private SamplingOptions measuring = new SamplingOptions();

    @ArgGroup(validate = false, heading = "%nGate:%n")
    private GateOptions gate = new GateOptions();

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private ExperimentDatabase database = new ExperimentDatabase();

    @ArgGroup(validate = false, heading = Headings.ROWS)
    private ScaleOption rows = new ScaleOption();

    @ArgGroup(validate = false, heading = Headings.OUTPUT)
    private Output out = new Output();

    private static final class ExperimentDatabase extends DatabaseOptions {

        @Option(
                names = "--copy",
                paramLabel = "KIND",
                description = "With --url of a PostgreSQL: copy the whole database (template), or the tables that the"
                        + " experiments name (tables). Default: template if that is possible.")
        private @Nullable String copy;

        @Option(
                names = "--max-copy",
                paramLabel = "SIZE",
                description = "With --url: the size of all copies together at most (default: 20GB).")
        private String maxCopy = "20GB";

        @Option(
                names = "--in-place",
                paramLabel = "NAME",
                description = "With --url of a scratch database, whose NAME is typed again: measure on the database"
                        + " itself. The sides may differ by statement only.")
        private @Nullable String inPlace;
    }

    private static final class Output extends OutOption {

        @Option(
                names = "--format",
                paramLabel = "table|markdown",
                description =
                        "Format of standard output. markdown is also appended to the file that GITHUB_STEP_SUMMARY names"
                                + " (default: table).")
        private String format = "table";

        @Option(
                names = "--junit",
                paramLabel = "FILE",
                description = "Also write JUnit's XML: a test case for each experiment and each write with a bound.")
        private @Nullable Path junit;
    }

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        LabOutput shown = new LabOutput(Format.named(out.format, Format.TABLE, Format.MARKDOWN), out.junit, gate);
        DatabaseSource source = database.source();
        ExperimentFolders experiments = ExperimentFolders.read(folders, source.hasUrl(), maxBytes(), rows.spec());
        List<String> wanted = wanted(experiments);
        LabRequest request = new LabRequest(
                wanted,
                rows.name(),
                rows.spec(),
                BulkLoader.defaultConnections(),
                measuring.samples(),
                out.folder(),
                measuring.isForced(),
                true,
                null,
                Build.program(),
                Movr.words(command),
                copied(experiments, wanted, source));
        LabOutcome outcome = LabRun.of(
                source, request, null, terminal, (load, totalRows) -> new LabDisplay(terminal, load, totalRows));
        LabResults results = outcome.results();
        terminal.warnOfSteal(results.environment().stolenShare());
        shown.show(results, outcome.bundle().report(), output, terminal);
        output.flush();
        return shown.exitCode(results, terminal);
    }

    private long maxBytes() {
        return ByteSize.parse("--max-copy", database.maxCopy);
    }

    private List<String> wanted(ExperimentFolders experiments) {
        List<String> only = measuring.only();
        if (only == null) {
            return experiments.ids();
        }
        List<String> named = experiments.named(only);
        for (String id : named) {
            if (!experiments.ids().contains(id)) {
                throw new UserError("There is no experiment '" + id + "' in these folders: choose from "
                        + String.join(", ", experiments.ids()));
            }
        }
        return named;
    }

    private ExperimentFolders copied(ExperimentFolders experiments, List<String> wanted, DatabaseSource source) {
        if ((database.copy != null || database.inPlace != null) && !source.hasUrl()) {
            throw new UserError((database.copy != null ? "--copy" : "--in-place") + " requires --url");
        }
        if (database.copy != null && database.inPlace != null) {
            throw new UserError("--in-place makes no copies: leave --copy out");
        }
        if (database.inPlace != null) {
            return experiments.inPlace(database.inPlace, wanted);
        }
        return database.copy == null ? experiments : experiments.copiedBy(database.copy);
    }
}
