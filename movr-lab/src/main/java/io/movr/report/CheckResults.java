package io.movr.report;

import io.movr.report.model.Report;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Results of the check of histories of transactions.
 *
 * @param complete whether every run had its full length and showed no anomaly that its isolation level forbids
 * @param settings settings of the runs, by option
 * @param runs runs in order
 * @param interleavings fixed interleavings of two or three sessions; empty if they were not requested
 */
public record CheckResults(
        int schemaVersion,
        String kind,
        String startedAt,
        List<String> command,
        boolean complete,
        Environment environment,
        Map<String, String> settings,
        List<Run> runs,
        List<Interleaving> interleavings)
        implements RunResults {

    /** The version of the format that movr writes. */
    public static final int SCHEMA_VERSION = 1;

    @Override
    public Report report() {
        return CheckReport.of(this);
    }

    /**
     * A run of clients at one isolation level.
     *
     * @param isolation requested isolation level
     * @param level guarantee of the server at that isolation level
     * @param clients number of clients
     * @param seconds length of the run
     * @param committed committed transactions
     * @param failed transactions without an effect
     * @param unknown transactions whose outcome is unknown
     * @param perSecond committed transactions per second
     * @param p50Ms median time of committed transactions from begin to end
     * @param p99Ms 99th percentile of that time
     * @param failures transactions that were not committed, by SQLSTATE; through the service, answers by problem type,
     *     including answers to repeated requests
     * @param appends acknowledged appends
     * @param lists number of lists that the clients used
     * @param anomalies anomalies that the checker searched for, including those with count 0
     * @param explanations explanations of some found anomalies, forbidden anomalies first
     * @param faults injected faults
     * @param violations violated rules of MovR, and answers that the service must not give, a sentence each; empty
     *     without the service, absent before 2026-11-24
     * @param history file of the history in the same folder, in Jepsen's format
     * @param incomplete why the verdict may miss an anomaly; empty if it cannot
     */
    public record Run(
            String isolation,

            @OneOf({"read-committed", "snapshot", "serializable", "strict-serializable"})
            String level,

            int clients,
            double seconds,
            long committed,
            long failed,
            long unknown,
            double perSecond,
            double p50Ms,
            double p99Ms,
            Map<String, Long> failures,
            long appends,
            int lists,
            List<Anomaly> anomalies,
            List<String> explanations,
            List<Fault> faults,
            @Nullable List<String> violations,
            String history,
            String incomplete) {

        @Override
        public List<String> violations() {
            return violations == null ? List.of() : violations;
        }

        /** Returns whether the run showed an anomaly that its level forbids. */
        public boolean hasForbidden() {
            return anomalies.stream().anyMatch(anomaly -> anomaly.forbidden() && anomaly.count() > 0);
        }

        /** Returns whether everything was checked and nothing was wrong. */
        public boolean passed() {
            return incomplete.isEmpty() && !hasForbidden() && violations().isEmpty();
        }
    }

    /**
     * The number of occurrences of an anomaly.
     *
     * @param type name in the literature, such as {@code G-single}
     * @param title name in words
     * @param count number of occurrences
     * @param forbidden whether the isolation level forbids the anomaly
     */
    public record Anomaly(String type, String title, int count, boolean forbidden) {}

    /**
     * An injected fault.
     *
     * @param kind kind of fault
     * @param target what the fault was injected into
     * @param at seconds from the start of the run
     * @param seconds duration of the fault
     * @param recoverySeconds time from the end of the fault until every gateway accepted writes, including the start
     *     of a killed server
     */
    public record Fault(String kind, String target, double at, double seconds, double recoverySeconds) {}

    /**
     * One fixed order of the statements of some sessions.
     *
     * @param anomaly name of the anomaly that the order can show
     * @param title name of the anomaly in words
     * @param outcome outcome by isolation level: {@code possible}, {@code prevented}, or how the anomaly was prevented
     */
    public record Interleaving(String anomaly, String title, Map<String, String> outcome) {}
}
