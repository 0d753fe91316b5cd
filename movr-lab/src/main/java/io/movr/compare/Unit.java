package io.movr.compare;

import java.util.Map;
import java.util.OptionalDouble;

/** The units that JMH gives scores in: time for an operation, such as us/op, or operations in a time, such as ops/s. */
final class Unit {

    private static final String TIME = "/op";
    private static final String RATE = "ops/";

    /** A microsecond may be written with the micro sign or with the Greek letter. */
    private static final Map<String, Double> SECONDS = Map.of(
            "ns", 1e-9, "us", 1e-6, "\u00b5s", 1e-6, "\u03bcs", 1e-6, "ms", 1e-3, "s", 1.0, "min", 60.0, "hr", 3600.0,
            "day", 86400.0);

    private Unit() {}

    /** Returns whether less is better: a time for something. */
    static boolean isTime(String unit) {
        int slash = unit.indexOf('/');
        return slash > 0 && SECONDS.containsKey(unit.substring(0, slash));
    }

    /** Returns whether more is better: something in a time. */
    static boolean isRate(String unit) {
        return SECONDS.containsKey(unit.substring(unit.lastIndexOf('/') + 1)) && unit.indexOf('/') > 0;
    }

    /** Returns what a score is to be multiplied with to be in another unit, where that can be done. */
    static OptionalDouble factor(String from, String to) {
        if (from.equals(to)) {
            return OptionalDouble.of(1);
        }
        if (from.endsWith(TIME) && to.endsWith(TIME)) {
            return ratio(
                    from.substring(0, from.length() - TIME.length()), to.substring(0, to.length() - TIME.length()));
        }
        if (from.startsWith(RATE) && to.startsWith(RATE)) {
            return ratio(to.substring(RATE.length()), from.substring(RATE.length()));
        }
        return OptionalDouble.empty();
    }

    private static OptionalDouble ratio(String one, String other) {
        Double first = SECONDS.get(one);
        Double second = SECONDS.get(other);
        return first == null || second == null ? OptionalDouble.empty() : OptionalDouble.of(first / second);
    }
}
