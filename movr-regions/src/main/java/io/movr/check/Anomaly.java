package io.movr.check;

import java.util.List;

/**
 * A violation of consistency that a history shows.
 *
 * @param transactions the transactions involved, each once; for a cycle, in the order of the cycle
 * @param edges the edges of a cycle, each starting at the end of the edge before it and the last ending at the start
 *     of the first; empty if the anomaly is not a cycle
 * @param explanation one or two sentences that name the transactions by their {@link Transaction#index}, their times
 *     in milliseconds, the lists and the elements
 */
record Anomaly(AnomalyType type, List<Transaction> transactions, List<Edge> edges, String explanation) {

    public Anomaly {
        transactions = List.copyOf(transactions);
        edges = List.copyOf(edges);
    }
}
