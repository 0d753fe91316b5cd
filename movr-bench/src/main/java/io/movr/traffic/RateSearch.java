package io.movr.traffic;

import io.movr.report.TrafficResults.Capacity;
import io.movr.report.TrafficResults.Probe;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the highest rate of arrivals at which an objective is kept: doubles or halves until the objective breaks or
 * holds, then halves the ratio between the highest rate that kept it and the lowest that broke it until they are close, and
 * tries the one that is found once more, because a probe of some seconds can be lucky.
 */
final class RateSearch {

    static final double CLOSE_ENOUGH = 1.15;
    static final double LEAST_RATE = 1;
    static final int MOST_PROBES = 16;

    /** Sends traffic at a rate for a while. */
    interface Prober {
        Probe probe(double rate) throws InterruptedException;
    }

    private final Prober prober;
    private final List<Probe> probes = new ArrayList<>();
    private @Nullable Probe kept;
    private @Nullable Probe broken;

    private RateSearch(Prober prober) {
        this.prober = prober;
    }

    /**
     * Searches.
     *
     * @param first the rate to begin with, arrivals a second
     */
    static Capacity search(String stage, double quantile, double limitMs, double first, Prober prober)
            throws InterruptedException {
        RateSearch search = new RateSearch(prober);
        String reason = search.run(first);
        Probe highest = search.kept;
        Probe lowest = search.broken;
        return new Capacity(
                stage,
                quantile,
                limitMs,
                highest == null ? 0 : highest.rate(),
                lowest == null ? null : lowest.rate(),
                List.copyOf(search.probes),
                reason);
    }

    private String run(double first) throws InterruptedException {
        double rate = first;
        while (probes.size() < MOST_PROBES) {
            Probe probe = prober.probe(rate);
            probes.add(probe);
            if (probe.generatorLimit() != null) {
                return "the load generator is the limit from here on: " + probe.generatorLimit();
            }
            if (probe.kept()) {
                kept = probe;
            } else {
                broken = probe;
                if (kept != null && kept.rate() >= rate) {
                    // It held before, by luck.
                    kept = null;
                }
            }
            Probe high = broken;
            Probe low = kept;
            if (low == null) {
                if (rate <= LEAST_RATE) {
                    return text("not even %.1f arrivals a second keep it", rate);
                }
                rate = Math.max(LEAST_RATE, rate / 2);
            } else if (high == null) {
                rate *= 2;
            } else if (high.rate() / low.rate() > CLOSE_ENOUGH) {
                rate = Math.sqrt(high.rate() * low.rate());
            } else if (count(low.rate()) < 2) {
                rate = low.rate();
            } else {
                return text(
                        "%.1f arrivals a second kept it twice, %.1f broke it: %s", low.rate(), high.rate(), high.why());
            }
        }
        return "no end after " + MOST_PROBES + " probes: the objective is kept and broken by chance around here";
    }

    private long count(double rate) {
        return probes.stream()
                .filter(probe -> probe.kept() && probe.rate() == rate)
                .count();
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
