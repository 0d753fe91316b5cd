package io.movr.traffic;

import io.movr.stats.RunStatistics.Pairing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** In which order runs before and after are made, which decides how they are compared. */
enum RunOrder {
    /**
     * In turn, on databases side by side, every second pair in reverse: before, after, after, before. The two runs of a pair
     * follow each other and are compared, and of an even number of pairs a machine that slowly changes favours neither side.
     */
    ALTERNATING(Pairing.PAIRS),
    /** All before, then all after, because one database has to be migrated in between: a machine that changes is in the ratio. */
    SEQUENTIAL(Pairing.NONE);

    private final Pairing pairing;

    RunOrder(Pairing pairing) {
        this.pairing = pairing;
    }

    /** How their runs belong together. */
    Pairing pairing() {
        return pairing;
    }

    /** As results name it. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * One run.
     *
     * @param number from 1, of the side
     */
    record Turn<T>(T side, int number) {}

    /** The runs of sides that take turns, of one side one after the other. */
    static <T> List<Turn<T>> turns(List<T> sides, int runs) {
        List<Turn<T>> turns = new ArrayList<>();
        for (int number = 1; number <= runs; number++) {
            List<T> round = new ArrayList<>(sides);
            if (number % 2 == 0) {
                Collections.reverse(round);
            }
            for (T side : round) {
                turns.add(new Turn<>(side, number));
            }
        }
        return turns;
    }
}
