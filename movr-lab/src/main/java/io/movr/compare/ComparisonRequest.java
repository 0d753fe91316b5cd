package io.movr.compare;

import io.movr.UserError;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** The request of a comparison.
 *
 * @param sources bundles and files of JMH; one alone is compared within itself
 * @param by a parameter of JMH or {@code method}, whose values are the variants; null where each source is one
 * @param baseline the name of the variant that others are held against; null for the usual one
 * @param filter what names of rows must contain, null for all
 * @param failOnPercent the loss from which on the command fails, null for none
 * @param orders the order of a parameter's values, by parameter, for parameters with an order
 * @param command the words of the command line
 */
public record ComparisonRequest(
        List<Path> sources,
        @Nullable String by,
        @Nullable String baseline,
        @Nullable Pattern filter,
        @Nullable Double failOnPercent,
        Map<String, List<String>> orders,
        List<String> command) {

    /** The name under which methods of a class are the variants. */
    public static final String METHOD = "method";

    public ComparisonRequest {
        if (by == null && sources.size() < 2) {
            throw new UserError(
                    "One result is nothing to compare: name another, or say what to compare within it, such as"
                            + " --by stage or --by method");
        }
        if (by != null && sources.size() > 1) {
            throw new UserError(
                    "--by " + by + " compares within one result: name one, or leave --by out to compare the "
                            + sources.size() + " with each other");
        }
    }

    /**
     * Reads what names of rows must contain.
     *
     * @throws UserError when it is no regular expression
     */
    public static Pattern filter(String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException malformed) {
            throw new UserError(
                    "--filter '" + text + "' is no regular expression (" + malformed.getDescription()
                            + "): write one such as 'UserById|RideById'",
                    malformed);
        }
    }
}
