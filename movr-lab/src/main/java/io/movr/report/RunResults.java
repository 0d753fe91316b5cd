package io.movr.report;

import io.movr.report.model.Report;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The common part of every {@code results.json}. {@code docs/results.schema.json} is generated from the records that
 * implement it.
 */
public interface RunResults {

    /** {@return version of the format; it increases with each change that is not backward compatible} */
    int schemaVersion();

    /** {@return kind of results, such as {@code lab}} */
    String kind();

    /** {@return start of the run in UTC, ISO 8601} */
    String startedAt();

    /** {@return words of the command line} */
    List<String> command();

    /** {@return whether everything that was requested was measured and passed its checks} */
    boolean complete();

    /** {@return environment of the run} */
    Environment environment();

    /** Returns what readers see; {@code null} if it is shown by another file of the bundle. */
    @Nullable
    Report report();

    /** {@return conclusions of the run, a sentence each, with which the page begins} */
    default List<String> headlines() {
        return List.of();
    }

    /** {@return title of the page} */
    default String title() {
        return "MovR " + kind() + ", " + startedAt();
    }
}
