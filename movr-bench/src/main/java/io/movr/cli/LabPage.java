package io.movr.cli;

import io.movr.console.ProgressPage;
import io.movr.console.ProgressPage.Item;
import io.movr.console.ProgressPage.Progress;
import io.movr.console.ProgressPage.Ratio;
import io.movr.lab.LabListener;
import io.movr.lab.LabRequest;
import io.movr.report.LabResults;
import io.movr.stats.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Shows a run of {@code movr lab} on a page for a browser too, if one was asked for. */
final class LabPage implements LabListener {

    /** Often enough to look at, seldom enough to take no time. */
    private static final long LEAST_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final LabListener display;
    private final @Nullable ProgressPage page;
    private final String title;
    private final Map<String, Item> items = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final List<Ratio> narrowing = new ArrayList<>();
    private String doing = "Starting the database";
    private String current = "";
    private int number;
    private int of;
    private @Nullable Double part;
    private long measuringSince;
    private long lastShown;

    /** Begins to show it, if there is a page. */
    LabPage(@Nullable ProgressPage page, LabListener display, LabRequest request) {
        this.page = page;
        this.display = display;
        this.title = String.join(" ", request.command());
        request.ofStatements().forEach(id -> items.put(id, unfinished(id, "waiting", 0, null)));
        show();
    }

    @Override
    public void preparing(String what) {
        display.preparing(what);
        doing = what;
        showNowAndThen();
    }

    @Override
    public void noted(String what) {
        display.noted(what);
        notes.add(what);
        show();
    }

    @Override
    public void measuring(int newNumber, int newOf, String id) {
        display.measuring(newNumber, newOf, id);
        if (newNumber == 1) {
            measuringSince = System.nanoTime();
        }
        number = newNumber;
        of = newOf;
        // In a run against itself nobody is told that one is over.
        items.computeIfPresent(
                current,
                (same, item) ->
                        item.state().equals("measuring") ? unfinished(same, "measured", 1, item.ratio()) : item);
        begin(id, "Measuring " + id);
        part = (number - 1.0) / of;
        items.put(id, unfinished(id, "measuring", 0, null));
        show();
    }

    @Override
    public void pricing(String id) {
        display.pricing(id);
        begin("", "Measuring the price of " + id);
        part = null;
        show();
    }

    private static Item unfinished(String id, String state, double done, @Nullable Ratio ratio) {
        return new Item(id, state, done, ratio, null, null, "ms", "");
    }

    private void begin(String id, String what) {
        current = id;
        doing = what;
        narrowing.clear();
    }

    @Override
    public void progress(double done) {
        display.progress(done);
        Item item = items.get(current);
        if (item != null) {
            part = (number - 1 + done) / of;
            items.put(current, unfinished(current, item.state(), done, item.ratio()));
        }
        showNowAndThen();
    }

    @Override
    public void sampled(int samples, Supplier<Interval> ratio) {
        display.sampled(samples, ratio);
        if (page == null) {
            return;
        }
        Interval now = ratio.get();
        narrowing.add(new Ratio(samples, now.estimate(), now.low(), now.high()));
        Item item = items.get(current);
        if (item != null) {
            items.put(current, unfinished(current, item.state(), item.part(), narrowing.get(narrowing.size() - 1)));
        }
        showNowAndThen();
    }

    @Override
    public void measured(LabResults.Experiment result) {
        display.measured(result);
        items.put(result.id(), item(result));
        show();
    }

    /** An experiment that was measured, or failed. */
    static Item item(LabResults.Experiment result) {
        LabResults.Side before = result.before();
        LabResults.Side after = result.after();
        Interval ratio = result.improvement();
        return new Item(
                result.id(),
                result.status(),
                1,
                ratio == null || before == null
                        ? null
                        : new Ratio(before.samplesMs().size(), ratio.estimate(), ratio.low(), ratio.high()),
                before == null ? null : before.latencyMs().median(),
                after == null ? null : after.latencyMs().median(),
                "ms",
                result.failure() == null
                        ? ""
                        : result.failure().lines().findFirst().orElse(""));
    }

    private void showNowAndThen() {
        if (System.nanoTime() - lastShown > LEAST_GAP_NANOS) {
            show();
        }
    }

    private void show() {
        if (page == null) {
            return;
        }
        lastShown = System.nanoTime();
        page.show(new Progress(
                title,
                doing,
                part,
                part == null ? null : LabDisplay.secondsLeft(part, measuringSince),
                true,
                "samples",
                List.copyOf(notes),
                List.copyOf(items.values()),
                List.copyOf(narrowing)));
    }
}
