package io.movr.cli;

import io.movr.compare.ComparisonRequest;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that selects rows of results. */
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
