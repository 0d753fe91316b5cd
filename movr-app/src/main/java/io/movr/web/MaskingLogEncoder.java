package io.movr.web;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.springframework.boot.logging.logback.StructuredLogEncoder;

/**
 * Writes lines of the log without credit card numbers. Spring, Tomcat and the driver log bodies, rejected values and
 * parameters of statements at DEBUG and TRACE, in messages and in stack traces; whether they do is a matter of their
 * version. So whatever looks like a number is masked but for its last four digits, valid or mistyped: 12 digits or more,
 * also in groups of four. Other long numbers, such as times in nanoseconds, are masked with them.
 */
public final class MaskingLogEncoder extends StructuredLogEncoder {

    /** 12 digits behind a hyphen may end a UUID. */
    private static final Pattern NUMBER = Pattern.compile(
            "(?<![0-9])(?:[0-9]{13,}|(?<!-)[0-9]{12}|[0-9]{4}([ -])[0-9]{4}\\1[0-9]{4}(?:\\1[0-9]{1,7})?)(?![0-9])");

    private static final int SHOWN_DIGITS = 4;

    @Override
    public byte[] encode(ILoggingEvent event) {
        return masked(new String(super.encode(event), StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
    }

    static String masked(String text) {
        return NUMBER.matcher(text).replaceAll(number -> {
            int hidden = number.group().length() - SHOWN_DIGITS;
            return "*".repeat(hidden) + number.group().substring(hidden);
        });
    }
}
