package io.movr.traffic;

import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Probe;
import io.movr.traffic.TrafficPlan.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the highest rate of arrivals at which an objective is kept: doubles the rate while it is kept, tries the least
 * one when it is not, then halves the ratio between the highest rate that kept it and the lowest that broke it until they
 * are close, and tries the one that is found once more, because a probe of some seconds can be lucky. A rate that broke the
 * objective once does not keep it. Where the load generator was the limit, the rate is tried once more before that ends the
 * search.
 */
public final class RateSearch {

    static final double CLOSE_ENOUGH = 1.15;
    static final int MOST_PROBES = 16;
    private static final int TIMES = 2;

    /** Sends traffic at a rate for a while. */
    public interface Prober {
        Probe probe(double rate) throws InterruptedException;
    }

    private final Prober prober;
    private final List<Probe> probes = new ArrayList<>();

    private RateSearch(Prober prober) {
        this.prober = prober;
    }

    /**
     * Searches.
     *
     * @param first the rate to begin with, arrivals a second
     * @param least the lowest one that is tried
     */
    public static Capacity search(String stage, Objective objective, double first, double least, Prober prober)
            throws InterruptedException {
        RateSearch search = new RateSearch(prober);
        String reason = search.run(first, least);
        Probe highest = search.kept();
        Probe lowest = search.broken();
        return new Capacity(
                stage,
                objective.quantile(),
                objective.limitMs(),
                highest == null ? null : highest.rate(),
                lowest == null ? null : lowest.rate(),
                List.copyOf(search.probes),
                reason);
    }

    private String run(double first, double least) throws InterruptedException {
        double rate = Math.max(first, least);
        while (probes.size() < MOST_PROBES) {
            Probe probe = prober.probe(rate);
            probes.add(probe);
            if (probe.generatorLimit() != null) {
                if (count(rate, false) < TIMES) {
                    continue;
                }
                return text(
                        "at %.1f arrivals a second the load generator is the limit: %s", rate, probe.generatorLimit());
            }
            Probe low = kept();
            Probe high = broken();
            if (high == null) {
                rate *= 2;
            } else if (low == null) {
                if (high.rate() <= least) {
                    return text("not even %.1f arrivals a second keep it, and fewer tell too little", least);
                }
                rate = least;
            } else if (high.rate() / low.rate() > CLOSE_ENOUGH) {
                rate = Math.sqrt(high.rate() * low.rate());
            } else if (count(low.rate(), true) < TIMES) {
                rate = low.rate();
            } else {
                return text(
                        "%.1f arrivals a second kept it twice, %.1f broke it: %s", low.rate(), high.rate(), high.why());
            }
        }
        return "no end after " + MOST_PROBES + " probes: the objective is kept and broken by chance around here";
    }

    /** The lowest rate that broke it at least once. */
    private @Nullable Probe broken() {
        Probe lowest = null;
        for (Probe probe : probes) {
            if (!probe.kept() && probe.generatorLimit() == null && (lowest == null || probe.rate() < lowest.rate())) {
                lowest = probe;
            }
        }
        return lowest;
    }

    /** The highest rate below that. */
    private @Nullable Probe kept() {
        Probe broken = broken();
        Probe highest = null;
        for (Probe probe : probes) {
            if (probe.kept()
                    && (broken == null || probe.rate() < broken.rate())
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

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
