package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TerminalTest {

    private static final long SECOND = 1_000_000_000L;

    private final StringWriter written = new StringWriter();
    private final AtomicLong now = new AtomicLong();
    private final Terminal terminal = terminal(false);

    private Terminal terminal(boolean watched) {
        return new Terminal(new PrintWriter(written), watched, now::get, Duration.ofMillis(1));
    }

    @AfterEach
    void end() {
        terminal.clear();
    }

    /** Lets the terminal look at the clock many times. */
    private static void looks() throws InterruptedException {
        Thread.sleep(50);
    }

    private void awaitLines(int lines) throws InterruptedException {
        for (int look = 0; look < 2_000 && written.toString().lines().count() < lines; look++) {
            Thread.sleep(5);
        }
    }

    @Test
    void whereNobodyWatchesALineTellsEveryTenSecondsThatWorkGoesOn() throws Exception {
        terminal.progress("Loading the rows…");
        looks();
        now.set(9 * SECOND);
        looks();
        assertThat(written.toString()).isEmpty();
        now.set(10 * SECOND);
        awaitLines(1);
        looks();
        now.set(20 * SECOND);
        awaitLines(2);
        terminal.line("Something else is told");
        now.set(29 * SECOND);
        looks();
        now.set(65 * SECOND);
        awaitLines(4);
        looks();
        assertThat(written.toString().lines())
                .containsExactly(
                        "… still running: Loading the rows…, 10 s",
                        "… still running: Loading the rows…, 20 s",
                        "Something else is told",
                        "… still running: Loading the rows…, 1 min 5 s");
    }

    @Test
    void progressThatGoesOnIsRepeatedWithoutItsAge() throws Exception {
        terminal.progress("Loading the rows… 10%");
        now.set(9 * SECOND);
        terminal.progress("Loading the rows… 20%");
        now.set(11 * SECOND);
        awaitLines(1);
        assertThat(written.toString().lines()).containsExactly("Loading the rows… 20%");
    }

    @Test
    void whatIsOverIsNotToldOf() throws Exception {
        terminal.progress("Loading the rows…");
        terminal.clear();
        now.set(60 * SECOND);
        looks();
        assertThat(written.toString()).isEmpty();
    }

    @Test
    void whereSomebodyWatchesTheLineStays() throws Exception {
        terminal(true).progress("Loading the rows…");
        now.set(60 * SECOND);
        looks();
        assertThat(written.toString()).isEqualTo("\r\u001b[KLoading the rows…");
    }
}
