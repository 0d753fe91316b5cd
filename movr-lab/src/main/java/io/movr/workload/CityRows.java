package io.movr.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The ids of a city's rows of one table that are kept in memory. Safe for use by many threads. */
final class CityRows {

    private static final int MOST = 20_000;

    private final List<UUID> ids = new ArrayList<>();

    synchronized void add(UUID id) {
        if (ids.size() < MOST) {
            ids.add(id);
        }
    }

    synchronized boolean isEmpty() {
        return ids.isEmpty();
    }

    /** Returns a random id; {@code null} if there is none. */
    synchronized @Nullable UUID any(SplittableRandom random) {
        return ids.isEmpty() ? null : ids.get(random.nextInt(ids.size()));
    }

    /** Removes and returns a random id; {@code null} if there is none. */
    synchronized @Nullable UUID take(SplittableRandom random) {
        if (ids.isEmpty()) {
            return null;
        }
        int place = random.nextInt(ids.size());
        UUID last = ids.remove(ids.size() - 1);
        return place == ids.size() ? last : ids.set(place, last);
    }

    /** Returns the ids added last, up to a maximum. */
    synchronized List<UUID> last(int most) {
        return List.copyOf(ids.subList(Math.max(0, ids.size() - most), ids.size()));
    }
}
