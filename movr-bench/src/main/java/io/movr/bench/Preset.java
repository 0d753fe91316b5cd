package io.movr.bench;

import io.movr.UserError;
import io.movr.schema.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The durations of a measurement, and its default benchmarks. */
public enum Preset {
    /** The calls of the eight experiments, before and after, by the repository. */
    QUICK(2, Duration.ofMillis(2_000), 4, Duration.ofMillis(150)),
    /** Every call at every stage by the repository, and every shorter way to call at the stage of the foreign keys. */
    FULL(5, Duration.ofMillis(3_200), 6, Duration.ofMillis(250));

    private static final String PACKAGE = "io.movr.bench.";

    /** Before first, so that a comparison by method takes it for the baseline. */
    private static final Map<String, List<Stage>> EXPERIMENTS = new LinkedHashMap<>();

    static {
        EXPERIMENTS.put("RideById.allColumnsRepository", List.of(Stage.FOREIGN_KEYS));
        EXPERIMENTS.put("RideById.twoColumnsRepository", List.of(Stage.FOREIGN_KEYS));
        EXPERIMENTS.put("UsersByName.repository", List.of(Stage.FOREIGN_KEYS, Stage.NAME_INDEX));
        EXPERIMENTS.put("NamesAndCards.repository", List.of(Stage.NAME_INDEX, Stage.COVERING_INDEX));
        EXPERIMENTS.put("RidersOfADay.repository", List.of(Stage.COVERING_INDEX, Stage.JOIN_INDEX));
        EXPERIMENTS.put("LatestRidesOfMostUsedVehicles.subqueryRepository", List.of(Stage.JOIN_INDEX));
        EXPERIMENTS.put("LatestRidesOfMostUsedVehicles.twoStatementsRepository", List.of(Stage.JOIN_INDEX));
        EXPERIMENTS.put("InsertHundredUsers.oneByOneRepository", List.of(Stage.JOIN_INDEX));
        EXPERIMENTS.put("InsertHundredUsers.multiRowRepository", List.of(Stage.JOIN_INDEX));
        EXPERIMENTS.put("RenameUsers.repository", List.of(Stage.JOIN_INDEX, Stage.UNUSED_INDEX_DROPPED));
        EXPERIMENTS.put("NewUserId.insertThenSelectRepository", List.of(Stage.UNUSED_INDEX_DROPPED));
        EXPERIMENTS.put("NewUserId.insertReturningRepository", List.of(Stage.UNUSED_INDEX_DROPPED));
    }

    private final int rounds;
    private final Duration warmUp;
    private final int iterations;
    private final Duration iteration;

    Preset(int rounds, Duration warmUp, int iterations, Duration iteration) {
        this.rounds = rounds;
        this.warmUp = warmUp;
        this.iterations = iterations;
        this.iteration = iteration;
    }

    /**
     * Finds a preset by its name.
     *
     * @throws UserError when there is none
     */
    public static Preset named(String text) {
        return Arrays.stream(values())
                .filter(preset -> preset.id().equals(text.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no preset '" + text + "': choose one of "
                        + Arrays.stream(values()).map(Preset::id).collect(Collectors.joining(", "))));
    }

    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the number of forks of each benchmark, one per round. */
    public int rounds() {
        return rounds;
    }

    Duration warmUp() {
        return warmUp;
    }

    /** Iterations of each virtual machine. */
    int iterations() {
        return iterations;
    }

    Duration iteration() {
        return iteration;
    }

    /** Returns the jobs of this preset, each call together, before the driver's settings, without controls. */
    List<Job> jobs(List<String> benchmarks) {
        Map<String, List<Stage>> calls = new LinkedHashMap<>(this == QUICK ? EXPERIMENTS : Map.of());
        if (this == FULL) {
            benchmarks.forEach(benchmark -> {
                String call = benchmark.substring(PACKAGE.length());
                calls.put(call, stages(call));
            });
        }
        List<Job> jobs = new ArrayList<>();
        calls.forEach(
                (call, stages) -> stages.forEach(stage -> jobs.add(new Job(PACKAGE + call, stage, Map.of(), false))));
        return jobs;
    }

    private static List<Stage> stages(String call) {
        if (call.startsWith("DriverSettings.")) {
            return List.of();
        }
        return call.endsWith("epository") || call.endsWith(".service")
                ? Stage.ofOneRegion()
                : List.of(Stage.FOREIGN_KEYS);
    }
}
