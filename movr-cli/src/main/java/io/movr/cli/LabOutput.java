package io.movr.cli;

import io.movr.SlowdownBound.Outcome;
import io.movr.UserError;
import io.movr.report.LabGate;
import io.movr.report.LabGate.Judged;
import io.movr.report.LabJunit;
import io.movr.report.LabReport;
import io.movr.report.LabResults;
import io.movr.report.render.MarkdownRenderer;
import io.movr.report.render.TextRenderer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The output of {@code movr experiment run} on standard output and in files for CI, and its exit code. */
final class LabOutput {

    /** The file whose Markdown GitHub shows on the page of a run. */
    private static final String SUMMARY = "GITHUB_STEP_SUMMARY";

    private final boolean markdown;
    private final @Nullable Path junit;
    private final LabGate gate;

    /**
     * Reads the options.
     *
     * @throws UserError if one of them is wrong, or the file cannot be written
     */
    LabOutput(Format format, @Nullable Path junit, GateOptions gate) {
        this.markdown = format == Format.MARKDOWN;
        this.junit = junit;
        this.gate = new LabGate(gate.allowedPercent(), gate.ifUnsure());
        if (junit != null) {
            // Before anything is measured.
            write("--junit", junit, "", StandardOpenOption.APPEND);
        }
    }

    void show(LabResults results, Path report, PrintWriter output, Terminal terminal) {
        if (junit != null) {
            write("--junit", junit, LabJunit.of(results, gate), StandardOpenOption.TRUNCATE_EXISTING);
        }
        if (!markdown) {
            output.println();
            output.print(TextRenderer.of(LabReport.of(results)));
            output.println();
            output.println("Report: " + report);
            return;
        }
        String text = MarkdownRenderer.of(LabReport.withGate(results, gate));
        output.print(text);
        terminal.line("Report: " + report);
        String summary = System.getenv(SUMMARY);
        if (summary != null && !summary.isBlank()) {
            write(SUMMARY, Path.of(summary), text, StandardOpenOption.APPEND);
        }
    }

    /** Returns 0 if everything was measured and no bound failed, otherwise 1, and prints the reasons. */
    int exitCode(LabResults results, Terminal terminal) {
        boolean failed = !results.complete();
        List<Judged> judged = gate.judge(results);
        for (Judged one : judged) {
            boolean counts = gate.counted(one) == Outcome.FAILED;
            failed |= counts;
            // Failures of measurements are printed below the table.
            if (one.outcome() == Outcome.UNSURE || (counts && one.message().startsWith("is "))) {
                terminal.line("movr: " + one.name() + " " + one.message());
            }
        }
        if (gate.allowedPercent() != null) {
            terminal.line("movr: --fail-on "
                    + Outcome.count(judged.stream().map(Judged::outcome).toList()));
        }
        return failed ? 1 : 0;
    }

    private static void write(String what, Path file, String text, StandardOpenOption how) {
        try {
            Path parent = file.toAbsolutePath().getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how);
        } catch (IOException failed) {
            throw new UserError(
                    "The file of " + what + ", " + file + ", cannot be written: " + UserError.firstLine(failed),
                    failed);
        }
    }
}
