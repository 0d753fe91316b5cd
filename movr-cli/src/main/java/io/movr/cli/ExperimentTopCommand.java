package io.movr.cli;

import io.movr.lab.NewExperiment;
import io.movr.lab.StatementStatistics;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code movr experiment top}. */
@Command(
        name = "top",
        description = "Print the statements that took the most time in a database.",
        footer = {
            "",
            "The statements are numbered: 'movr experiment init FOLDER --from-statistics N' makes an experiment of the"
                    + " N-th. PostgreSQL needs the extension pg_stat_statements.",
            "",
            "Examples:",
            "  movr experiment top --url \"postgresql://me@localhost:5432/shop\"",
            "  movr experiment top --url env:SHOP",
            "  movr experiment top --url \"postgresql://root@localhost:26257/shop?sslmode=disable\""
        })
final class ExperimentTopCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        PrintWriter output = Objects.requireNonNull(spec).commandLine().getOut();
        output.print(StatementStatistics.table(NewExperiment.costliestStatements(database.source())));
        output.println("Next: " + Movr.program() + " experiment init FOLDER --from-statistics N --url …");
        output.flush();
        return 0;
    }
}
