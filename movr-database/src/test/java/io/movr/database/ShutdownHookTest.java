package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShutdownHookTest {

    private final List<String> done = new ArrayList<>();
    private final ShutdownHook hook = new ShutdownHook("test-stopper", () -> done.add("stop"));

    @Test
    void everythingThatNeedsTheServerIsDoneBeforeItStops() {
        hook.before(() -> done.add("one"));
        hook.before(() -> done.add("other"));
        hook.run();
        assertThat(done).containsExactly("one", "other", "stop");
    }

    @Test
    void theServerStopsAlsoWhenSomethingBeforeItFails() {
        hook.before(() -> {
            throw new IllegalStateException("on purpose");
        });
        assertThatThrownBy(hook::run).hasMessage("on purpose");
        assertThat(done).containsExactly("stop");
    }
}
