package io.movr.cli;

import io.movr.report.EdgeResults;
import io.movr.report.render.TextRenderer;
import io.movr.study.EdgePlan;
import io.movr.study.EdgeStudy;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr edge}. */
@Command(
        name = "edge",
        description = "Measure the speedup by a cache near the client, and the staleness of its answers.",
        footer = {
            "",
            "Without options: an embedded PostgreSQL behind a link of 80 ms, a point of presence 8 ms "
                    + "away, about seven minutes.",
            "",
            "Exit code 0 if every answer was right and no write was lost, whatever the verdicts.",
            "",
            "Examples:",
            "  movr edge --rtt 150 --pop-rtt 20",
            "  movr edge --scale tiny",
            "  movr edge --url \"jdbc:postgresql://localhost:5432/postgres?user=me\""
        })
final class EdgeCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(validate = false, heading = Headings.MEASURING)
    private Measuring measuring = new Measuring();

    @ArgGroup(validate = false, heading = Headings.DATABASE)
    private DatabaseOptions database = new DatabaseOptions();

    @ArgGroup(validate = false, heading = Headings.OUTPUT)
    private OutOption out = new OutOption();

    private static final class Measuring {

        @Option(
                names = "--rtt",
                paramLabel = "MS",
                description = "Round trip that movr adds between client and database (default: 80).")
        private int roundTrip = 80;

        @Option(
                names = "--pop-rtt",
                paramLabel = "MS",
                description = "Round trip between client and point of presence, which is part of --rtt (default: 8).")
        private int toPresence = 8;

        @Option(
                names = "--scale",
                paramLabel = "NAME",
                description = "quick (100 clients, 10,000 rows, runs of 8 s, default) or tiny, to try it out.")
        private String scale = "quick";

        EdgePlan plan() {
            return EdgePlan.of(scale, Duration.ofMillis(roundTrip), Duration.ofMillis(toPresence));
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        EdgeStudy.Outcome outcome = EdgeStudy.of(
                database.source(), measuring.plan(), out.folder(), Build.program(), Movr.words(command), terminal);
        EdgeResults results = outcome.results();
        output.println();
        output.print(TextRenderer.of(results.report()));
        output.println();
        results.conclusions().forEach(output::println);
        output.println();
        terminal.warnOfSteal(results.environment().stolenShare());
        output.println("Report: " + outcome.bundle().report());
        output.flush();
        return results.complete() ? 0 : 1;
    }
}
