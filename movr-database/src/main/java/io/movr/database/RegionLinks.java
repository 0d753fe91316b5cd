package io.movr.database;

import io.movr.region.Distances;
import io.movr.region.Region;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The links between regions of one machine: their current delays, and which of them are cut. */
public final class RegionLinks {

    private final Map<Set<Region>, List<Links.Link>> links = new HashMap<>();
    private Distances distances;
    private boolean distant = true;

    /** Creates an instance without any link. */
    public RegionLinks(Distances distances) {
        this.distances = distances;
    }

    /** Adds a link of which one end is in one region and the other in another. */
    public synchronized void add(Region one, Region other, Links.Link link) {
        links.computeIfAbsent(Set.of(one, other), pair -> new ArrayList<>()).add(link);
        link.delay(oneWay(one, other));
    }

    synchronized void remove(Links.Link link) {
        links.values().forEach(of -> of.remove(link));
    }

    /** Returns half of the current round trip. */
    synchronized Duration oneWay(Region one, Region other) {
        return distant ? distances.roundTrip(one, other).dividedBy(2) : Duration.ZERO;
    }

    /** Returns the round-trip times between the regions, whether or not they are applied. */
    public synchronized Distances distances() {
        return distances;
    }

    /** Removes or restores all delays. */
    public synchronized void distant(boolean wanted) {
        distant = wanted;
        links.forEach((pair, of) -> of.forEach(link -> link.delay(oneWay(pair))));
    }

    /**
     * Sets the round-trip time between two regions.
     *
     * @throws IllegalArgumentException when they are one, or the round trip takes more than ten seconds
     */
    public synchronized void roundTrip(Region one, Region other, Duration roundTrip) {
        distances = distances.with(one, other, roundTrip);
        between(one, other).forEach(link -> link.delay(oneWay(one, other)));
    }

    /** Cuts the links between two regions without an error: existing connections hang. */
    public synchronized void cut(Region one, Region other) {
        between(one, other).forEach(Links.Link::cut);
    }

    /** Mends the links between two regions, and delivers the bytes that waited. */
    public synchronized void mend(Region one, Region other) {
        between(one, other).forEach(Links.Link::mend);
    }

    /** Returns the pairs of regions that links join. */
    public synchronized Set<Set<Region>> pairs() {
        return Set.copyOf(links.keySet());
    }

    /**
     * Measures how long the answer of a server takes on one of the links between two regions.
     *
     * @param limit after which nothing more is waited for
     * @return empty if there is no answer by then, as when the link is cut or the server behind it is gone
     */
    public Optional<Duration> measure(Region one, Region other, Duration limit) {
        int port;
        synchronized (this) {
            List<Links.Link> of = between(one, other);
            if (of.isEmpty()) {
                return Optional.empty();
            }
            port = of.get(0).port();
        }
        return ServerPing.of("127.0.0.1", port, limit);
    }

    private List<Links.Link> between(Region one, Region other) {
        List<Links.Link> of = one.equals(other) ? null : links.get(Set.of(one, other));
        if (of == null) {
            throw new IllegalArgumentException("There is no link between " + one + " and " + other);
        }
        return of;
    }

    private Duration oneWay(Set<Region> pair) {
        List<Region> two = List.copyOf(pair);
        return oneWay(two.get(0), two.get(1));
    }
}
