package io.movr.cli;

import io.movr.bench.BenchmarkListener;
import io.movr.console.ProgressPage;
import io.movr.console.ProgressPage.Item;
import io.movr.console.ProgressPage.Progress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Shows a run of {@code movr bench} on a page for a browser too. */
final class BenchPage implements BenchmarkListener {

    private final BenchmarkListener display;
    private final ProgressPage page;
    private final String title;
    private final Map<String, Integer> begun = new LinkedHashMap<>();
    private final Map<String, String> failures = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private String doing = "Starting the database";
    private String current = "";
    private int rounds = 1;
    private @Nullable Double part;
    private @Nullable Double leftSeconds;
    private double expectedSeconds;
    private long measuringSince;

    /** Begins to show it. */
    BenchPage(ProgressPage page, BenchmarkListener display, String title) {
        this.page = page;
        this.display = display;
        this.title = title;
        show();
    }

    @Override
    public void preparing(String what) {
        display.preparing(what);
        doing = what;
        show();
    }

    @Override
    public void planned(int jobs, int newRounds, double seconds) {
        display.planned(jobs, newRounds, seconds);
        rounds = newRounds;
        expectedSeconds = seconds;
        measuringSince = System.nanoTime();
        show();
    }

    @Override
    public void measuring(int number, int of, String job) {
        display.measuring(number, of, job);
        begun.merge(job, 1, Integer::sum);
        current = job;
        doing = "Measuring " + job + ", " + number + " of " + of;
        part = (number - 1.0) / of;
        leftSeconds = BenchCommand.secondsLeft(number, of, measuringSince, expectedSeconds);
        show();
    }

    @Override
    public void roundDone(int round, int of) {
        display.roundDone(round, of);
        notes.add("Round " + round + " of " + of + " is done.");
        show();
    }

    @Override
    public void failed(String job, String why) {
        display.failed(job, why);
        failures.put(job, why);
        show();
    }

    /** The run is over, and its results are there. */
    void ended(String results) {
        doing = "Done: " + results;
        current = "";
        part = 1.0;
        leftSeconds = null;
        show();
    }

    private void show() {
        page.show(new Progress(
                title,
                doing,
                part,
                leftSeconds,
                false,
                "",
                List.copyOf(notes),
                begun.entrySet().stream()
                        .map(job -> item(job.getKey(), job.getValue()))
                        .toList(),
                List.of()));
    }

    /** @param started how often it was begun, once a round */
    private Item item(String job, int started) {
        String failure = failures.getOrDefault(job, "");
        boolean running = job.equals(current);
        int done = running ? started - 1 : started;
        String state = !failure.isEmpty() ? "failed" : running ? "measuring" : done < rounds ? "waiting" : "measured";
        return new Item(job, state, (double) done / rounds, null, null, null, "", failure);
    }
}
