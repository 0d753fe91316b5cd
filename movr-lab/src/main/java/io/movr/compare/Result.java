package io.movr.compare;

import io.movr.report.Environment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of one run: a bundle, or a file of JMH.
 *
 * @param source as it was named
 * @param environment where it was measured, where it tells
 * @param facts what else holds for all of it, such as the number of rows, by what a reader calls it
 * @param baselineStage the stage that its run held the others against
 * @param measured its benchmarks
 * @param controls some of them once more, each with the same identity as one of them
 * @param warnings sentences
 * @param placement what was done to keep chance out of the figures, and what was left to it, in sentences
 */
record Result(
        Path source,
        @Nullable Environment environment,
        Map<String, String> facts,
        @Nullable String baselineStage,
        List<Measured> measured,
        List<Measured> controls,
        List<String> warnings,
        List<String> placement) {

    /** Returns the benchmark that a control is the twin of. */
    Optional<Measured> twinOf(Measured control) {
        return measured.stream()
                .filter(one -> one.identity().equals(control.identity()))
                .findFirst();
    }
}
