package io.movr.cli;

import picocli.CommandLine.Command;

/** {@code movr regions}. */
@Command(
        name = "regions",
        description = "Run a database in three distant regions, with an instance of the service in each.",
        subcommands = {
            RegionsStartCommand.class,
            RegionsStatusCommand.class,
            RegionsActions.Cut.class,
            RegionsActions.Mend.class,
            RegionsActions.Slow.class,
            RegionsActions.Kill.class,
            RegionsActions.Restart.class,
            RegionsActions.Traffic.class,
            RegionsActions.Matrix.class,
            RegionsActions.Staleness.class,
            RegionsActions.Ledger.class,
            RegionsActions.Stop.class
        },
        footer = {
            "",
            "'start' runs until it is stopped. The other commands are given in another terminal; the console, a page for the"
                    + " browser, gives them too. 'movr migrate --stage …' migrates the regions that run.",
            "",
            "Examples:",
            "  movr regions start",
            "  movr regions cut us-east1:us-west1",
            "  movr regions stop"
        })
final class RegionsCommand {

    private RegionsCommand() {}
}
