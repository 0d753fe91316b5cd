package io.movr.cli;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations as {@code cockroach workload} takes them: 60s, 1m30s, 250ms, 0. */
final class GoDuration implements ITypeConverter<Duration> {

    private static final Pattern WHOLE = Pattern.compile("(?:\\d+(?:\\.\\d+)?(?:ms|us|µs|ns|s|m|h))+");
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|us|µs|ns|s|m|h)");
    private static final Map<String, Double> NANOS =
            Map.of("ns", 1.0, "us", 1e3, "µs", 1e3, "ms", 1e6, "s", 1e9, "m", 60e9, "h", 3600e9);

    @Override
    public Duration convert(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        if (!WHOLE.matcher(text).matches()) {
            throw new TypeConversionException("'" + text + "' is not a duration: write it like 60s, 1m30s or 250ms");
        }
        double nanos = 0;
        Matcher parts = PART.matcher(text);
        while (parts.find()) {
            nanos += Double.parseDouble(parts.group(1)) * NANOS.getOrDefault(parts.group(2), 0.0);
        }
        return Duration.ofNanos((long) Math.min(nanos, Long.MAX_VALUE));
    }
}
