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
final class TrafficPage implements TrafficListener {

    private final Terminal terminal;
    private final ProgressPage page;
    private final TrafficPlan plan;
    private final String title;
    private final List<Item> earlier;
    private final Map<String, Item> figures = new LinkedHashMap<>();
    private final Map<Run, Item> runs = new LinkedHashMap<>();
    private final List<Ratio> narrowing = new ArrayList<>();
    private String doing = "Starting the database of each region";
    private String narrowed = "";
    private int done;
    /** When the first run was over: what comes before it takes a time of its own. */
    private long firstMeasured;

    private long end;

    /**
     * Begins to show it.
     *
     * @param earlier what the same command has measured before
     */
    TrafficPage(ProgressPage page, List<Item> earlier, TrafficPlan plan, String title, Terminal terminal) {
        this.page = page;
        this.earlier = earlier;
        this.plan = plan;
        this.title = title;
        this.terminal = terminal;
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
        show();
    }

    @Override
    public synchronized void measured(Run run, double value, Supplier<List<Figure>> now) {
        runs.put(run, item(run, "measured", Double.isNaN(value) ? null : value));
        done++;
        long measured = System.nanoTime();
        if (done == 1) {
            firstMeasured = measured;
        } else {
            end = measured + (measured - firstMeasured) / (done - 1) * (runs.size() - done);
        }
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
        narrowing.removeIf(shown -> shown.number() == ratio.number());
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

    private @Nullable Double secondsLeft() {
        return done < 2 ? null : Math.max(0, (end - System.nanoTime()) / 1e9);
    }

    private void show() {
        Double part = done == 0 ? null : (double) done / (runs.size() + 1);
        List<Item> items = new ArrayList<>(earlier);
        items.addAll(figures.values());
        items.addAll(runs.values());
        page.show(new Progress(
                title,
                doing,
                part,
                secondsLeft(),
                true,
                earlier.isEmpty() ? "runs" : "samples or runs",
                List.of(),
                items,
                List.copyOf(narrowing)));
    }
}
