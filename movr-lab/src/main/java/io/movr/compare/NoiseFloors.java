package io.movr.compare;

import io.movr.compare.Measured.Identity;
import io.movr.stats.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The noise floors of one result: the factors by which two measurements of the same thing differed: each control against its
 * twin. A control is measured on one stage, or one side, of a call, and speaks for the others too.
 */
final class NoiseFloors {

    private static final Set<String> SPOKEN_FOR = Set.of("stage", ResultReader.SIDE);

    private record Floor(Identity row, double factor) {}

    private final List<Floor> floors = new ArrayList<>();

    /**
     * Compares every control with its twin.
     *
     * @param by as in {@link Variant#row}
     */
    NoiseFloors(Result result, @Nullable String by, long seed) {
        for (Measured control : result.controls()) {
            result.twinOf(control)
                    .ifPresent(twin -> floors.add(new Floor(
                            Variant.row(control.identity(), by),
                            Comparison.ofForks(twin.forks(), control.forks(), seed)
                                    .ratio()
                                    .noiseFloor())));
        }
    }

    /** Returns the floor of a row: of its own controls where it has any, otherwise of those of the same call elsewhere. */
    OptionalDouble of(Identity row) {
        OptionalDouble own = floors.stream()
                .filter(floor -> floor.row().equals(row))
                .mapToDouble(Floor::factor)
                .max();
        return own.isPresent()
                ? own
                : floors.stream()
                        .filter(floor -> call(floor.row()).equals(call(row)))
                        .mapToDouble(Floor::factor)
                        .max();
    }

    private static Identity call(Identity row) {
        return new Identity(row.benchmark(), row.mode(), Variant.without(row.params(), SPOKEN_FOR));
    }
}
