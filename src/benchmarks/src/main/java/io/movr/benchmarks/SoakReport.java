package io.movr.benchmarks;

import io.movr.benchmarks.SoakVerdict.Part;
import io.movr.benchmarks.SoakVerdict.Window;
import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Probe;
import io.movr.report.render.TextTable;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Prints a steady load while it runs, and its verdict. */
final class SoakReport {

    private static final double MEBIBYTE = 1_048_576;

    private final PrintWriter output;
    private final Consumer<String> step;
    private final SoakTest.Plan plan;
    private double rate;

    SoakReport(PrintWriter output, Consumer<String> step, SoakTest.Plan plan) {
        this.output = output;
        this.step = step;
        this.plan = plan;
    }

    void step(String what) {
        step.accept(what);
    }

    void probe(Probe probe) {
        Double ms = probe.ms();
        line(
                "%6.0f/s  %s %s ms  %s",
                probe.rate(),
                plan.objective().percentile(),
                ms == null ? "–" : TextTable.number(2, ms),
                probe.kept() ? "kept" : "not kept: " + probe.why());
    }

    void begin(double held, @Nullable Capacity capacity) {
        rate = held;
        Double highest = capacity == null ? null : capacity.highestKept();
        if (capacity != null && highest != null) {
            line(
                    "Highest sustainable rate with %s within %.0f ms: %.0f arrivals/s (%s)",
                    plan.objective().percentile(), capacity.limitMs(), highest, capacity.reason());
        }
        line("Holding %.0f arrivals/s for %s", held, duration(plan.length().toMillis() / 1e3));
        line("");
        line(
                "%9s  %8s  %6s  %7s  %7s  %7s  %8s  %8s  %7s  %5s",
                "until", "done/s", "errors", "p50 ms", "p99 ms", "max ms", "live MiB", "RSS MiB", "threads", "files");
    }

    void window(Window window) {
        line(
                "%9s  %8.1f  %6d  %7s  %7s  %7s  %8.1f  %8s  %7d  %5d",
                duration(window.endSeconds()),
                window.answered() / (plan.window().toMillis() / 1e3),
                window.errors(),
                Service.shown(2, window.p50Ms()),
                Service.shown(2, window.p99Ms()),
                Service.shown(1, window.maxMs()),
                window.liveHeapBytes() / MEBIBYTE,
                mebibytes(toDouble(window.residentBytes())),
                window.threads(),
                window.openFiles());
    }

    /** Prints the first and the last part, and whether the load was held. */
    void end(SoakVerdict verdict) {
        TextTable table = new TextTable("lrrrrrrr")
                .row("", "done/s", "errors", "p50 ms", "p99 ms", "max ms", "live MiB", "RSS MiB");
        String length = duration(verdict.first().windows() * (plan.window().toMillis() / 1e3));
        row(table, "first " + length, verdict.first());
        row(table, "last " + length, verdict.last());
        line("");
        output.print(table);
        output.flush();
        line("");
        String what = String.format(
                Locale.ROOT,
                "%.0f arrivals/s for %s: ",
                rate,
                duration(plan.length().toMillis() / 1e3));
        if (verdict.held()) {
            line(
                    "Held %sno error, p99 %+.0f%%, live heap %+.0f%%, RSS %s",
                    what,
                    change(verdict.first().p99Ms(), verdict.last().p99Ms()),
                    change(verdict.first().liveHeapBytes(), verdict.last().liveHeapBytes()),
                    resident(verdict));
        } else {
            line("Not held %s%s", what, String.join("; ", verdict.reasons()));
        }
    }

    private static String resident(SoakVerdict verdict) {
        Double first = verdict.first().residentBytes();
        Double last = verdict.last().residentBytes();
        return first == null || last == null
                ? "not known on this system"
                : String.format(Locale.ROOT, "%+.0f%%", change(first, last));
    }

    private static double change(double first, double last) {
        return 100 * (last / first - 1);
    }

    private static void row(TextTable table, String name, Part part) {
        table.row(
                name,
                TextTable.number(1, part.perSecond()),
                Long.toString(part.errors()),
                Service.shown(2, part.p50Ms()),
                Service.shown(2, part.p99Ms()),
                Service.shown(1, part.maxMs()),
                TextTable.number(1, part.liveHeapBytes() / MEBIBYTE),
                mebibytes(part.residentBytes()));
    }

    private static String mebibytes(@Nullable Double bytes) {
        return bytes == null ? "–" : TextTable.number(1, bytes / MEBIBYTE);
    }

    private static @Nullable Double toDouble(@Nullable Long number) {
        return number == null ? null : number.doubleValue();
    }

    private static String duration(double seconds) {
        return seconds < 60
                ? TextTable.number(1, seconds) + " s"
                : (int) seconds / 60 + " min " + Math.round(seconds % 60) + " s";
    }

    private void line(String format, Object... values) {
        output.printf(Locale.ROOT, format + "%n", values);
        output.flush();
    }
}
