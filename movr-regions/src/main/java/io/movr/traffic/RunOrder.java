package io.movr.traffic;

import io.movr.stats.RunStatistics.Pairing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The order of the runs before and after, which determines how they are compared. */
enum RunOrder {
    /**
     * Runs alternate between two databases, and every second pair is reversed: before, after, after, before. The runs
     * of a pair are adjacent and compared with each other. With an even number of pairs, slow drift of the machine
     * favours neither side.
     */
    ALTERNATING(Pairing.PAIRS),
    /**
     * All runs before precede all runs after, because one database is migrated in between. The ratio includes drift
     * of the machine.
     */
    SEQUENTIAL(Pairing.NONE);

    private final Pairing pairing;

    RunOrder(Pairing pairing) {
        this.pairing = pairing;
    }

    /** Returns how the runs are paired. */
    Pairing pairing() {
        return pairing;
    }

    /** Returns its name in results. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * A run of one side.
     *
     * @param number the number of the run of this side, from 1
     */
    record Turn<T>(T side, int number) {}

    /** Returns the runs of sides in alternating order; a single side simply repeats. */
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
