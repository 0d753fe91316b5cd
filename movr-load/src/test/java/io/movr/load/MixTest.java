package io.movr.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MixTest {

    private static final int DRAWS = 400_000;

    private static Map<Operation, Integer> drawn(Mix mix) {
        SplittableRandom random = new SplittableRandom(42);
        Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
        for (int draw = 0; draw < DRAWS; draw++) {
            counts.merge(mix.draw(random), 1, Integer::sum);
        }
        return counts;
    }

    @ParameterizedTest
    @EnumSource
    void sharesAddUpToAHundred(Mix mix) {
        double sum = 0;
        for (Operation operation : Operation.values()) {
            sum += mix.share(operation);
        }
        assertThat(sum).isCloseTo(100, within(0.2));
    }

    @ParameterizedTest
    @EnumSource
    void everyOperationIsDrawnAsOftenAsItsShareSays(Mix mix) {
        Map<Operation, Integer> counts = drawn(mix);
        for (Operation operation : Operation.values()) {
            assertThat(100.0 * counts.getOrDefault(operation, 0) / DRAWS)
                    .as("%s of %s", operation, mix)
                    .isCloseTo(mix.share(operation), within(0.15));
        }
    }

    @Test
    void theMixOfTheOfficialWorkloadIsTheOfficialOne() {
        Map<Operation, Integer> counts = drawn(Mix.MOVR);
        double writes = DRAWS - counts.get(Operation.LIST_VEHICLES);
        assertThat(writes / DRAWS).isCloseTo(0.05, within(0.002));
        assertThat(counts.get(Operation.START_RIDE) / writes).isCloseTo(0.40, within(0.01));
        assertThat(counts.get(Operation.ADD_USER) / writes).isCloseTo(0.30, within(0.01));
        assertThat(counts.get(Operation.APPLY_PROMO_CODE) / writes).isCloseTo(0.10, within(0.01));
        assertThat(counts.get(Operation.ADD_VEHICLE) / writes).isCloseTo(0.10, within(0.01));
        assertThat(counts.get(Operation.END_RIDE) / writes).isCloseTo(0.07, within(0.01));
        assertThat(counts.get(Operation.CREATE_PROMO_CODE) / writes).isCloseTo(0.03, within(0.01));
    }
}
