package io.movr.cli;

import io.movr.SlowdownBound.IfUnsure;
import io.movr.UserError;
import io.movr.report.LabGate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of bounds, which decide the exit code. */
final class GateOptions {

    private static final Pattern BOUND = Pattern.compile("\\s*slower\\s*>.*");

    @Option(
            names = "--fail-on",
            paramLabel = "BOUND",
            description = "Exit with 1 if a row is shown to be slower by more than this: 'slower>5%%'.")
    private @Nullable String failOn;

    @Option(
            names = "--if-unsure",
            paramLabel = "pass|fail|skip",
            description =
                    "The result of a bound if the interval is too wide to decide: pass, fail, or skip, which is reported"
                            + " and does not fail (default: skip).")
    private @Nullable String ifUnsure;

    /** Returns the percentage that {@code --fail-on} allows; {@code null} if it is not given. */
    @Nullable
    Double allowedPercent() {
        if (failOn == null) {
            return null;
        }
        if (!BOUND.matcher(failOn).matches()) {
            throw new UserError("--fail-on '" + failOn + "' is not a bound: write it like --fail-on 'slower>5%'");
        }
        return LabGate.bound(failOn);
    }

    IfUnsure ifUnsure() {
        return ifUnsure == null ? IfUnsure.SKIP : IfUnsure.named(ifUnsure);
    }

    /** Refuses {@code --if-unsure} without {@code --fail-on}, for a command that has no other bound. */
    void requireBound() {
        if (ifUnsure() != IfUnsure.SKIP && failOn == null) {
            throw new UserError("--if-unsure requires --fail-on, such as --fail-on 'slower>5%'");
        }
    }
}
