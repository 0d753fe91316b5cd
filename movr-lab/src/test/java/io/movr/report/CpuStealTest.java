package io.movr.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class CpuStealTest {

    private static Double share(String begun, String now) {
        return CpuSteal.share(
                Objects.requireNonNull(CpuSteal.parse(begun)), Objects.requireNonNull(CpuSteal.parse(now)));
    }

    @Test
    void itIsAShareOfWhatPassedMeanwhile() {
        // The time of guests, the last two, is in that of users already.
        assertThat(share("cpu  1000 0 500 8000 10 0 5 900 77 0", "cpu  1300 20 550 8400 20 10 15 1100 377 0"))
                .isEqualTo(0.2, Offset.offset(1e-9));
    }

    @Test
    void aMachineThatIsNotVirtualLosesNothing() {
        assertThat(share("cpu  1 0 1 1 0 0 0 0 0 0", "cpu  9 0 9 9 0 0 0 0 0 0"))
                .isZero();
    }

    @Test
    void nothingIsKnownWhereTheSystemDoesNotTell() {
        assertThat(CpuSteal.parse("")).isNull();
        assertThat(CpuSteal.parse("cpu  1 2 3 4")).isNull();
        assertThat(CpuSteal.parse("processor 1 2 3 4 5 6 7 8 9")).isNull();
        assertThat(share("cpu  1 0 1 1 0 0 0 0 0 0", "cpu  1 0 1 1 0 0 0 0 0 0"))
                .isNull();
    }

    @Test
    void littleIsNotWorthAWord() {
        assertThat(CpuSteal.warning(null)).isEmpty();
        assertThat(CpuSteal.warning(0.09)).isEmpty();
        assertThat(CpuSteal.warning(0.52))
                .hasValueSatisfying(words -> assertThat(words).contains("52%"));
    }
}
