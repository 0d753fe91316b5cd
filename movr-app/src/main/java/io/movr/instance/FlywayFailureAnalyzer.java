package io.movr.instance;

import org.flywaydb.core.api.FlywayException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports why Flyway did not migrate at the start, without a stack trace. */
final class FlywayFailureAnalyzer extends AbstractFailureAnalyzer<FlywayException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, FlywayException cause) {
        return new FailureAnalysis(
                "The database cannot be migrated: "
                        + String.valueOf(cause.getMessage()).strip(),
                "Read its history with 'movr migrate --list'.",
                cause);
    }
}
