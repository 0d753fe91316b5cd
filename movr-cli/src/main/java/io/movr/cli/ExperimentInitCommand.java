package io.movr.cli;

import io.movr.database.DatabaseSource;
import io.movr.lab.ExperimentSkeleton;
import io.movr.lab.NewExperiment;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code movr experiment init}. */
@Command(
        name = "init",
        description = "Make the folder of an experiment from a statement.",
        footer = {
            "",
            "The folder expects today's plan. Values that columns are compared with become parameters. after.sql has the"
                    + " index that CockroachDB recommends, or for PostgreSQL a guess. Without --url the statement reads"
                    + " MovR's rows.",
            "",
            "Examples:",
            "  movr experiment init my-experiment --statement \"SELECT * FROM users WHERE name = 'Ada Brown'\"",
            "  movr experiment init my-experiment --statement \"SELECT …\" --url \"postgresql://me@localhost:5432/shop\"",
            "  movr experiment init my-experiment --from-statistics 1 --url \"postgresql://me@localhost:5432/shop\""
        })
final class ExperimentInitCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "FOLDER", description = "The folder to create.")
    private Path folder = Path.of("");

    @ArgGroup(exclusive = true, multiplicity = "1")
    private Source chosen = new Source();

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private DatabaseOptions database = new DatabaseOptions();

    @ArgGroup(validate = false, heading = Headings.ROWS)
    private ScaleOption rows = new ScaleOption();

    private static final class Source {

        @Option(names = "--statement", paramLabel = "SQL", description = "A statement with values in it.")
        private @Nullable String statement;

        @Option(
                names = "--from-statistics",
                paramLabel = "N",
                description = "With --url: the N-th statement of 'movr experiment top', with values from rows that"
                        + " exist.")
        private int number;
    }

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        DatabaseSource source = database.source();
        String statement = chosen.statement;
        if (statement == null) {
            statement =
                    NewExperiment.costliestStatement(source, chosen.number, note -> output.println("Note: " + note));
            output.println("Statement " + chosen.number + ": " + statement.replaceAll("\\s+", " "));
        }
        print(
                NewExperiment.write(
                        folder,
                        statement,
                        source,
                        rows.spec(),
                        terminal,
                        (load, totalRows) -> new LabDisplay(terminal, load, totalRows)),
                output);
        output.println("Next: " + Movr.program() + " experiment run " + folder + (source.hasUrl() ? " --url …" : ""));
        output.flush();
        return 0;
    }

    private void print(ExperimentSkeleton.Written written, PrintWriter output) {
        output.println("Current plan:");
        written.plan().lines().forEach(line -> output.println("  " + line));
        written.files().forEach(file -> output.println("Wrote " + file));
        if (!written.parameters().isEmpty()) {
            output.println("Parameters: " + String.join(", ", written.parameters()) + ", from rows that exist");
        }
        written.notes().forEach(note -> output.println("Note: " + note));
        written.proposal().forEach(index -> output.println("Proposed: " + index));
        if (written.proposal().isEmpty()) {
            output.println(
                    written.reads()
                            ? "There is no index to propose: write " + folder.resolve("after.sql")
                                    + " and the expected plan into "
                                    + folder.resolve("experiment.yaml")
                            : "The statement reads no table, so no index can make it faster: write into "
                                    + folder.resolve("after.sql")
                                    + " the index, constraint or trigger whose cost is to be measured");
        }
    }
}
