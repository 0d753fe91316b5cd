package io.movr.cli;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code movr help}. */
@Command(
        name = "help",
        description = "Show the help of a command, such as 'movr help experiment run'.",
        footer = {
            "",
            "Examples:",
            "  movr help",
            "  movr help lab",
            "  movr help experiment run",
        })
final class HelpCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The words of the command.")
    private List<String> words = List.of();

    @Override
    public void run() {
        CommandLine own = Objects.requireNonNull(spec).commandLine();
        CommandLine command = spec.root().commandLine();
        for (String word : words) {
            CommandLine next = command.getSubcommands().get(word);
            if (next == null) {
                throw new ParameterException(own, "There is no command '" + String.join(" ", words) + "'");
            }
            command = next;
        }
        command.usage(own.getOut(), own.getColorScheme());
        own.getOut().flush();
    }
}
