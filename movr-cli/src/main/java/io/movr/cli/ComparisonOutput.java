package io.movr.cli;

import io.movr.report.RunBundle;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the output of a comparison. */
final class ComparisonOutput extends PageOption {

    @Option(
            names = "--format",
            paramLabel = "table|markdown|json|csv",
            description = "Format of standard output (default: table).")
    private String format = "table";

    Format format() {
        return Format.named(format, Format.TABLE, Format.MARKDOWN, Format.CSV, Format.JSON);
    }

    /** Returns the folder of the page; {@code null} if none is written. */
    @Nullable
    RunBundle bundle() {
        Path folder = folder();
        return folder == null ? null : RunBundle.in(folder);
    }

    /** Prints text, and the warnings on standard error if the format is CSV. */
    void print(String text, List<String> warnings, PrintWriter output, Terminal terminal) {
        PrintableWriter.printRaw(output, text);
        output.flush();
        if (format() == Format.CSV) {
            warnings.forEach(warning -> terminal.line("Warning: " + warning));
        }
        Path folder = folder();
        if (folder != null) {
            terminal.line("Report: " + folder.resolve("comparison.html"));
        }
    }
}
