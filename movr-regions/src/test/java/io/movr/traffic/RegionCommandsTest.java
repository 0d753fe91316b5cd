package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RegionCommandsTest {

    @Test
    void eachCommandHasACommandLine() {
        assertThat(line("migrate", "regional-by-row")).isEqualTo("./movr migrate --stage regional-by-row");
        assertThat(line("cut", "us-east1", "us-west1")).isEqualTo("./movr regions cut us-east1:us-west1");
        assertThat(line("slow", "us-east1", "us-west1", "300000000"))
                .isEqualTo("./movr regions slow us-east1:us-west1=300ms");
        assertThat(line("slow", "us-east1", "us-west1", "500000"))
                .isEqualTo("./movr regions slow us-east1:us-west1=0.5ms");
        assertThat(line("kill-service", "us-east1")).isEqualTo("./movr regions kill us-east1 --service");
        assertThat(line("traffic", "10", "0.05", "0.2"))
                .isEqualTo("./movr regions traffic 10 --remote-share 0.05 --write-share 0.2");
        assertThat(line("placement")).isEqualTo("./movr regions status");
        assertThat(line("restart", "us-west1")).isEqualTo("./movr regions restart us-west1");
        assertThat(line("ledger")).isEqualTo("./movr regions ledger");
        assertThat(line("matrix")).isEqualTo("./movr regions matrix");
    }

    @Test
    void anUnknownCommandIsRefused() {
        assertThatThrownBy(() -> line("dance")).hasMessage("unknown command \"dance\"");
        assertThatThrownBy(() -> line()).hasMessage("unknown command \"\"");
        assertThatThrownBy(() -> line("cut", "us-east1")).hasMessage("command \"cut\" takes 2 arguments, not 1");
        assertThatThrownBy(() -> line("slow", "a", "b", "soon")).hasMessageContaining("not a number of nanoseconds");
    }

    private static String line(String... words) {
        return RegionCommands.commandLine(List.of(words));
    }
}
