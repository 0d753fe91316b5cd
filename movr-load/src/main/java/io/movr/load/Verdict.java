package io.movr.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The verdict on a run.
 *
 * @param success at least as many requests as wanted did not fail
 * @param tail the 99th percentile of the latency since a request was due is as low as wanted
 * @param ledger every acknowledged write exists exactly once, or the ledger was not to be checked
 * @param shown what was wanted and what was found
 */
record Verdict(boolean success, boolean tail, boolean ledger, Map<String, Object> shown) {

    private static final int MAX_SHOWN_FAULTS = 100;

    static Verdict of(Settings settings, Results results, List<String> faults) {
        boolean success = results.requests() > 0 && results.successPercent() >= settings.minSuccessPercent();
        double p99 = results.latencyMillis(99);
        boolean tail =
                settings.maxP99().map(most -> p99 <= most.toNanos() / 1e6).orElse(true);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("success_percent", results.successPercent());
        shown.put("success_percent_wanted", settings.minSuccessPercent());
        shown.put("success_held", success);
        shown.put("p99_ms", p99);
        settings.maxP99().ifPresent(most -> shown.put("p99_ms_wanted", most.toNanos() / 1e6));
        shown.put("p99_held", tail);
        shown.put("ledger_checked", settings.database().isPresent());
        shown.put("ledger_held", faults.isEmpty());
        shown.put("ledger_faults", faults.size());
        shown.put("ledger_first_faults", List.copyOf(faults.subList(0, Math.min(MAX_SHOWN_FAULTS, faults.size()))));
        return new Verdict(success, tail, faults.isEmpty(), shown);
    }

    /** Returns the main figures of a run's summary, a sentence each. */
    static List<String> sentences(JsonNode summary) {
        List<String> sentences = new ArrayList<>();
        JsonNode total = summary.path("total");
        JsonNode assertions = summary.path("assertions");
        sentences.add(String.format(
                Locale.ROOT,
                "%d requests, %d refused by a rule, %d failed; %d retries; p50 %.1f ms, p99 %.1f ms since due",
                total.path("requests").asLong(),
                total.path("refused").asLong(),
                total.path("failed").asLong(),
                summary.path("retries").asLong(),
                total.path("latency_ms").path("p50").asDouble(),
                total.path("latency_ms").path("p99").asDouble()));
        if (!assertions.path("success_held").asBoolean()) {
            sentences.add(String.format(
                    Locale.ROOT,
                    "NOT KEPT: %.3f%% did not fail, %s%% were wanted",
                    assertions.path("success_percent").asDouble(),
                    assertions.path("success_percent_wanted").asDouble()));
        }
        if (!assertions.path("p99_held").asBoolean()) {
            sentences.add(String.format(
                    Locale.ROOT,
                    "NOT KEPT: p99 is %.1f ms, at most %s ms was wanted",
                    assertions.path("p99_ms").asDouble(),
                    assertions.path("p99_ms_wanted").asDouble()));
        }
        if (!assertions.path("ledger_held").asBoolean()) {
            sentences.add("NOT KEPT: the ledger has "
                    + assertions.path("ledger_faults").asLong() + " faults, first "
                    + assertions.path("ledger_first_faults").path(0).asString(""));
        }
        if (summary.path("bottleneck").asBoolean()) {
            sentences.add("The load generator was the bottleneck: "
                    + summary.path("reason").asString(""));
        }
        return sentences;
    }
}
