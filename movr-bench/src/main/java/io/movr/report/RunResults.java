package io.movr.report;

import io.movr.report.model.Report;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What every {@code results.json} of a run begins with. */
public interface RunResults {

    /** That of this kind of results: what reads it knows it up to this one. */
    int schemaVersion();

    /** Such as {@code lab}. */
    String kind();

    /** When the run began, in ISO 8601. */
    String startedAt();

    /** The command line that asked for it. */
    List<String> command();

    /** Whether everything was measured that was asked for, and nothing was wrong. */
    boolean complete();

    /** Of the machine and the database. */
    Environment environment();

    /** Returns what readers see; {@code null} if it is shown by another file of the bundle. */
    @Nullable
    Report report();

    /** The answers to the questions of the run, a sentence each; the page begins with them. */
    default List<String> headlines() {
        return List.of();
    }

    /** What the page is called. */
    default String title() {
        return "MovR " + kind() + ", " + startedAt();
    }
}
