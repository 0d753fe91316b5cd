package io.movr.traffic;

import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Probe;
import io.movr.traffic.TrafficPlan.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.commons.statistics.descriptive.Quantile;
import org.jspecify.annotations.Nullable;

/**
 * A search for the highest rate of arrivals that meets an objective. It doubles the rate while the objective is met,
 * and tries the lowest rate if the first one misses it. It then bisects between the highest rate that met the
 * objective and the lowest rate that missed it until they are close, and repeats the result, because a short probe
 * can meet the objective by chance. A rate that missed the objective once counts as missed. If the load generator
 * limits a rate, the rate is repeated once before the search ends.
 */
public final class RateSearch {

    static final double MAX_RATIO = 1.15;
    static final int MAX_PROBES = 16;
    private static final int CONFIRMATIONS = 2;

    /** Sends traffic at a rate for some time. */
    public interface Prober {
        Probe probe(double rate) throws InterruptedException;
    }

    private final Prober prober;
    private final List<Probe> probes = new ArrayList<>();

    private RateSearch(Prober prober) {
        this.prober = prober;
    }

    /** Returns whether a run at one rate meets an objective. A failed request counts as answered too late. */
    static Probe evaluate(Objective objective, LoadGenerator.Load load, MeasuredRun run, List<String> warnings) {
        List<Request> steady = run.steady();
        long failed = TrafficStatistics.count(steady, Request::isFailed);
        long inTime = TrafficStatistics.count(
                steady, request -> !request.isFailed() && request.latencyMs() <= objective.limitMs());
        double share = steady.isEmpty() ? 0 : (double) inTime / steady.size();
        double[] latencies = steady.stream()
                .filter(Request::hasLatency)
                .mapToDouble(Request::latencyMs)
                .toArray();
        boolean kept = share >= objective.quantile();
        return new Probe(
                load.arrivalsPerSecond(),
                run.answersPerSecond(),
                latencies.length == 0 ? null : Quantile.withDefaults().evaluate(latencies, objective.quantile()),
                share,
                failed,
                kept,
                kept
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "%.1f%% of %d requests were answered within %.0f ms",
                                100 * share,
                                steady.size(),
                                objective.limitMs()),
                // A late load generator only makes the objective harder, so a met objective is valid.
                kept || warnings.isEmpty() ? null : String.join("; ", warnings));
    }

    /**
     * Searches for the highest rate.
     *
     * @param first the first rate, in arrivals per second
     * @param minRate the lowest rate to try, in arrivals per second
     */
    public static Capacity search(String stage, Objective objective, double first, double minRate, Prober prober)
            throws InterruptedException {
        RateSearch search = new RateSearch(prober);
        String reason = search.run(first, minRate);
        Probe highest = search.highestKept();
        Probe lowest = search.lowestBroken();
        return new Capacity(
                stage,
                objective.quantile(),
                objective.limitMs(),
                highest == null ? null : highest.rate(),
                lowest == null ? null : lowest.rate(),
                List.copyOf(search.probes),
                reason);
    }

    private String run(double first, double minRate) throws InterruptedException {
        double rate = Math.max(first, minRate);
        while (probes.size() < MAX_PROBES) {
            Probe probe = prober.probe(rate);
            probes.add(probe);
            if (probe.generatorLimit() != null) {
                if (count(rate, false) < CONFIRMATIONS) {
                    continue;
                }
                return format(
                        "at %.1f arrivals a second the load generator is the limit: %s", rate, probe.generatorLimit());
            }
            Probe low = highestKept();
            Probe high = lowestBroken();
            if (high == null) {
                rate *= 2;
            } else if (low == null) {
                if (high.rate() <= minRate) {
                    return format(
                            "%.1f arrivals a second break it, and at a lower rate a run has too few requests", minRate);
                }
                rate = minRate;
            } else if (high.rate() / low.rate() > MAX_RATIO) {
                rate = Math.sqrt(high.rate() * low.rate());
            } else if (count(low.rate(), true) < CONFIRMATIONS) {
                rate = low.rate();
            } else {
                return format(
                        "%.1f arrivals a second kept it twice, %.1f broke it: %s", low.rate(), high.rate(), high.why());
            }
        }
        return "no end after " + MAX_PROBES + " probes: near this rate the objective is kept or broken by chance";
    }

    /** Returns the lowest rate that missed the objective at least once; {@code null} if there is none. */
    private @Nullable Probe lowestBroken() {
        Probe lowest = null;
        for (Probe probe : probes) {
            if (!probe.kept() && probe.generatorLimit() == null && (lowest == null || probe.rate() < lowest.rate())) {
                lowest = probe;
            }
        }
        return lowest;
    }

    /** Returns the highest rate below it that met the objective; {@code null} if there is none. */
    private @Nullable Probe highestKept() {
        Probe lowestBroken = lowestBroken();
        Probe highest = null;
        for (Probe probe : probes) {
            if (probe.kept()
                    && (lowestBroken == null || probe.rate() < lowestBroken.rate())
                    && (highest == null || probe.rate() > highest.rate())) {
                highest = probe;
            }
        }
        return highest;
    }

    private long count(double rate, boolean kept) {
        return probes.stream()
                .filter(probe -> probe.rate() == rate && probe.kept() == kept)
                .count();
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
