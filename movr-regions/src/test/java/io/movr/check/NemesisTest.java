package io.movr.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NemesisTest {

    private final List<String> done = Collections.synchronizedList(new ArrayList<>());

    private static final Map<Fault.Kind, Map<String, Integer>> TARGETS = Map.of(
            Fault.Kind.KILL, Map.of("node-1", 1, "node-2", 2),
            Fault.Kind.CUT, Map.of("clients", 1),
            Fault.Kind.PAUSE, Map.of());

    @Test
    void theSeedDeterminesTheSchedule() {
        List<Fault> schedule = Nemesis.schedule(7, 50, TARGETS);
        assertThat(schedule).hasSize(50).isEqualTo(Nemesis.schedule(7, 50, TARGETS));
        assertThat(schedule).isNotEqualTo(Nemesis.schedule(8, 50, TARGETS));
        assertThat(schedule).extracting(Fault::kind).containsOnly(Fault.Kind.KILL, Fault.Kind.CUT);
        assertThat(schedule).extracting(Fault::target).contains("node-1", "node-2", "clients");
    }

    private Nemesis.Action action(boolean fails) {
        return new Nemesis.Action() {
            @Override
            public void inject() {
                done.add("begin");
                if (fails) {
                    throw new IllegalStateException("it is made of stone");
                }
            }

            @Override
            public void undo() {
                done.add("end");
            }
        };
    }

    private Nemesis nemesis(Duration length, boolean fails) {
        return new Nemesis(
                List.of(new Fault(Fault.Kind.CUT, "clients", Duration.ZERO, length)),
                Map.of(Fault.Kind.CUT, Map.of("clients", action(fails))),
                List.of(),
                made -> done.add("made"));
    }

    private static void awaitEnd(Nemesis nemesis) throws InterruptedException {
        for (int tries = 0; tries < 1000 && !nemesis.isOver(); tries++) {
            Thread.sleep(10);
        }
    }

    @Test
    void aFaultIsUndoneAndReported() throws InterruptedException {
        Nemesis nemesis = nemesis(Duration.ofMillis(1), false);
        nemesis.start();
        awaitEnd(nemesis);
        nemesis.rethrowFailure();
        assertThat(done).containsExactly("begin", "end", "made");
        assertThat(nemesis.injected()).hasSize(1);
    }

    @Test
    void anActiveFaultIsUndoneAtTheEnd() throws InterruptedException {
        Nemesis nemesis = nemesis(Duration.ofMinutes(10), false);
        nemesis.start();
        for (int tries = 0; tries < 1000 && done.isEmpty(); tries++) {
            Thread.sleep(10);
        }
        nemesis.stop();
        assertThat(done).containsExactly("begin", "end");
    }

    @Test
    void aFaultThatCannotBeInjectedIsUndoneAndEndsTheRun() throws InterruptedException {
        Nemesis nemesis = nemesis(Duration.ofMillis(1), true);
        nemesis.start();
        awaitEnd(nemesis);
        assertThat(done).containsExactly("begin", "end");
        assertThatThrownBy(nemesis::rethrowFailure)
                .isInstanceOf(UserError.class)
                .hasMessageContaining("cut clients")
                .hasMessageContaining("it is made of stone");
    }
}
