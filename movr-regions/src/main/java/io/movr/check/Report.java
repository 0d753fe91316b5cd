package io.movr.check;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The anomalies that {@link ListAppendChecker} found in a history.
 *
 * <p>The counts are, for
 *
 * <ul>
 *   <li>{@link AnomalyType#G0}, {@link AnomalyType#G1C}, {@link AnomalyType#G_NONADJACENT} and {@link AnomalyType#REAL_TIME}: groups of transactions that
 *       depend on each other in circles (strongly connected components), however many circles a group has;
 *   <li>{@link AnomalyType#G_SINGLE} and {@link AnomalyType#G2_ITEM}: cycles that have no transaction in common, at least
 *       one for each group; a group is counted under the first type of {@link AnomalyType} that fits;
 *   <li>{@link AnomalyType#LOST_UPDATE}: sets of transactions that read the same state of one list and appended to it;
 *   <li>{@link AnomalyType#STALE_READ} and {@link AnomalyType#INTERNAL}: transactions with at least one such read;
 *   <li>{@link AnomalyType#G1B} and {@link AnomalyType#INCOMPATIBLE_ORDER}: reads;
 *   <li>{@link AnomalyType#G1A}, {@link AnomalyType#DUPLICATE}, {@link AnomalyType#UNKNOWN_ELEMENT} and
 *       {@link AnomalyType#LOST_APPEND}: elements, however often each was read.
 * </ul>
 *
 * @param transactions the number of committed transactions that were checked
 * @param counts the counts of the types that were found, each at least 1
 * @param examples the first {@value ListAppendChecker#EXAMPLES} of each type at most, in the order of {@link AnomalyType}
 * @param truncated whether the search gave up somewhere, which happens only in histories far from what a database does: a
 *     count may then be too low, a {@link AnomalyType#G_SINGLE} may be reported as {@link AnomalyType#G2_ITEM}, and of
 *     thousands of appends that no read shows, cycles may be missing
 */
record Report(int transactions, Map<AnomalyType, Integer> counts, List<Anomaly> examples, boolean truncated) {

    public Report {
        Map<AnomalyType, Integer> ordered = new EnumMap<>(AnomalyType.class);
        ordered.putAll(counts);
        counts = Collections.unmodifiableMap(ordered);
        examples = List.copyOf(examples);
    }

    /** Returns the examples of anomalies that a level forbids; empty if the history satisfies the level. */
    public List<Anomaly> forbiddenBy(Level level) {
        return examples.stream()
                .filter(anomaly -> level.forbids(anomaly.type()))
                .toList();
    }

    /** Returns whether the history has no anomaly that the level forbids. */
    public boolean satisfies(Level level) {
        return counts.keySet().stream().noneMatch(level::forbids);
    }
}
