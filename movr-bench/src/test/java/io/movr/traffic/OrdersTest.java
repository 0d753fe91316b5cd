package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class OrdersTest {

    @Test
    void eachOrderIsThatOfACommandLine() {
        assertThat(line("migrate", "regional-by-row")).isEqualTo("./movr migrate --stage regional-by-row");
        assertThat(line("cut", "us-east1", "us-west1")).isEqualTo("./movr regions --cut us-east1:us-west1");
        assertThat(line("slow", "us-east1", "us-west1", "300000000"))
                .isEqualTo("./movr regions --slow us-east1:us-west1=300ms");
        assertThat(line("slow", "us-east1", "us-west1", "500000"))
                .isEqualTo("./movr regions --slow us-east1:us-west1=0.5ms");
        assertThat(line("kill-service", "us-east1")).isEqualTo("./movr regions --kill-service us-east1");
        assertThat(line("traffic", "10", "0.05", "0.2"))
                .isEqualTo("./movr regions --traffic 10 --remote-share 0.05 --write-share 0.2");
        assertThat(line("ledger")).isEqualTo("./movr regions --ledger");
        assertThat(line("matrix")).isEqualTo("./movr regions --matrix");
    }

    @Test
    void whatIsNoOrderIsRefused() {
        assertThatThrownBy(() -> line("dance")).hasMessageContaining("do not know how to dance");
        assertThatThrownBy(() -> line()).hasMessageContaining("do not know how to");
        assertThatThrownBy(() -> line("cut", "us-east1")).hasMessage("To cut takes 2 words more, not 1");
        assertThatThrownBy(() -> line("slow", "a", "b", "soon")).hasMessageContaining("no number");
    }

    private static String line(String... words) {
        return Orders.commandLine(List.of(words));
    }
}
