package io.movr.load;

import java.util.SplittableRandom;

/** The mix of the operations that arriving riders begin with. */
enum Mix {

    /**
     * The mix of {@code cockroach workload run movr}: 95% read a city's vehicles; the others first report the locations of some
     * active rides and then write once.
     */
    MOVR {
        @Override
        double share(Operation operation) {
            return switch (operation) {
                case LIST_VEHICLES -> 95;
                case START_RIDE -> 5 * 0.40;
                case ADD_USER -> 5 * 0.30;
                case APPLY_PROMO_CODE, ADD_VEHICLE -> 5 * 0.10;
                case END_RIDE -> 5 * 0.07;
                case CREATE_PROMO_CODE -> 5 * 0.03;
                case UPDATE_LOCATION -> 0;
            };
        }
    },

    /** The mix of the first MovR, in Python, in which about as many rides end as start. */
    PYTHON {
        @Override
        double share(Operation operation) {
            return switch (operation) {
                case LIST_VEHICLES -> 95;
                case START_RIDE, END_RIDE -> 5 * 0.275;
                case ADD_USER -> 5 * 0.262;
                case APPLY_PROMO_CODE -> 5 * 0.097;
                case ADD_VEHICLE -> 5 * 0.061;
                case CREATE_PROMO_CODE -> 5 * 0.03;
                case UPDATE_LOCATION -> 0;
            };
        }
    },

    /** The whole journey: every rider reads the vehicles, registers, starts a ride, moves and ends it. */
    JOURNEY {
        @Override
        double share(Operation operation) {
            return operation == Operation.LIST_VEHICLES ? 100 : 0;
        }
    };

    /** Returns the percentage of arrivals that begin with an operation. */
    abstract double share(Operation operation);

    /** Draws the first operation of an arrival. */
    Operation draw(SplittableRandom random) {
        double sum = 0;
        for (Operation operation : Operation.values()) {
            sum += share(operation);
        }
        double left = random.nextDouble() * sum;
        for (Operation operation : Operation.values()) {
            left -= share(operation);
            if (left < 0) {
                return operation;
            }
        }
        return Operation.LIST_VEHICLES;
    }
}
