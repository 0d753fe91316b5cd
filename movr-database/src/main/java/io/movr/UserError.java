package io.movr;

import org.jspecify.annotations.Nullable;

/**
 * An error that the user can correct. Its message is one line that says what is wrong and what to do. Any other exception is a
 * defect of the program.
 */
public final class UserError extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UserError(String message) {
        super(message);
    }

    public UserError(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns the first line of a message that may have many, such as a database driver's. */
    public static String firstLine(Throwable problem) {
        String message = problem.getMessage() == null ? problem.getClass().getSimpleName() : problem.getMessage();
        String line = message.lines().findFirst().orElse(message).strip();
        // Jackson does not know the source that it names.
        return line.replaceAll(" \\(start marker at \\[Source: [^]]*]\\)", "");
    }
}
