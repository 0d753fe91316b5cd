package io.movr.report;

import io.movr.report.model.Report;
import java.util.List;
import java.util.Map;

/**
 * What checking histories found: what {@code results.json} of {@code movr check} holds.
 *
 * @param schemaVersion of this format; increased by each change that is not backward compatible
 * @param kind {@code check}
 * @param startedAt when the first run began, in UTC, ISO 8601
 * @param command the words of the command line
 * @param complete whether every run lasted as long as it was to, and none had an anomaly that its level forbids
 * @param settings what decides the runs, by the names of the options
 * @param interleavings of two or three sessions, empty if they were not asked for
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

    /** The version of the format that this program writes. */
    public static final int SCHEMA_VERSION = 1;

    @Override
    public Report report() {
        return CheckReport.of(this);
    }

    /**
     * A run of clients at one isolation level.
     *
     * @param isolation that was asked for
     * @param level what the server promises at it
     * @param seconds that the clients ran
     * @param committed transactions
     * @param failed transactions that took no effect
     * @param unknown transactions of which nobody knows
     * @param perSecond committed transactions
     * @param p50Ms as {@code p99Ms} of committed transactions, from their begin to their end
     * @param failures transactions that were not committed, by SQLSTATE; through the service answers by problem type, and those
     *     to repeated requests
     * @param appends that were acknowledged
     * @param lists that the clients worked on
     * @param anomalies that were looked for, those that were not seen too
     * @param explanations of some that were seen, those that the level forbids first
     * @param violations of MovR's rules, and answers that the service must not give, a sentence each; empty without the service
     * @param history the file of its history in the same folder
     * @param incomplete why the verdict may miss something, empty if it does not
     */
    public record Run(
            String isolation,
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
            List<String> violations,
            String history,
            String incomplete) {

        /** Whether it had an anomaly that its level forbids. */
        public boolean hasForbidden() {
            return anomalies.stream().anyMatch(anomaly -> anomaly.forbidden() && anomaly.count() > 0);
        }

        /** Whether everything was checked, and nothing was wrong. */
        public boolean passed() {
            return incomplete.isEmpty() && !hasForbidden() && violations.isEmpty();
        }
    }

    /**
     * How often an anomaly was seen.
     *
     * @param type its name as papers write it, such as {@code G-single}
     * @param title its name in words
     */
    public record Anomaly(String type, String title, int count, boolean forbidden) {}

    /**
     * A fault that was made.
     *
     * @param at seconds from the begin of the run
     * @param seconds until it was undone
     * @param recoverySeconds from then until every gateway could write again, the start of a killed server included
     */
    public record Fault(String kind, String target, double at, double seconds, double recoverySeconds) {}

    /**
     * One fixed order of the statements of some sessions.
     *
     * @param anomaly that it would show
     * @param outcome by isolation level: {@code possible}, {@code prevented}, or how it was prevented
     */
    public record Interleaving(String anomaly, String title, Map<String, String> outcome) {}
}
