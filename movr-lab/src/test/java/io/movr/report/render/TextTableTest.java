package io.movr.report.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {

    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        assertThat(new TextTable("lrl")
                        .row("name", "ms", "verdict")
                        .rule()
                        .row("a longer name", "9.75", "better")
                        .row(List.of("short", "123.45"))
                        .toString()
                        .lines())
                .containsExactly(
                        "name               ms  verdict",
                        "------------------------------",
                        "a longer name    9.75  better",
                        "short          123.45");
    }

    @Test
    void coloursTakeNoRoom() {
        String green = "\u001b[32m2.0\u001b[0m";
        assertThat(new TextTable("rl")
                        .row(green, "x")
                        .row("1000", "y")
                        .toString()
                        .lines())
                .containsExactly(" " + green + "  x", "1000  y");
    }

    @Test
    void aRowThatDoesNotFitIsADefect() {
        assertThatThrownBy(() -> new TextTable("l").row("a", "b")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TextTable("l").row(List.of())).isInstanceOf(IllegalArgumentException.class);
    }
}
