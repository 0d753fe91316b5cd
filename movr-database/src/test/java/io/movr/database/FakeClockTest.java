package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FakeClockTest {

    @TempDir
    private Path folder;

    private static Duration ahead(FakeClock clock) throws IOException, InterruptedException {
        ExternalProgram.Ended date =
                ExternalProgram.of("date", "+%s").with(clock.environment()).run(Duration.ofSeconds(20));
        return Duration.between(
                Instant.now(),
                Instant.ofEpochSecond(Long.parseLong(date.output().strip())));
    }

    @Test
    void aProcessSeesTheClockJumpAndComeBack() throws Exception {
        Optional<Path> library = FakeClock.library();
        assumeTrue(library.isPresent(), "libfaketime is not installed: install faketime");
        Path offset = folder.resolve("clock");
        try (FakeClock clock = new FakeClock(library.get(), offset)) {
            assertThat(ahead(clock)).isLessThan(Duration.ofMinutes(10));
            clock.jump(Duration.ofHours(1));
            assertThat(ahead(clock)).isGreaterThan(Duration.ofMinutes(50));
            clock.jump(Duration.ofHours(-1));
            assertThat(ahead(clock)).isLessThan(Duration.ofMinutes(-50));
        }
        assertThat(offset).doesNotExist();
    }
}
