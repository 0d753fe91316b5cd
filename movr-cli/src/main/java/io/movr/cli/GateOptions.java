package io.movr.cli;

import io.movr.SlowdownBound.IfUnsure;
import io.movr.UserError;
import io.movr.report.LabGate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What makes the exit code of a comparison 1. */
final class GateOptions {

    private static final Pattern BOUND = Pattern.compile("\\s*slower\\s*>.*");

    @Option(
            names = "--fail-on",
            paramLabel = "BOUND",
            description = "Exit with 1 if something is shown to be slower by more than this: 'slower>5%%'.")
    private @Nullable String failOn;

    @Option(
            names = "--if-unsure",
            paramLabel = "pass|fail|skip",
            description =
                    "What a bound counts as if the interval is too wide to tell: pass, fail, or skip, which does not"
                            + " fail and is reported (default: skip).")
    private @Nullable String ifUnsure;

    /** Returns the percentage that {@code --fail-on} allows; {@code null} if it is not given. */
    @Nullable
    Double allowedPercent() {
        if (failOn == null) {
            return null;
        }
        if (!BOUND.matcher(failOn).matches()) {
            throw new UserError("--fail-on '" + failOn + "' is no bound: write it like --fail-on 'slower>5%'");
        }
        return LabGate.bound(failOn);
    }

    IfUnsure ifUnsure() {
        return ifUnsure == null ? IfUnsure.SKIP : IfUnsure.named(ifUnsure);
    }

    /** Refuses {@code --if-unsure} where no other bound than that of {@code --fail-on} exists. */
    void requireBound() {
        if (ifUnsure() != IfUnsure.SKIP && failOn == null) {
            throw new UserError("--if-unsure requires --fail-on, such as --fail-on 'slower>5%'");
        }
    }
}
