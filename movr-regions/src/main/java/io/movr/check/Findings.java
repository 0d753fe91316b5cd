package io.movr.check;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Counts the anomalies of a history, and writes the first of each type down. */
final class Findings {

    private final List<Transaction> history;
    private final Map<AnomalyType, Integer> counts = new EnumMap<>(AnomalyType.class);
    private final Map<AnomalyType, List<Anomaly>> examples = new EnumMap<>(AnomalyType.class);

    Findings(List<Transaction> history) {
        this.history = history;
    }

    /** Adds an anomaly that needs no cycle, with the sentence that explains it, without its full stop. */
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

    Report report(int transactions, boolean bounded) {
        return new Report(
                transactions,
                counts,
                examples.values().stream().flatMap(List::stream).toList(),
                bounded);
    }

    static String ms(long nanos) {
        return String.format(Locale.ROOT, "%.3f", nanos / 1e6);
    }

    /** The names of the transactions of one explanation: with the times at first, and then without. */
    final class Names {

        private final Set<Integer> named = new LinkedHashSet<>();

        private Names() {}

        /** The name of the transaction at a place of the history. */
        String of(int number) {
            Transaction transaction = history.get(number);
            if (!named.add(number)) {
                return "T" + transaction.index();
            }
            String end = switch (transaction.outcome()) {
                case OK -> ms(transaction.end()) + " ms";
                case FAIL -> ms(transaction.end()) + " ms, failed";
                case INFO -> ms(transaction.end()) + " ms, outcome unknown";
            };
            return "T" + transaction.index() + " (" + ms(transaction.begin()) + "–" + end + ", process "
                    + transaction.process() + ")";
        }

        /** Who read: a transaction, or whoever read the lists at the end. */
        String reader(ListVersions.Read read) {
            return read.transaction == ListVersions.AT_THE_END
                    ? "the read after the end of the history"
                    : of(read.transaction);
        }
    }
}
