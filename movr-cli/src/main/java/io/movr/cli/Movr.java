package io.movr.cli;

import io.movr.UserError;
import io.movr.database.Gateway;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program: every command, and how it ends. */
@Command(
        name = "movr",
        description = "Measure the effect of a schema change, and of placing rows in regions.",
        mixinStandardHelpOptions = true,
        versionProvider = Build.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  movr experiment init my-experiment --statement \"SELECT * FROM users WHERE name = 'Ada Brown'\"",
            "  movr lab",
            "  movr regions start",
            "",
            "'movr help COMMAND' shows the options of a command, with examples."
        })
public final class Movr implements Runnable {

    /** The system property with the path of Logback's configuration. */
    static final String LOGGING = "logback.configurationFile";

    private static final int FAILED = 1;
    private static final int INTERRUPTED = 130;
    private static final int HELP_WIDTH = 100;
    private static final Logger DRIVER = Logger.getLogger("org.postgresql");
    private static final AtomicBoolean ENDED = new AtomicBoolean();
    private static final AtomicBoolean STOPPING = new AtomicBoolean();

    /** All commands, as the help groups them. */
    private static final Map<String, List<Class<?>>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("Your schema:", List.of(ExperimentCommand.class, CompareCommand.class));
        COMMANDS.put("The published experiments:", List.of(LabCommand.class, BenchCommand.class, EdgeCommand.class));
        COMMANDS.put(
                "MovR as a workload:",
                List.of(LoadCommand.class, MigrateCommand.class, ServeCommand.class, RunCommand.class));
        COMMANDS.put("Regions:", List.of(RegionsCommand.class, TrafficCommand.class));
        COMMANDS.put(
                "Your machine and cluster:", List.of(DoctorCommand.class, CalibrateCommand.class, CheckCommand.class));
        COMMANDS.put("Help:", List.of(HelpCommand.class, GenerateCompletion.class));
    }

    @Spec
    private @Nullable CommandSpec spec;

    /** Runs the program and ends the process with its exit code. */
    public static void main(String[] arguments) {
        // The file is not named logback.xml, because the service has its own configuration.
        System.setProperty(LOGGING, "io/movr/logging.xml");
        Thread notice = new Thread(
                () -> {
                    if (!ENDED.get()) {
                        STOPPING.set(true);
                        System.err.println("movr: stopping");
                    }
                },
                "stop-notice");
        Runtime.getRuntime().addShutdownHook(notice);
        // The driver also throws the failures that it logs.
        DRIVER.setLevel(Level.OFF);
        int code = commandLine(arguments).execute(arguments);
        if (!STOPPING.get()) {
            ENDED.set(true);
            System.exit(code);
        }
    }

    /** Returns whether the process is ending, which makes running commands fail. */
    static boolean isStopping() {
        return STOPPING.get();
    }

    /**
     * Returns the command line.
     *
     * @param arguments if the first is the name of a command, the other commands are not registered, because reading their options
     *     takes 0.1 s
     */
    static CommandLine commandLine(String... arguments) {
        CommandLine line = new CommandLine(new Movr());
        List<Class<?>> all = COMMANDS.values().stream().flatMap(List::stream).toList();
        all.stream()
                // Completion needs all commands.
                .filter(command -> command != GenerateCompletion.class)
                .filter(command -> arguments.length > 0 && name(command).equals(arguments[0]))
                // Help needs all commands.
                .filter(command -> command != HelpCommand.class)
                .findFirst()
                .ifPresentOrElse(line::addSubcommand, () -> all.forEach(line::addSubcommand));
        line.setExecutionExceptionHandler((failed, command, parsed) -> report(failed, command));
        line.setExecutionStrategy(parsed -> {
            // Help prints control sequences for colours.
            Integer helped = CommandLine.executeHelpRequest(parsed);
            if (helped != null) {
                return helped;
            }
            line.setOut(PrintableWriter.of(line.getOut())).setErr(PrintableWriter.of(line.getErr()));
            return new CommandLine.RunLast().execute(parsed);
        });
        IParameterExceptionHandler standard = line.getParameterExceptionHandler();
        line.setParameterExceptionHandler(
                (wrong, words) -> standard.handleParseException(withoutPasswords(wrong), words));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setUsageHelpWidth(HELP_WIDTH);
        line.setUsageHelpLongOptionsMaxWidth(30);
        line.getSubcommands().values().forEach(Movr::prepareHelp);
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING, help -> "");
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, Movr::groupedCommands);
        return line;
    }

    /** Gives a command and its subcommands the option of help, and help in the order of the code. */
    private static void prepareHelp(CommandLine command) {
        CommandSpec spec = command.getCommandSpec();
        if (spec.findOption("--help") == null) {
            spec.addOption(OptionSpec.builder("-h", "--help")
                    .usageHelp(true)
                    .type(boolean.class)
                    .arity("0")
                    .description("Show this help.")
                    .build());
        }
        spec.usageMessage().sortOptions(false).abbreviateSynopsis(true).commandListHeading("%nCommands:%n");
        if (!(spec.userObject() instanceof Callable)) {
            spec.usageMessage().synopsisSubcommandLabel("COMMAND");
        }
        command.getSubcommands().values().forEach(Movr::prepareHelp);
    }

    @Override
    public void run() {
        throw new ParameterException(Objects.requireNonNull(spec).commandLine(), "Name a command, such as lab");
    }

    /** Masks passwords: picocli quotes words that it cannot parse, such as a URL. */
    private static ParameterException withoutPasswords(ParameterException wrong) {
        String message = String.valueOf(wrong.getMessage());
        String masked = Gateway.masked(message);
        return masked.equals(message) ? wrong : new ParameterException(wrong.getCommandLine(), masked, wrong);
    }

    private static int report(Exception failed, CommandLine command) {
        if (STOPPING.get()) {
            // After Ctrl-C the database is stopped, so running commands fail.
            return INTERRUPTED;
        }
        if (failed instanceof UserError) {
            command.getErr().println("movr: " + failed.getMessage());
            alsoFailed(failed).forEach(also -> command.getErr().println("movr: " + also));
            return FAILED;
        }
        command.getErr().println("movr: a defect of the program, please report it:");
        failed.printStackTrace(command.getErr());
        return FAILED;
    }

    /** Returns the failures of the cleanup after a failure, such as databases that could not be dropped. */
    private static Set<String> alsoFailed(Throwable failed) {
        Set<String> messages = new LinkedHashSet<>();
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            for (Throwable suppressed : cause.getSuppressed()) {
                if (suppressed instanceof UserError) {
                    messages.add(suppressed.getMessage());
                }
            }
        }
        messages.remove(failed.getMessage());
        return messages;
    }

    private static String name(Class<?> command) {
        return command.getAnnotation(Command.class).name();
    }

    private static String groupedCommands(Help help) {
        StringBuilder text = new StringBuilder();
        COMMANDS.forEach((title, commands) -> {
            TextTable table = TextTable.forColumns(
                    help.colorScheme(),
                    new Column(22, 2, Column.Overflow.SPAN),
                    new Column(76, 2, Column.Overflow.WRAP));
            for (Class<?> type : commands) {
                String name = name(type);
                Help command = Objects.requireNonNull(help.subcommands().get(name), name);
                UsageMessageSpec usage = command.commandSpec().usageMessage();
                // Picocli's own command for completion has a header too.
                String[] lines = usage.header().length == 0 ? usage.description() : usage.header();
                table.addRowValues(name, lines.length == 0 ? "" : lines[0]);
            }
            text.append(System.lineSeparator())
                    .append(title)
                    .append(System.lineSeparator())
                    .append(table);
        });
        return text.toString();
    }

    /** Returns the name by which the user started the program, for messages that propose a command. */
    static String program() {
        return System.getProperty("movr.program", "movr");
    }

    /** Returns the command line for the record of results, without passwords. */
    static List<String> words(CommandSpec command) {
        List<String> words = new ArrayList<>(List.of("./movr"));
        command.root().commandLine().getParseResult().originalArgs().stream()
                .map(Gateway::masked)
                .forEach(words::add);
        return words;
    }
}
