package io.movr.check;

import io.movr.report.CheckResults;
import io.movr.report.RunDisplay;
import java.nio.file.Path;

/** The display of checks while they run. */
public interface CheckDisplay extends RunDisplay {

    /** Shows a title of the check. */
    void title(String text);

    /** Shows the result of a run. */
    void result(CheckResults.Run run);

    /** Shows where the results are. */
    void written(Path folder);
}
