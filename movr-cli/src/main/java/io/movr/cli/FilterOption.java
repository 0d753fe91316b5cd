package io.movr.cli;

import io.movr.compare.ComparisonRequest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which rows of results are shown. */
class FilterOption {

    @Option(
            names = "--filter",
            paramLabel = "REGEX",
            description = "Take only rows whose name contains this, such as 'UserById|avgt'.")
    private @Nullable String filter;

    final @Nullable Pattern filter() {
        return filter == null ? null : ComparisonRequest.filter(filter);
    }
}
