package io.movr.instance;

import io.movr.UserError;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports an error that a user can correct by its message, without a stack trace, when the service does not start. */
final class UserErrorAnalyzer extends AbstractFailureAnalyzer<UserError> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UserError cause) {
        return new FailureAnalysis(UserError.firstLine(cause), null, cause);
    }
}
