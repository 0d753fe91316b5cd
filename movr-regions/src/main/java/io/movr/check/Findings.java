package io.movr.check;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The anomalies of a history: their number by type, and explained examples of each type. */
final class Findings {

    private final List<Transaction> history;
    private final Map<AnomalyType, Integer> counts = new EnumMap<>(AnomalyType.class);
    private final Map<AnomalyType, List<Anomaly>> examples = new EnumMap<>(AnomalyType.class);

    Findings(List<Transaction> history) {
        this.history = history;
    }

    /** Adds an anomaly without edges. The explanation is a sentence without its full stop. */
    void add(AnomalyType type, Function<Names, String> explanation) {
        add(type, List.of(), explanation);
    }

    void add(AnomalyType type, List<Edge> edges, Function<Names, String> explanation) {
        counts.merge(type, 1, Integer::sum);
        List<Anomaly> known = examples.computeIfAbsent(type, first -> new ArrayList<>());
        if (known.size() < ListAppendChecker.EXAMPLES) {
            Names names = new Names();
            String text = explanation.apply(names);
            String sentence = Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
            known.add(new Anomaly(type, names.named.stream().map(history::get).toList(), edges, sentence));
        }
    }

    Report report(int transactions, boolean truncated) {
        return new Report(
                transactions,
                counts,
                examples.values().stream().flatMap(List::stream).toList(),
                truncated);
    }

    static String formatMs(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / 1e6);
    }

    /** The names of transactions in one explanation, with the times at the first mention only. */
    final class Names {

        private final Set<Integer> named = new LinkedHashSet<>();

        private Names() {}

        /** Returns the name of the transaction at an index of the history. */
        String of(int number) {
            Transaction transaction = history.get(number);
            if (!named.add(number)) {
                return "T" + transaction.index();
            }
            String end = switch (transaction.outcome()) {
                case OK -> formatMs(transaction.end()) + " ms";
                case FAIL -> formatMs(transaction.end()) + " ms, failed";
                case INFO -> formatMs(transaction.end()) + " ms, outcome unknown";
            };
            return "T" + transaction.index() + " (" + formatMs(transaction.begin()) + "–" + end + ", process "
                    + transaction.process() + ")";
        }

        /** Returns the name of the reading transaction, or of the final read. */
        String reader(ListVersions.Read read) {
            return read.transaction == ListVersions.FINAL_READ
                    ? "the read after the end of the history"
                    : of(read.transaction);
        }
    }
}
