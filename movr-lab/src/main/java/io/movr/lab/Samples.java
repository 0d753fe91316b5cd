package io.movr.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The samples of one experiment.
 *
 * @param samples in the order in which they were taken
 * @param answerBefore what side A answered, in a few words
 * @param answerAfter what side B answered, in a few words
 */
record Samples(List<Sample> samples, String answerBefore, String answerAfter) {

    /**
     * One execution.
     *
     * @param block the number of the block, from 0
     * @param round the number of the round in its block, from 0
     * @param side {@code before}, {@code control} or {@code after}
     * @param parameterRow the number of the row of parameters, from 0
     * @param startedMs the time since the first sample of the experiment
     */
    record Sample(int block, int round, String side, int parameterRow, double startedMs, double latencyMs) {}

    /** Returns the latencies of a side by block, in milliseconds. */
    List<double[]> blocks(String side) {
        return blocks(side, sample -> true);
    }

    /** Returns the latencies of a side with one row of parameters, by block. */
    List<double[]> blocks(String side, int parameterRow) {
        return blocks(side, sample -> sample.parameterRow() == parameterRow);
    }

    private List<double[]> blocks(String side, Predicate<Sample> wanted) {
        Map<Integer, List<Double>> blocks = new TreeMap<>();
        for (Sample sample : samples) {
            if (sample.side().equals(side) && wanted.test(sample)) {
                blocks.computeIfAbsent(sample.block(), block -> new ArrayList<>())
                        .add(sample.latencyMs());
            }
        }
        return blocks.values().stream()
                .map(block -> block.stream().mapToDouble(Double::doubleValue).toArray())
                .toList();
    }
}
