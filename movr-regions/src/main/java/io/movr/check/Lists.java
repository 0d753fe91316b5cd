package io.movr.check;

import io.movr.UserError;
import io.movr.check.ListVersions.Element;
import io.movr.check.ListVersions.Read;
import io.movr.check.Transaction.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The lists of a history, with the transactions that count as committed. */
final class Lists {

    private final List<Transaction> history;
    private final boolean[] committed;
    private final Map<Long, ListVersions> byKey = new HashMap<>();
    private final List<ListVersions> all = new ArrayList<>();

    /**
     * Groups a history by list.
     *
     * @param finalLists the final lists; {@code null} if they are not known
     * @throws UserError if two appends of an element to the same list are in the history
     */
    Lists(List<Transaction> history, @Nullable Map<Long, List<Long>> finalLists) {
        this.history = history;
        committed = new boolean[history.size()];
        collectAppends();
        if (finalLists != null) {
            finalLists.keySet().forEach(this::of);
            all.forEach(list -> list.finalElements = finalLists.getOrDefault(list.key, List.of()));
        }
        decideOutcomes();
        collectReads();
        all.forEach(ListVersions::inferOrder);
        if (finalLists == null) {
            all.forEach(list -> list.unread = unread(list));
        }
    }

    /** Returns the lists in the order of their first use in the history. */
    List<ListVersions> all() {
        return all;
    }

    /** Returns whether the transaction at an index of the history took effect. */
    boolean committed(int number) {
        return committed[number];
    }

    /** Returns whether a transaction that took effect appended an element. */
    boolean committed(Element element) {
        return element.writer != ListVersions.NO_WRITER && committed[element.writer];
    }

    ListVersions of(long key) {
        ListVersions known = byKey.get(key);
        if (known == null) {
            known = new ListVersions(key, all.size());
            byKey.put(key, known);
            all.add(known);
        }
        return known;
    }

    private void collectAppends() {
        for (int number = 0; number < history.size(); number++) {
            Transaction transaction = history.get(number);
            Map<Long, Element> latest = new HashMap<>();
            for (MicroOp step : transaction.operations()) {
                ListVersions list = of(step.key());
                if (step.kind() == MicroOp.Kind.READ) {
                    continue;
                }
                Element element = new Element(step.value(), number);
                Element other = list.elements.put(step.value(), element);
                if (other != null) {
                    throw new UserError("The history cannot be checked, because T"
                            + history.get(other.writer).index() + " and T" + transaction.index() + " both append "
                            + step.value() + " to list " + step.key()
                            + ": record a history in which every append to a list has a value of its own");
                }
                Element before = latest.put(step.key(), element);
                if (before != null) {
                    before.intermediate = true;
                }
                list.uncertain |= transaction.outcome() == Outcome.INFO;
            }
        }
    }

    /** Decides that a transaction of unknown outcome took effect if a committed transaction read an element of it. */
    private void decideOutcomes() {
        Queue<Integer> readers = new ArrayDeque<>();
        for (int number = 0; number < history.size(); number++) {
            if (history.get(number).outcome() == Outcome.OK) {
                committed[number] = true;
                readers.add(number);
            }
        }
        for (ListVersions list : all) {
            commitWritersOf(list, list.finalElements, readers);
        }
        for (Integer reader = readers.poll(); reader != null; reader = readers.poll()) {
            for (MicroOp step : history.get(reader).operations()) {
                commitWritersOf(of(step.key()), step.read(), readers);
            }
        }
    }

    private void commitWritersOf(ListVersions list, @Nullable List<Long> read, Queue<Integer> readers) {
        if (read == null || !list.uncertain) {
            return;
        }
        for (Long value : read) {
            Element element = list.elements.get(value);
            if (element != null
                    && !committed[element.writer]
                    && history.get(element.writer).outcome() == Outcome.INFO) {
                committed[element.writer] = true;
                readers.add(element.writer);
            }
        }
    }

    private void collectReads() {
        for (int number = 0; number < history.size(); number++) {
            if (!committed[number]) {
                continue;
            }
            Map<Long, Read> latest = new HashMap<>();
            Set<Long> appended = new HashSet<>();
            for (MicroOp step : history.get(number).operations()) {
                if (step.read() != null) {
                    Read read = new Read(number, step.read());
                    of(step.key()).reads.add(read);
                    latest.put(step.key(), read);
                } else if (step.kind() == MicroOp.Kind.APPEND && appended.add(step.key())) {
                    Read before = latest.get(step.key());
                    if (before != null) {
                        before.followedByAppend = true;
                    }
                }
            }
        }
        for (ListVersions list : all) {
            if (list.finalElements != null) {
                list.reads.add(new Read(ListVersions.FINAL_READ, list.finalElements));
            }
        }
    }

    private List<Element> unread(ListVersions list) {
        List<Element> unread = new ArrayList<>();
        for (Element element : list.elements.values()) {
            if (element.position < 0 && committed(element)) {
                unread.add(element);
            }
        }
        unread.sort((one, other) -> Integer.compare(one.writer, other.writer));
        return unread;
    }
}
