package io.movr.bench;

import io.movr.UserError;
import io.movr.dataset.Scale;
import io.movr.environment.Program;
import io.movr.schema.Stage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;

/**
 * What of the benchmarks shall be measured, and how.
 *
 * @param regex what the names of the calls must contain, such as {@code UserById.repository}; {@code null} for those of the
 *     preset
 * @param stages to measure at, empty for those of the preset
 * @param mode sample time or average time
 * @param keys {@code uniform} or {@code zipfian}
 * @param threads that call at once
 * @param rounds virtual machines a benchmark, {@code null} for as many as the preset has
 * @param warmUp seconds of every virtual machine before it measures, {@code null} for as many as the preset has
 * @param connections that load the rows
 * @param command the words of the command line
 */
public record BenchmarkRequest(
        Preset preset,
        @Nullable String regex,
        List<Stage> stages,
        String scale,
        Mode mode,
        String keys,
        int threads,
        @Nullable Integer rounds,
        @Nullable Double warmUp,
        int connections,
        Path out,
        Program program,
        List<String> command) {

    private static final int MAX_THREADS = 256;
    private static final int MAX_ROUNDS = 100;
    private static final double MIN_WARM_UP_SECONDS = 0.4;
    private static final double MAX_WARM_UP_SECONDS = 600;

    public BenchmarkRequest {
        Scale.named(scale);
        if (threads < 1 || threads > MAX_THREADS) {
            throw new UserError("--threads " + threads + " is out of range: 1 to " + MAX_THREADS);
        }
        if (rounds != null && (rounds < 1 || rounds > MAX_ROUNDS)) {
            throw new UserError("--rounds " + rounds + " is out of range: 1 to " + MAX_ROUNDS);
        }
        if (warmUp != null && !(warmUp >= MIN_WARM_UP_SECONDS && warmUp <= MAX_WARM_UP_SECONDS)) {
            throw new UserError("--warm-up " + warmUp + " is out of range: 0.4 to 600 seconds");
        }
        if (!keys.equals("uniform") && !keys.equals("zipfian")) {
            throw new UserError("There are no keys '" + keys + "': choose uniform or zipfian");
        }
        stages.stream().filter(Stage::isRegional).findFirst().ifPresent(stage -> {
            throw new UserError("Stage " + stage + " places rows in regions, which calls to one server do not show:"
                    + " measure at " + Stage.ofOneRegion().get(0) + " to " + Stage.UNUSED_INDEX_DROPPED);
        });
        pattern(regex);
    }

    int roundCount() {
        return rounds == null ? preset.rounds() : rounds;
    }

    Duration warmUpTime() {
        return warmUp == null ? preset.warmUp() : Duration.ofMillis(Math.round(warmUp * 1e3));
    }

    /** Returns the jobs, each call together, a control after the stages of each. */
    List<Job> jobs(List<String> benchmarks) {
        Pattern pattern = pattern(regex);
        List<String> named =
                benchmarks.stream().filter(name -> pattern.matcher(name).find()).toList();
        if (named.isEmpty()) {
            throw new UserError("No benchmark is called '" + regex
                    + "': 'java -jar movr-bench/target/benchmarks.jar -l'" + " lists them");
        }
        List<Job> jobs = regex == null && stages.isEmpty()
                ? preset.jobs(named)
                : named.stream().flatMap(name -> atStages(name).stream()).toList();
        return jobs;
    }

    private List<Job> atStages(String benchmark) {
        if (Benchmarks.classOf(benchmark).equals(DriverSettings.class)) {
            Stage stage = stages.isEmpty() ? Stage.FOREIGN_KEYS : stages.get(0);
            return DriverSettings.settings().stream()
                    .map(setting -> new Job(benchmark, stage, Map.of(DriverSettings.PARAMETER, setting), false))
                    .toList();
        }
        List<Stage> at = stages.isEmpty() ? Stage.ofOneRegion() : stages;
        return at.stream()
                .map(stage -> new Job(benchmark, stage, Map.of(), false))
                .toList();
    }

    private static Pattern pattern(@Nullable String regex) {
        try {
            return Pattern.compile(regex == null ? "" : regex);
        } catch (PatternSyntaxException wrong) {
            throw new UserError("'" + regex + "' is no regular expression: " + wrong.getDescription(), wrong);
        }
    }
}
