package io.movr.check;

import java.util.List;

/**
 * One thing that is wrong with a history.
 *
 * @param transactions those that it is made of, each once; of a cycle, in its order
 * @param edges of a cycle, each beginning where the one before it ended, and the last ending where the first began; empty
 *     for an anomaly that needs no cycle
 * @param explanation one or two sentences that name the transactions by their {@link Transaction#index}, their times in
 *     milliseconds, the lists and the elements
 */
record Anomaly(AnomalyType type, List<Transaction> transactions, List<Edge> edges, String explanation) {

    public Anomaly {
        transactions = List.copyOf(transactions);
        edges = List.copyOf(edges);
    }
}
