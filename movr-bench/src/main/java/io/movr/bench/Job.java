package io.movr.bench;

import io.movr.schema.Stage;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A benchmark at a stage: what one fork measures.
 *
 * @param benchmark its whole name
 * @param parameters of JMH other than the stage
 * @param control whether it is measured only to see how far two measurements of the same thing differ
 */
record Job(String benchmark, Stage stage, Map<String, String> parameters, boolean control) {

    /** Returns the class and the method. */
    String call() {
        return benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1);
    }

    boolean writes() {
        return Benchmarks.isWriting(Benchmarks.classOf(benchmark));
    }

    Job asControl() {
        return new Job(benchmark, stage, parameters, true);
    }

    @Override
    public String toString() {
        String others = parameters.values().stream().map(value -> " " + value).collect(Collectors.joining());
        return call() + " " + stage + others + (control ? " (control)" : "");
    }
}
