package io.movr.check;

import io.movr.check.ListVersions.Element;
import io.movr.check.ListVersions.Read;
import io.movr.check.Transaction.Outcome;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The search for anomalies that are not cycles. */
final class DirectAnomalies {

    private final List<Transaction> history;
    private final Lists lists;
    private final Findings findings;
    private final BitSet staleReaders = new BitSet();

    DirectAnomalies(List<Transaction> history, Lists lists, Findings findings) {
        this.history = history;
        this.lists = lists;
        this.findings = findings;
    }

    void find() {
        for (ListVersions list : lists.all()) {
            findWrongReads(list);
            findIntermediateReads(list);
            findStaleReads(list);
            findLostAppends(list);
        }
        for (int number = 0; number < history.size(); number++) {
            if (lists.committed(number)) {
                findInternal(number);
            }
        }
    }

    /** Returns the indexes of the transactions that missed an append acknowledged before they began. */
    BitSet staleReaders() {
        return staleReaders;
    }

    private void findWrongReads(ListVersions list) {
        Set<Long> repeated = new HashSet<>();
        Set<Long> wrong = new HashSet<>();
        if (!list.order.isEmpty()) {
            findWrongElements(list, list.longestRead(), wrong);
        }
        for (Read read : list.reads) {
            if (read.isPrefixWithoutDuplicates()) {
                continue;
            }
            for (long value : ListVersions.duplicates(read.elements)) {
                if (repeated.add(value)) {
                    findings.add(
                            AnomalyType.DUPLICATE,
                            names -> names.reader(read) + " found " + value + " more than once in list " + list.key);
                }
            }
            findWrongElements(list, read, wrong);
            if (read.length < 0) {
                findings.add(AnomalyType.INCOMPATIBLE_ORDER, names -> {
                    List<Long> distinct = read.distinct();
                    int place = 0;
                    while (list.order.get(place).value == distinct.get(place)) {
                        place++;
                    }
                    String where = place == 0 ? "first" : "directly after " + distinct.get(place - 1);
                    return names.reader(read) + " found " + distinct.get(place) + " " + where + " in list " + list.key
                            + ", where " + names.reader(list.longestRead()) + " found " + list.order.get(place).value;
                });
            }
        }
    }

    private void findWrongElements(ListVersions list, Read read, Set<Long> wrong) {
        for (Long value : read.elements) {
            Element element = list.elements.get(value);
            if (element == null || element.writer == ListVersions.NO_WRITER) {
                if (wrong.add(value)) {
                    findings.add(
                            AnomalyType.UNKNOWN_ELEMENT,
                            names -> names.reader(read) + " found " + value + " in list " + list.key
                                    + ", which no transaction of the history appended");
                }
            } else if (!lists.committed(element) && wrong.add(value)) {
                findings.add(
                        AnomalyType.G1A,
                        names -> names.reader(read) + " found " + value + " in list " + list.key + ", although "
                                + names.of(element.writer) + " failed, which appended it");
            }
        }
    }

    private void findIntermediateReads(ListVersions list) {
        for (Read read : list.reads) {
            if (read.elements.isEmpty()) {
                continue;
            }
            Element last = list.elements.get(read.elements.get(read.elements.size() - 1));
            if (last != null && last.intermediate && last.writer != read.transaction && lists.committed(last)) {
                findings.add(
                        AnomalyType.G1B,
                        names -> names.reader(read) + " read list " + list.key + " up to " + last.value
                                + ", after which "
                                + names.of(last.writer) + ", which appended it, appended "
                                + appendedAfter(list, last));
            }
        }
    }

    private String appendedAfter(ListVersions list, Element element) {
        List<Long> appended = appends(history.get(element.writer).operations(), list.key);
        List<Long> after = appended.subList(appended.indexOf(element.value) + 1, appended.size());
        return String.join(", ", after.stream().map(String::valueOf).toList());
    }

    private static List<Long> appends(List<MicroOp> steps, long key) {
        return steps.stream()
                .filter(step -> step.kind() == MicroOp.Kind.APPEND && step.key() == key)
                .map(MicroOp::value)
                .toList();
    }

    private void findStaleReads(ListVersions list) {
        // For each length of a read, the missed element that was acknowledged first.
        int known = list.order.size();
        @Nullable Element[] missed = new Element[known + 1];
        for (Element element : list.unread) {
            missed[known] = acknowledgedFirst(missed[known], element);
        }
        for (int place = known - 1; place >= 0; place--) {
            missed[place] = acknowledgedFirst(missed[place + 1], list.order.get(place));
        }
        for (Read read : list.reads) {
            Element element = read.length < 0 ? null : missed[read.length];
            if (element == null || read.transaction == ListVersions.FINAL_READ) {
                continue;
            }
            Transaction reader = history.get(read.transaction);
            Transaction writer = history.get(element.writer);
            if (writer.end() < reader.begin() && !staleReaders.get(read.transaction)) {
                staleReaders.set(read.transaction);
                List<Edge> edges = List.of(
                        new Edge(Edge.Kind.RW, reader, writer, list.key, element.value),
                        new Edge(Edge.Kind.RT, writer, reader, 0, 0));
                findings.add(
                        AnomalyType.STALE_READ,
                        edges,
                        names -> names.of(read.transaction) + " read list " + list.key + " without " + element.value
                                + ", which " + names.of(element.writer) + " appended; T" + writer.index() + " ended "
                                + Findings.formatMs(reader.begin() - writer.end()) + " ms before T" + reader.index()
                                + " began");
            }
        }
    }

    private @Nullable Element acknowledgedFirst(@Nullable Element one, Element other) {
        if (!lists.committed(other) || history.get(other.writer).outcome() != Outcome.OK) {
            return one;
        }
        return one == null
                        || history.get(other.writer).end()
                                < history.get(one.writer).end()
                ? other
                : one;
    }

    private void findLostAppends(ListVersions list) {
        if (list.finalElements == null) {
            return;
        }
        Set<Long> present = new HashSet<>(list.finalElements);
        for (Element element : list.elements.values()) {
            if (lists.committed(element) && !present.contains(element.value)) {
                String known = history.get(element.writer).outcome() == Outcome.OK
                        ? " and was acknowledged"
                        : " and took effect, because another element of it was read";
                findings.add(
                        AnomalyType.LOST_APPEND,
                        names -> names.of(element.writer) + " appended " + element.value + " to list " + list.key
                                + known + ", but the read after the end of the history does not show it");
            }
        }
    }

    /**
     * Compares the reads of a transaction with its own earlier appends only. Two reads may differ in the appends of
     * other transactions at read committed, and the search for cycles finds that at other levels.
     */
    private void findInternal(int number) {
        List<MicroOp> steps = history.get(number).operations();
        for (int place = 0; place < steps.size(); place++) {
            MicroOp step = steps.get(place);
            List<Long> read = step.read();
            if (read == null) {
                continue;
            }
            List<Long> expected = appends(steps.subList(0, place), step.key());
            List<Long> all = appends(steps, step.key());
            if (all.isEmpty()) {
                continue;
            }
            List<Long> own = read.stream().filter(all::contains).distinct().toList();
            if (!own.equals(expected)) {
                findings.add(
                        AnomalyType.INTERNAL,
                        names -> names.of(number) + " found " + (own.isEmpty() ? "nothing" : own)
                                + " of its own in list "
                                + step.key() + ", to which it had appended "
                                + (expected.isEmpty() ? "nothing" : expected) + " before");
                return;
            }
        }
    }
}
