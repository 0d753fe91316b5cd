package io.movr.cli;

import io.movr.SlowdownBound.IfUnsure;
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

/** What {@code movr lab} says of a run that has ended: on standard output, in files for CI, and by its exit code. */
final class LabOutput {

    /** Of GitHub's runners: the file whose Markdown is shown on the page of a run. */
    private static final String SUMMARY = "GITHUB_STEP_SUMMARY";

    private final boolean markdown;
    private final @Nullable Path junit;
    private final LabGate gate;

    /**
     * Reads the options.
     *
     * @param format {@code table} or {@code github}
     * @throws UserError if one of them is unknown, or the file cannot be written
     */
    LabOutput(String format, @Nullable Path junit, @Nullable String failOn, String ifUnsure) {
        if (!format.equals("table") && !format.equals("github")) {
            throw new UserError("There is no format '" + format + "': choose table or github");
        }
        this.markdown = format.equals("github");
        this.junit = junit;
        this.gate = new LabGate(failOn == null ? null : LabGate.bound(failOn), IfUnsure.named(ifUnsure));
        if (junit != null) {
            // Before anything is measured.
            write("--junit", junit, "", StandardOpenOption.APPEND);
        }
    }

    boolean isMarkdown() {
        return markdown;
    }

    /** Whether any of it is about a run that measures. */
    boolean isAsked() {
        return markdown || junit != null || gate.ifUnsure() != IfUnsure.SKIP;
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

    /** 0 if all was measured and no bound failed, otherwise 1; standard error says why. */
    int exitCode(LabResults results, Terminal terminal) {
        boolean failed = !results.complete();
        List<Judged> judged = gate.judge(results);
        for (Judged one : judged) {
            boolean counts = gate.counted(one) == Outcome.FAILED;
            failed |= counts;
            // What went wrong while measuring stands below the table.
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
                    "Cannot write the file of " + what + ", " + file + ": " + UserError.firstLine(failed), failed);
        }
    }
}
