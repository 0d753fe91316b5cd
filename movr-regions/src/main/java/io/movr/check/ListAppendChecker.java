package io.movr.check;

import io.movr.UserError;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The checker of histories of transactions that append unique elements to lists and read whole lists. It uses the
 * method of Elle (Kingsbury and Alvaro, "Elle: Inferring Isolation Anomalies from Experimental Observations", VLDB
 * 2020).
 *
 * <p>A list shows the order of its appends. The longest read by a committed transaction is therefore the version
 * order, and every other read must be a prefix of it. The version order gives the dependencies between transactions;
 * a cycle of dependencies means that no serial order explains the history.
 *
 * <p>A transaction of unknown outcome counts as committed if a committed transaction read an element of it. It then
 * has no known end, so no other transaction follows it in real time. Otherwise it is ignored. Reads of failed
 * transactions are ignored, too.
 *
 * <p>The time and the memory grow with the number of transactions times the number of processes, and with the number
 * of elements in all reads.
 */
final class ListAppendChecker {

    /** The maximum number of examples of a type in a report. */
    public static final int EXAMPLES = 10;

    private ListAppendChecker() {}

    /**
     * Checks a history without the final lists. It does not find lost appends, unless they cause another anomaly.
     *
     * @throws UserError if two appends of an element to the same list are in the history
     */
    public static Report check(List<Transaction> history) {
        return checkAgainst(history, null);
    }

    /**
     * Checks a history against the lists as they were read after all its transactions had ended.
     *
     * @param finalLists the elements by key; a missing list counts as empty
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
        return findings.report(cycles.transactions(), cycles.truncated());
    }
}
