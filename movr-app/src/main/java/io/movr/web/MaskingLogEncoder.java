package io.movr.web;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.logging.logback.StructuredLogEncoder;

/**
 * Writes lines of the log without credit card numbers. Spring, Tomcat and the driver log bodies, rejected values and parameters
 * of statements at DEBUG and TRACE, in messages and in stack traces; depending on their versions. So every text in the form of a
 * card number is masked except for its last four digits, valid or mistyped: 12 digits or more, also in groups, and with digits
 * and separators in the escapes of JSON and of addresses. Other long numbers, such as times in nanoseconds, are masked with
 * them; UUIDs are not.
 */
public final class MaskingLogEncoder extends StructuredLogEncoder {

    private static final String DIGIT = "(?:\\p{Nd}|\\\\+u003[0-9]|%3[0-9])";
    private static final String SEPARATOR =
            "(?:[-\\p{Pd}._+\\p{Z}\\t]|\\\\+(?:t|u00(?:09|2[bdeBDE0]|5[fF]|[aA]0))|%(?:09|2[bdeBDE0]|5[fF]))";

    /** Addresses of IPv4 have up to 12 digits in groups, and 12 digits behind a hyphen may end a part of a UUID. */
    private static final Pattern NUMBER =
            Pattern.compile(("(\\b[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\\b)"
                            + "|(?<!\\p{Nd})(?:D(?:S?D){12,}|(?<!-)D{12}|D{4}(?:SD{4}){2})(?!D)")
                    .replace("D", DIGIT)
                    .replace("S", SEPARATOR));

    private static final Pattern DIGITS = Pattern.compile(DIGIT);

    private static final int UUID_GROUP = 1;
    private static final int SHOWN_DIGITS = 4;

    @Override
    public byte[] encode(ILoggingEvent event) {
        return masked(new String(super.encode(event), StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
    }

    static String masked(String text) {
        return NUMBER.matcher(text).replaceAll(found -> {
            String number = found.group();
            if (found.start(UUID_GROUP) >= 0) {
                return number;
            }
            List<Integer> digits =
                    DIGITS.matcher(number).results().map(MatchResult::start).toList();
            int shown = digits.get(digits.size() - SHOWN_DIGITS);
            return Matcher.quoteReplacement("*".repeat(shown) + number.substring(shown));
        });
    }
}
