package io.movr.cli;

import io.movr.lab.ExperimentFolders;
import io.movr.lab.Lab;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code movr experiment list}. */
@Command(
        name = "list",
        description = "Print the titles of the published experiments, or of the experiments in folders.",
        footer = {
            "",
            "Examples:",
            "  movr experiment list",
            "  movr experiment list my-experiment",
            "  movr experiment list docs/samples/experiments"
        })
final class ExperimentListCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "FOLDER", description = "Experiments, or parents of experiments.")
    private List<Path> folders = List.of();

    @Override
    public Integer call() {
        PrintWriter output = Objects.requireNonNull(spec).commandLine().getOut();
        // A list needs no database, so an experiment may need rows that only --url has.
        Map<String, String> titles = folders.isEmpty()
                ? Lab.titles()
                : ExperimentFolders.read(folders, true, 0, new ScaleOption().spec())
                        .titles();
        titles.forEach((id, title) -> output.println(String.format(Locale.ROOT, "%-22s %s", id, title)));
        output.flush();
        return 0;
    }
}
