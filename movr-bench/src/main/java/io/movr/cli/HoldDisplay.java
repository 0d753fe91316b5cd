package io.movr.cli;

import io.movr.overhead.HeldLoad;
import io.movr.report.CpuSteal;
import io.movr.report.HoldResults;
import io.movr.report.HoldResults.Part;
import io.movr.report.HoldResults.Window;
import io.movr.report.TextTable;
import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Probe;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Shows how a load is held. */
final class HoldDisplay implements HeldLoad.Listener {

    private static final double MEBIBYTE = 1_048_576;

    private final PrintWriter output;
    private final Terminal terminal;
    private final HeldLoad.Plan plan;
    private double rate;
    private CpuSteal stolen = new CpuSteal();

    HoldDisplay(PrintWriter output, Terminal terminal, HeldLoad.Plan plan) {
        this.output = output;
        this.terminal = terminal;
        this.plan = plan;
    }

    @Override
    public void step(String what) {
        terminal.progress(what);
    }

    @Override
    public void probe(Probe probe) {
        Double ms = probe.ms();
        line(
                "%6.0f/s  %s %s ms  %s",
                probe.rate(),
                plan.objective().percentile(),
                ms == null ? "–" : TextTable.number(2, ms),
                probe.kept() ? "kept" : "not kept: " + probe.why());
    }

    @Override
    public void begin(double held, @Nullable Capacity capacity) {
        rate = held;
        stolen = new CpuSteal();
        Double highest = capacity == null ? null : capacity.highestKept();
        if (capacity != null && highest != null) {
            line(
                    "Highest sustainable rate with %s within %.0f ms: %.0f arrivals/s (%s)",
                    plan.objective().percentile(), capacity.limitMs(), highest, capacity.reason());
        }
        line(
                "Holding %.0f arrivals/s for %s",
                held, Terminal.duration(plan.length().toMillis() / 1e3));
        line("");
        line(
                "%9s  %8s  %6s  %7s  %7s  %7s  %8s  %8s  %7s  %5s",
                "until", "done/s", "errors", "p50 ms", "p99 ms", "max ms", "live MiB", "RSS MiB", "threads", "files");
        remaining(0, plan.windows());
    }

    @Override
    public void window(int number, int windows, Window window) {
        line(
                "%9s  %8.1f  %6d  %7.2f  %7.2f  %7.1f  %8.1f  %8s  %7d  %5d",
                Terminal.duration(window.endSeconds()),
                window.answered() / (plan.window().toMillis() / 1e3),
                window.errors(),
                window.p50Ms(),
                window.p99Ms(),
                window.maxMs(),
                window.liveHeapBytes() / MEBIBYTE,
                mebibytes(toDouble(window.residentBytes())),
                window.threads(),
                window.openFiles());
        remaining(number, windows);
    }

    private void remaining(int number, int windows) {
        terminal.progress(String.format(
                Locale.ROOT,
                "Holding %.0f arrivals/s, %s left",
                rate,
                Terminal.duration((windows - number) * (plan.window().toMillis() / 1e3))));
    }

    /** Measures CPU steal since the load began to be held. */
    CpuSteal stolen() {
        return stolen;
    }

    /** The first and the last part, and whether the load was held. */
    void end(HoldResults results) {
        TextTable table = new TextTable("lrrrrrrr")
                .row("", "done/s", "errors", "p50 ms", "p99 ms", "max ms", "live MiB", "RSS MiB");
        String length =
                Terminal.duration(results.first().windows() * (plan.window().toMillis() / 1e3));
        row(table, "first " + length, results.first());
        row(table, "last " + length, results.last());
        line("");
        output.print(table);
        output.flush();
        line("");
        results.windows().stream()
                .flatMap(window -> window.failures().keySet().stream())
                .distinct()
                .forEach(failure -> line("Failed: %s", failure));
        String what = String.format(
                Locale.ROOT,
                "%.0f arrivals/s for %s: ",
                results.rate(),
                Terminal.duration(plan.length().toMillis() / 1e3));
        if (results.complete()) {
            line(
                    "Held %sno error, p99 %+.0f%%, live heap %+.0f%%, RSS %s",
                    what,
                    change(results.first().p99Ms(), results.last().p99Ms()),
                    change(results.first().liveHeapBytes(), results.last().liveHeapBytes()),
                    resident(results));
        } else {
            line("Not held %s%s", what, String.join("; ", results.reasons()));
        }
    }

    private static String resident(HoldResults results) {
        Double first = results.first().residentBytes();
        Double last = results.last().residentBytes();
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
                TextTable.number(2, part.p50Ms()),
                TextTable.number(2, part.p99Ms()),
                TextTable.number(1, part.maxMs()),
                TextTable.number(1, part.liveHeapBytes() / MEBIBYTE),
                mebibytes(part.residentBytes()));
    }

    private static String mebibytes(@Nullable Double bytes) {
        return bytes == null ? "–" : TextTable.number(1, bytes / MEBIBYTE);
    }

    private static @Nullable Double toDouble(@Nullable Long number) {
        return number == null ? null : number.doubleValue();
    }

    private void line(String format, Object... values) {
        terminal.clear();
        output.printf(Locale.ROOT, format + "%n", values);
        output.flush();
    }
}
