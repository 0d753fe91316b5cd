package io.movr.load;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Whether a run kept what it was to keep.
 *
 * @param success at least as many requests as wanted did not fail
 * @param tail the 99th percentile of the latency since a request was due is as low as wanted
 * @param ledger every acknowledged write is there exactly once, or nobody wanted to know
 * @param faults what is wrong with the ledger
 * @param shown what was wanted and what was found
 */
record Verdict(boolean success, boolean tail, boolean ledger, List<String> faults, Map<String, Object> shown) {

    private static final int MOST_SHOWN = 100;

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
        shown.put("ledger_first_faults", List.copyOf(faults.subList(0, Math.min(MOST_SHOWN, faults.size()))));
        return new Verdict(success, tail, faults.isEmpty(), List.copyOf(faults), shown);
    }

    /** One line that says it all. */
    static String line(Results results, Verdict verdict) {
        return String.format(
                Locale.ROOT,
                "%d requests, %.3f%% without failure, p50 %.1f ms, p99 %.1f ms since due%s",
                results.requests(),
                results.successPercent(),
                results.latencyMillis(50),
                results.latencyMillis(99),
                verdict.success() && verdict.tail() && verdict.ledger() ? "" : "; not what was wanted");
    }
}
