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
            "'start' runs until it is stopped. Run the other commands in another terminal, or use the console, a page for the"
                    + " browser. 'movr migrate --stage …' migrates the running regions.",
            "",
            "Examples:",
            "  movr regions start",
            "  movr regions cut us-east1:us-west1",
            "  movr regions stop"
        })
final class RegionsCommand {

    private RegionsCommand() {}
}
