package io.movr.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.movr.testing.CompareSides.IfUnsure;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.opentest4j.TestAbortedException;

/** Sides whose time passes on a clock of their own. */
class CompareSidesTest {

    private final AtomicLong clock = new AtomicLong();

    /** @param swing by how much <em>after</em> takes more or less than that in every other block, one sample a block */
    private void compare(long before, long after, long swing, double bound, IfUnsure ifUnsure) throws Throwable {
        Sides sides = new Sides(bound, ifUnsure, 10, 1, clock::get);
        AtomicLong runs = new AtomicLong();
        sides.compare(
                () -> clock.addAndGet(before),
                () -> clock.addAndGet(after + (runs.getAndIncrement() % 2 == 0 ? swing : -swing)));
        assertThat(sides.summary()).isNotEmpty();
    }

    @Test
    void whatIsShownToBeSlowerByMoreThanTheBoundFails() {
        for (IfUnsure choice : IfUnsure.values()) {
            assertThatThrownBy(() -> compare(1_000, 1_200, 10, 5, choice))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageStartingWith(
                            "Too slow: after is 20.0% slower than before, 95% interval of the slowdown [19.")
                    .hasMessageContaining("%, 20.")
                    .hasMessageContaining("over 10 blocks, and at most 5.00000% are allowed");
        }
    }

    @Test
    void whatIsShownToBeWithinTheBoundPasses() throws Throwable {
        compare(1_000, 1_200, 10, 25, IfUnsure.FAIL);
        compare(1_000, 500, 10, 0, IfUnsure.FAIL);
    }

    @Test
    void whatCannotBeToldIsWhatTheAuthorChooses() throws Throwable {
        compare(1_000, 1_000, 300, 5, IfUnsure.PASS);
        assertThatThrownBy(() -> compare(1_000, 1_000, 300, 5, IfUnsure.FAIL))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith(
                        "Cannot tell: after is 4.6% faster than before, 95% interval of the slowdown [-");
        assertThatThrownBy(() -> compare(1_000, 1_000, 300, 5, IfUnsure.SKIP))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("Cannot tell");
        // Slower, and perhaps by more than the bound.
        assertThatThrownBy(() -> compare(1_000, 1_100, 100, 5, IfUnsure.SKIP)).isInstanceOf(TestAbortedException.class);
    }

    @Test
    void badRulesAreRefused() {
        assertThatThrownBy(() -> new Sides(Double.NaN, IfUnsure.PASS, 10, 1, clock::get))
                .hasMessage("@CompareSides: maxSlowdownPercent is NaN, and must be at least 0.00000 and finite");
    }

    @Test
    void junitGivesATestItsSidesAndFailsOneThatComparesNothing() {
        Events tests = EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.conditions.deactivate", "*")
                .selectors(selectClass(Samples.class))
                .execute()
                .testEvents();
        tests.assertStatistics(all -> all.started(3).succeeded(1).failed(2));
        assertThat(tests.failed().stream()
                        .map(event -> event.getPayload().orElseThrow().toString()))
                .allMatch(failure -> failure.contains("compared nothing"));
        assertThat(tests.reportingEntryPublished().count()).isEqualTo(1);
    }

    /** Run by the test above only. */
    @Disabled("run by CompareSidesTest")
    static class Samples {

        @CompareSides(maxSlowdownPercent = 1e9, ifUnsure = IfUnsure.FAIL, samples = 1)
        void compares(Sides sides) throws Throwable {
            sides.compare(() -> {}, () -> {});
        }

        @CompareSides(maxSlowdownPercent = 5, ifUnsure = IfUnsure.FAIL)
        void comparesNothing(Sides sides) {
            assertThat(sides.summary()).isEmpty();
        }

        @CompareSides(maxSlowdownPercent = 5, ifUnsure = IfUnsure.FAIL)
        void takesNoSides() {}
    }
}
