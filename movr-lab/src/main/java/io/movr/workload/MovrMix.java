package io.movr.workload;

import io.movr.UserError;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The mix of MovR's operations. */
public enum MovrMix {

    /**
     * The mix of {@code cockroach workload run movr}: an operation that does not read first reports the locations of some active
     * rides, and then writes once.
     */
    MOVR,

    /** The effective mix of the first MovR, in Python, in which about as many rides end as start. */
    PYTHON;

    static final int READ_VEHICLES = 0;
    static final int UPDATE_ACTIVE_RIDES = 1;
    static final int START_RIDE = 2;
    static final int END_RIDE = 3;
    static final int ADD_USER = 4;
    static final int APPLY_PROMO_CODE = 5;
    static final int ADD_VEHICLE = 6;
    static final int CREATE_PROMO_CODE = 7;

    /** The names of the operations, as {@code cockroach workload} has them. */
    static final List<String> OPERATIONS = List.of(
            "readVehicles",
            "updateActiveRides",
            "startRide",
            "endRide",
            "addUser",
            "applyPromoCode",
            "addVehicle",
            "createPromoCode");

    boolean reportsLocations() {
        return this == MOVR;
    }

    /** Returns the shares of the writes, from {@link #START_RIDE} on. */
    private List<Double> writes() {
        return switch (this) {
            case MOVR -> List.of(0.40, 0.07, 0.30, 0.10, 0.10, 0.03);
            case PYTHON -> List.of(0.275, 0.275, 0.262, 0.097, 0.061, 0.03);
        };
    }

    /** Returns the write that a number from 0 to 1 stands for. */
    int write(double drawn) {
        List<Double> writes = writes();
        double left = drawn * writes.stream().mapToDouble(Double::doubleValue).sum();
        for (int write = 0; write < writes.size(); write++) {
            left -= writes.get(write);
            if (left < 0) {
                return START_RIDE + write;
            }
        }
        return START_RIDE;
    }

    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds a mix by its name.
     *
     * @throws UserError when there is none
     */
    public static MovrMix named(String text) {
        return Arrays.stream(values())
                .filter(mix -> mix.id().equals(text.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new UserError("There is no mix '" + text + "': choose movr or python"));
    }
}
