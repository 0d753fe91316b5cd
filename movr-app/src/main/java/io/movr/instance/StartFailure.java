package io.movr.instance;

import io.movr.UserError;
import java.util.Locale;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;

/** The failures of Spring that a user can correct. */
final class StartFailure {

    private StartFailure() {}

    /** Returns a {@link UserError} if the user can correct the failure, otherwise the failure itself, which is a defect. */
    static RuntimeException of(RuntimeException failed) {
        String property = "";
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof PortInUseException inUse) {
                return new UserError(
                        "Port " + inUse.getPort() + " is taken: choose another one with --http-port", failed);
            }
            if (cause instanceof BindValidationException invalid) {
                return notStarted(invalidSettings(invalid), failed);
            }
            if (cause instanceof BindException bind) {
                property = bind.getName() + ": ";
            }
            if (cause instanceof UserError || (cause.getCause() == null && !property.isEmpty())) {
                return notStarted(property + UserError.firstLine(cause), failed);
            }
        }
        return failed;
    }

    private static UserError notStarted(String reason, RuntimeException failed) {
        return new UserError("The service does not start: " + reason, failed);
    }

    private static String invalidSettings(BindValidationException invalid) {
        return invalid.getValidationErrors().getAllErrors().stream()
                .map(error ->
                        invalid.getValidationErrors().getName() + "." + field(error) + " " + error.getDefaultMessage())
                .sorted()
                .collect(Collectors.joining("; "));
    }

    private static String field(ObjectError error) {
        return error instanceof FieldError field
                ? field.getField().replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT)
                : "";
    }
}
