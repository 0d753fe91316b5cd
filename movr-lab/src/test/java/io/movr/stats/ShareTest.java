package io.movr.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ShareTest {

    @Test
    void theIntervalIsTheExactOne() {
        // R: binom.test(10, 200)$conf.int
        Share share = Share.of(10, 200);
        assertThat(share.share().estimate()).isEqualTo(0.05);
        assertThat(share.share().low()).isCloseTo(0.02423, within(1e-4));
        assertThat(share.share().high()).isCloseTo(0.09003, within(1e-4));
    }

    @Test
    void noneAndAllHaveOneEndThatIsCertain() {
        // The rule of three: 1 - 0.025^(1/200)
        assertThat(Share.of(0, 200).share().low()).isZero();
        assertThat(Share.of(0, 200).share().high()).isCloseTo(0.01827, within(1e-5));
        assertThat(Share.of(200, 200).share().low()).isCloseTo(1 - 0.01827, within(1e-5));
        assertThat(Share.of(200, 200).share().high()).isEqualTo(1);
    }

    @Test
    void moreThanAllIsNoShare() {
        assertThatThrownBy(() -> Share.of(3, 2)).hasMessage("3 of 2 is no share");
    }
}
