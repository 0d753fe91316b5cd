package io.movr.cli;

import io.movr.UserError;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The option of the wait for leaseholders. */
final class WaitOption {

    @Option(
            names = "--wait",
            paramLabel = "MINUTES",
            description =
                    "How long to wait for leaseholders to reach their home regions; 0 does not wait (default: 10).")
    private double minutes = 10;

    void requireRange() {
        if (!(minutes >= 0 && minutes <= 1_440)) {
            throw new UserError("--wait " + minutes + " is out of range: 0 to 1440 minutes");
        }
    }

    Duration time() {
        return Duration.ofMillis(Math.round(minutes * 60_000));
    }
}
