package io.movr.workload;

import java.io.PrintWriter;
import java.util.Locale;

/** Prints a run in the columns of {@code cockroach workload}, which existing scripts read. */
final class ColumnDisplay implements RunListener {

    private static final String TICK_HEADER =
            "_elapsed___errors__ops/sec(inst)___ops/sec(cum)__p50(ms)__p95(ms)__p99(ms)_pMax(ms)";
    private static final String FINAL_HEADER =
            "_elapsed___errors_____ops(total)___ops/sec(cum)__avg(ms)__p50(ms)__p95(ms)__p99(ms)_pMax(ms)";
    private static final int ROWS_A_HEADER = 20;

    private final PrintWriter out;
    private int row;

    public ColumnDisplay(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void tick(Tick tick) {
        for (Tick.Part part : tick.operations()) {
            if (row++ % ROWS_A_HEADER == 0) {
                out.println(TICK_HEADER);
            }
            OperationResult interval = part.interval();
            out.printf(
                    Locale.ROOT,
                    "%7.1fs %8d %14.1f %14.1f %8.1f %8.1f %8.1f %8.1f %s%n",
                    tick.elapsedSeconds(),
                    tick.errors(),
                    interval.count() / tick.intervalSeconds(),
                    part.cumulative().count() / tick.elapsedSeconds(),
                    interval.quantileMs(0.5),
                    interval.quantileMs(0.95),
                    interval.quantileMs(0.99),
                    interval.quantileMs(1),
                    interval.name());
        }
        out.flush();
    }

    /** Prints the totals of each operation, and of all together. */
    public void result(RunResult result) {
        OperationResult total = result.total();
        result.operations().forEach(operation -> append(operation, "__total", total.errors(), result.seconds()));
        append(total, "__result", total.errors(), result.seconds());
        out.flush();
    }

    private void append(OperationResult operation, String suffix, long errors, double seconds) {
        out.println();
        out.println(FINAL_HEADER + suffix);
        if (operation.count() == 0) {
            return;
        }
        out.printf(
                Locale.ROOT,
                "%7.1fs %8d %14d %14.1f %8.1f %8.1f %8.1f %8.1f %8.1f  %s%n",
                seconds,
                errors,
                operation.count(),
                operation.count() / seconds,
                operation.meanMs(),
                operation.quantileMs(0.5),
                operation.quantileMs(0.95),
                operation.quantileMs(0.99),
                operation.quantileMs(1),
                operation.name());
    }
}
