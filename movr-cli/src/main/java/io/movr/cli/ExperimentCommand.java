package io.movr.cli;

import picocli.CommandLine.Command;

/** {@code movr experiment}. */
@Command(
        name = "experiment",
        description = "Measure a change of your own schema or statement.",
        subcommands = {
            ExperimentTopCommand.class,
            ExperimentInitCommand.class,
            ExperimentListCommand.class,
            ExperimentRunCommand.class,
            ExperimentTimeCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  movr experiment top --url \"postgresql://me@localhost:5432/shop\"",
            "  movr experiment init my-experiment --statement \"SELECT * FROM users WHERE name = 'Ada Brown'\"",
            "  movr experiment run my-experiment"
        })
final class ExperimentCommand {

    private ExperimentCommand() {}
}
