package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TerminalTest {

    private static final long SECOND = 1_000_000_000L;

    private final StringWriter written = new StringWriter();
    private final AtomicLong now = new AtomicLong();
    private final Terminal terminal = terminal(false, Duration.ofHours(1));

    private Terminal terminal(boolean watched, Duration lookEvery) {
        return new Terminal(new PrintWriter(written), watched, now::get, lookEvery);
    }

    @AfterEach
    void end() {
        terminal.clear();
    }

    private void lookAt(long second) {
        now.set(second * SECOND);
        terminal.beat();
    }

    @Test
    void whereNobodyWatchesALineTellsEveryTenSecondsThatWorkGoesOn() {
        terminal.progress("Loading the rows…");
        lookAt(9);
        assertThat(written.toString()).isEmpty();
        lookAt(10);
        lookAt(19);
        lookAt(20);
        terminal.line("Something else is told");
        lookAt(29);
        lookAt(65);
        assertThat(written.toString().lines())
                .containsExactly(
                        "… still running: Loading the rows…, 10 s",
                        "… still running: Loading the rows…, 20 s",
                        "Something else is told",
                        "… still running: Loading the rows…, 1 min 5 s");
    }

    @Test
    void progressThatGoesOnIsRepeatedWithoutItsAge() {
        terminal.progress("Loading the rows… 10%");
        now.set(9 * SECOND);
        terminal.progress("Loading the rows… 20%");
        lookAt(11);
        assertThat(written.toString().lines()).containsExactly("Loading the rows… 20%");
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES)
    void theTerminalLooksByItself() throws Exception {
        Terminal looking = terminal(false, Duration.ofMillis(1));
        looking.progress("Loading the rows…");
        now.set(10 * SECOND);
        while (written.toString().isEmpty()) {
            Thread.sleep(5);
        }
        looking.clear();
        assertThat(written.toString().lines()).containsExactly("… still running: Loading the rows…, 10 s");
    }

    @Test
    void whatIsOverIsNotToldOf() {
        terminal.progress("Loading the rows…");
        terminal.clear();
        lookAt(60);
        assertThat(written.toString()).isEmpty();
    }

    @Test
    void whereSomebodyWatchesTheLineStays() {
        Terminal watched = terminal(true, Duration.ofHours(1));
        watched.progress("Loading the rows…");
        now.set(60 * SECOND);
        watched.beat();
        assertThat(written.toString()).isEqualTo("\r\u001b[KLoading the rows…");
    }
}
