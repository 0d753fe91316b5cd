package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ShutdownHookTest {

    private final List<String> done = Collections.synchronizedList(new ArrayList<>());
    private final ProcessEnd end = new ProcessEnd();
    private final ShutdownHook server = new ShutdownHook("test-stopper", () -> done.add("stop"), end);
    private final ShutdownHook other = new ShutdownHook("test-dropper", () -> done.add("drop"), end);

    @Test
    void workIsFinishedOnceBeforeAnyServerStopsOrDatabaseIsDropped() {
        end.add(() -> done.add("one"));
        end.add(() -> done.add("other"));
        server.run();
        other.run();
        assertThat(done).containsExactly("one", "other", "stop", "drop");
    }

    @Test
    void serversStopAlsoIfWorkFails() {
        end.add(() -> {
            throw new IllegalStateException("on purpose");
        });
        end.add(() -> done.add("other"));
        server.run();
        assertThat(done).containsExactly("other", "stop");
    }

    /** As happens when Java runs all hooks at the end: one finishes the work, and the others wait. */
    @Test
    void aServerWaitsForWorkThatAnotherHookFinishes() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        end.add(() -> {
            begun.countDown();
            try {
                finish.await();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            done.add("work");
        });
        Thread first = new Thread(end::finishWork);
        first.start();
        begun.await();
        Thread second = new Thread(server::run);
        second.start();
        while (second.getState() != Thread.State.BLOCKED) {
            assertThat(second.isAlive()).isTrue();
            Thread.onSpinWait();
        }
        finish.countDown();
        first.join();
        second.join();
        assertThat(done).containsExactly("work", "stop");
    }
}
