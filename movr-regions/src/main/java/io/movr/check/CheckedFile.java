package io.movr.check;

import io.movr.UserError;
import io.movr.check.Transaction.Outcome;
import io.movr.workload.Isolation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of checking a history file against the isolation levels of PostgreSQL.
 *
 * @param satisfied whether no level forbids an anomaly of the history, and the search was complete
 * @param lines the result for a terminal
 */
public record CheckedFile(boolean satisfied, List<String> lines) {

    private static final int MAX_EXPLANATIONS = 10;

    /**
     * Reads a file in Jepsen's JSON format and checks it.
     *
     * @throws UserError if it cannot be read, or no transaction in it has committed
     */
    public static CheckedFile of(Path file, List<Isolation> levels) {
        List<Transaction> transactions = Histories.read(file);
        if (transactions.stream().noneMatch(one -> one.outcome() == Outcome.OK)) {
            throw new UserError("'" + file + "' has no transaction that committed: there is nothing to check");
        }
        Report report = ListAppendChecker.check(transactions);
        List<String> lines = new ArrayList<>();
        if (report.truncated()) {
            lines.add("! The search for cycles reached its limit: the history may have more anomalies");
        }
        boolean satisfied = !report.truncated();
        for (Isolation isolation : levels) {
            Level level = AppendRun.levelOf(isolation);
            boolean holds = report.satisfies(level);
            satisfied &= holds;
            lines.add(String.format(
                    Locale.ROOT,
                    "%s: %,d transactions, %,d of them committed: %s",
                    isolation.id(),
                    transactions.size(),
                    report.transactions(),
                    holds ? "no anomaly that it forbids" : "NOT satisfied"));
            report.forbiddenBy(level).stream()
                    .limit(MAX_EXPLANATIONS)
                    .forEach(anomaly -> lines.add("  " + anomaly.type().id() + ": " + anomaly.explanation()));
        }
        report.counts()
                .forEach((type, count) ->
                        lines.add(String.format(Locale.ROOT, "%,d × %s, %s", count, type.id(), type.title())));
        return new CheckedFile(satisfied, lines);
    }
}
