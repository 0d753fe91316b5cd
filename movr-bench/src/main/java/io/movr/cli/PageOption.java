package io.movr.cli;

import io.movr.console.Console;
import io.movr.console.ProgressPage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a command that measures shows its run on a page for a browser. */
final class PageOption {

    @Option(
            names = "--console",
            paramLabel = "PORT",
            arity = "0..1",
            defaultValue = "0",
            fallbackValue = "" + ProgressPage.PORT,
            description =
                    "Also show the run on a page for a browser while it measures (default: no page; without PORT 8070, or "
                            + "the next free one). A browser on the same machine takes processor time from what is measured.")
    private int port;

    /** Refuses what is no port. */
    void check() {
        Console.requirePort(port);
    }

    /** Starts the page and prints its address, if one is asked for. */
    @Nullable
    ProgressPage open(Terminal terminal) {
        if (!isAsked()) {
            return null;
        }
        ProgressPage page = ProgressPage.start(port);
        terminal.line("Progress: " + page.url());
        return page;
    }

    boolean isAsked() {
        return port != 0;
    }
}
