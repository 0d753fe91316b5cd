package io.movr.cli;

import io.movr.console.ProgressPage;
import io.movr.console.ProgressPage.Item;
import io.movr.console.ProgressPage.Progress;
import io.movr.console.ProgressPage.Ratio;
import io.movr.report.TrafficResults.Figure;
import io.movr.traffic.TrafficListener;
import io.movr.traffic.TrafficPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Shows a run of {@code movr traffic} on a page for a browser too. */
final class TrafficPage implements TrafficListener, AutoCloseable {

    private final Terminal terminal;
    private final ProgressPage page;
    private final TrafficPlan plan;
    private final String title;
    private final Map<String, Item> figures = new LinkedHashMap<>();
    private final Map<Run, Item> runs = new LinkedHashMap<>();
    private final List<Ratio> narrowing = new ArrayList<>();
    private String doing = "Starting the database of each region";
    private String narrowed = "";
    private int done;
    private boolean ended;
    private long begun;

    /**
     * Starts one.
     *
     * @param port at which it listens
     */
    TrafficPage(int port, TrafficPlan plan, String title, Terminal terminal) {
        this.terminal = terminal;
        this.plan = plan;
        this.title = title;
        this.page = ProgressPage.start(port);
        terminal.line("Progress: " + page.url());
        show();
    }

    @Override
    public synchronized void progress(String what) {
        terminal.progress(what);
        doing = what;
        show();
    }

    @Override
    public synchronized void planned(List<Run> planned) {
        planned.forEach(run -> runs.put(run, item(run, "waiting", null)));
        begun = System.nanoTime();
        show();
    }

    @Override
    public synchronized void measured(Run run, double value, Supplier<List<Figure>> now) {
        runs.put(run, item(run, "measured", Double.isNaN(value) ? null : value));
        done++;
        for (Figure figure : now.get()) {
            // A figure whose runs are over does not change any more.
            boolean changes = figure.unit().equals(run.unit());
            int pairs = (int) runs.entrySet().stream()
                            .filter(other -> other.getKey().unit().equals(figure.unit())
                                    && other.getValue().state().equals("measured"))
                            .count()
                    / 2;
            Ratio ratio = new Ratio(
                    pairs,
                    figure.improvement().estimate(),
                    figure.improvement().low(),
                    figure.improvement().high());
            figures.put(
                    figure.id(),
                    new Item(
                            figure.id(),
                            pairs < plan.runs() ? "measuring" : "measured",
                            (double) pairs / plan.runs(),
                            ratio,
                            figure.before().estimate(),
                            figure.after().estimate(),
                            figure.unit(),
                            ""));
            if (changes) {
                narrow(figure.id(), ratio);
            }
        }
        show();
    }

    private void narrow(String id, Ratio ratio) {
        if (!narrowed.equals(id)) {
            narrowed = id;
            narrowing.clear();
        }
        narrowing.removeIf(earlier -> earlier.number() == ratio.number());
        narrowing.add(ratio);
    }

    private static Item item(Run run, String state, @Nullable Double value) {
        return new Item(
                (run.closed() ? "waiting clients, " : "arrivals, ") + run.side() + ", run " + run.number(),
                state,
                0,
                null,
                run.side().equals("before") ? value : null,
                run.side().equals("before") ? null : value,
                run.unit(),
                "");
    }

    /** The run is over, and its results are there. */
    synchronized void ended(String results) {
        doing = "Done: " + results;
        ended = true;
        show();
    }

    private void show() {
        Double part = ended ? Double.valueOf(1) : done == 0 ? null : (double) done / (runs.size() + 1);
        List<Item> items = new ArrayList<>(figures.values());
        items.addAll(runs.values());
        page.show(new Progress(
                title,
                doing,
                part,
                ended || part == null ? null : LabDisplay.secondsLeft(part, begun),
                true,
                "runs",
                List.of(),
                items,
                List.copyOf(narrowing)));
    }

    @Override
    public void close() {
        page.close();
    }
}
