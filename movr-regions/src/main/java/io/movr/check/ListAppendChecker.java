package io.movr.check;

import io.movr.UserError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is wrong with a history of transactions that append unique elements to lists and read whole lists, by the method
 * of Elle (Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from Experimental Observations", VLDB 2020).
 *
 * <p>A list shows the order in which it was written. The longest read by a committed transaction is therefore the order of
 * its versions, and every other read has a place in it. This gives the dependencies between transactions; a cycle of them
 * means that no serial order explains the history.
 *
 * <p>A transaction of unknown outcome counts as committed if a committed transaction read an element of it. It then has no
 * known end, so no other transaction is known to follow it in real time. Otherwise it is ignored. What failed transactions
 * read is ignored, too.
 *
 * <p>The time and the memory grow with the number of transactions times the number of processes, and with the number of
 * elements in all reads.
 */
final class ListAppendChecker {

    /** The examples of a type that a report keeps. */
    public static final int EXAMPLES = 10;

    private ListAppendChecker() {}

    /**
     * Checks a history of which the lists at the end are not known. A lost append cannot be found then, unless it shows as
     * another anomaly.
     *
     * @throws UserError if two appends of an element to the same list are in the history
     */
    public static Report check(List<Transaction> history) {
        return checkAgainst(history, null);
    }

    /**
     * Checks a history against the lists as they were read after all its transactions had ended.
     *
     * @param finalLists elements by key; a list that is not in it is taken for empty
     * @throws UserError if two appends of an element to the same list are in the history
     */
    public static Report check(List<Transaction> history, Map<Long, List<Long>> finalLists) {
        return checkAgainst(history, finalLists);
    }

    private static Report checkAgainst(List<Transaction> history, @Nullable Map<Long, List<Long>> finalLists) {
        Lists lists = new Lists(history, finalLists);
        Findings findings = new Findings(history);
        DirectAnomalies direct = new DirectAnomalies(history, lists, findings);
        direct.find();
        Cycles cycles = new Cycles(history, lists, findings);
        cycles.find(direct.staleReaders());
        return findings.report(cycles.transactions(), cycles.bounded());
    }
}
