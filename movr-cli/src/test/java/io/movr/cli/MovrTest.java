package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.UserError;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** What the commands answer before they do anything. */
class MovrTest {

    private static final String ROOT = "movr.root";
    private static final int MAX_OPTIONS = 18;

    /** Two screens of 40 lines. */
    private static final int MAX_LINES = 80;

    private final StringWriter output = new StringWriter();
    private final StringWriter error = new StringWriter();

    @TempDir
    private Path folder;

    @BeforeEach
    void root() {
        System.setProperty(ROOT, folder.toString());
    }

    @AfterEach
    void noRoot() {
        System.clearProperty(ROOT);
    }

    private int run(String... arguments) {
        return Movr.commandLine()
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(error, true))
                .execute(arguments);
    }

    @Test
    void whatCiReadsIsCheckedBeforeAnythingIsMeasured() {
        for (String wrong : List.of(
                "--format xml|There is no format 'xml': choose one of table, markdown",
                "--if-unsure perhaps|--if-unsure perhaps is unknown: choose pass, fail or skip",
                "--fail-on faster>5%|--fail-on 'faster>5%' is not a bound: write it like --fail-on 'slower>5%'",
                "--fail-on 5%|--fail-on '5%' is not a bound",
                "--fail-on slower>five|--fail-on 'five' is no percentage",
                "--junit " + folder + "|The file of --junit, " + folder)) {
            error.getBuffer().setLength(0);
            String[] parts = wrong.split("\\|", -1);
            assertThat(run(("experiment run nowhere " + parts[0]).split(" ", -1)))
                    .isEqualTo(1);
            assertThat(error.toString()).contains(parts[1]).hasLineCount(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "load, jdbc:postgresql://u:s3cret@h/db",
        "load, --adress=jdbc:postgresql://h/db?user=u&password=s3cret",
        "jdbc:postgresql://h/db?password=s3cret, load",
    })
    void anAddressInTheWrongPlaceIsPrintedWithoutItsPassword(String first, String second) {
        assertThat(run(first, second)).isEqualTo(2);
        assertThat(error.toString()).contains("jdbc:postgresql://").doesNotContain("s3cret");
    }

    @Test
    void helpIsACommandToo() {
        String help = "help";
        CommandLine line = Movr.commandLine(help, "lab").setOut(new PrintWriter(output, true));
        assertThat(line.execute(help, "lab")).isZero();
        String asCommand = output.toString();
        output.getBuffer().setLength(0);
        assertThat(run("lab", "--help")).isZero();
        assertThat(asCommand).isEqualTo(output.toString()).contains("Usage: movr lab");
        output.getBuffer().setLength(0);
        assertThat(run(help, "experiment", "run")).isZero();
        assertThat(output.toString()).contains("Usage: movr experiment run");
        assertThat(run(help, "experiment", "walk")).isEqualTo(2);
        assertThat(error.toString()).contains("There is no command 'experiment walk'");
        output.getBuffer().setLength(0);
        assertThat(run(help)).isZero();
        assertThat(output.toString()).contains("  help  ");
    }

    @Test
    void whatFailsWhileACommandCleansUpIsPrintedToo() {
        UserError failed = new UserError("The server has stopped");
        failed.addSuppressed(new UserError("Cannot drop the databases of this run"));
        CommandLine line = Movr.commandLine();
        line.addSubcommand("fails", CommandSpec.wrapWithoutInspection((Runnable) () -> {
            throw failed;
        }));
        line.setErr(new PrintWriter(error, true)).setExecutionExceptionHandler(line.getExecutionExceptionHandler());
        assertThat(line.execute("fails")).isEqualTo(1);
        assertThat(error.toString())
                .isEqualToNormalizingNewlines(
                        "movr: The server has stopped\nmovr: Cannot drop the databases of this run\n");
    }

    /** All commands and subcommands by the words that name them. */
    private static Map<List<String>, CommandLine> commands() {
        Map<List<String>, CommandLine> commands = new LinkedHashMap<>();
        add(Movr.commandLine(), List.of(), commands);
        return commands;
    }

    private static void add(CommandLine parent, List<String> words, Map<List<String>, CommandLine> commands) {
        parent.getSubcommands().forEach((name, command) -> {
            List<String> all = Stream.concat(words.stream(), Stream.of(name)).toList();
            commands.put(all, command);
            add(command, all, commands);
        });
    }

    @Test
    void everyCommandHasHelpWithExamplesAndStandsInItsGroup() {
        assertThat(run("--help")).isZero();
        String all = output.toString();
        assertThat(all)
                .containsSubsequence(
                        "Your schema:",
                        "The published experiments:",
                        "MovR as a workload:",
                        "Regions:",
                        "Your machine and cluster:");
        assertThat(Movr.commandLine().getSubcommands().keySet())
                .hasSizeGreaterThan(10)
                .allSatisfy(command -> assertThat(all).contains("  " + command + " "));
        Map<List<String>, CommandLine> commands = commands();
        commands.remove(List.of("generate-completion"));
        assertThat(commands.keySet()).hasSizeGreaterThan(30).allSatisfy(words -> {
            output.getBuffer().setLength(0);
            assertThat(run(Stream.concat(words.stream(), Stream.of("--help")).toArray(String[]::new)))
                    .isZero();
            assertThat(output.toString()).contains("Usage: movr " + String.join(" ", words), "Examples:");
        });
    }

    @Test
    void helpFitsOnTwoScreensWithAtMostEighteenOptionsOfACommand() {
        commands().forEach((words, command) -> {
            assertThat(command.getCommandSpec().options().stream()
                            .filter(option -> !option.usageHelp())
                            .toList())
                    .as(words.toString())
                    .hasSizeLessThanOrEqualTo(MAX_OPTIONS);
            assertThat(command.getUsageMessage().lines().count())
                    .as(words.toString())
                    .isLessThanOrEqualTo(MAX_LINES);
        });
    }

    /** Picocli warns on standard error of a per cent sign that is not doubled, and prints the rest of the text as it is. */
    @Test
    void everyHelpIsPrintedWithoutAWarning() {
        PrintStream standard = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            commands().values().forEach(CommandLine::getUsageMessage);
        } finally {
            System.setErr(standard);
        }
        assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    /** The terminal's width decides where a paragraph is broken, once. */
    @Test
    void everyParagraphOfHelpIsOneString() {
        assertThat(commands()).allSatisfy((name, command) -> {
            String[] footer = command.getCommandSpec().usageMessage().footer();
            for (int line = 1; line < footer.length; line++) {
                boolean follows = !footer[line].isEmpty() && !footer[line].startsWith(" ");
                assertThat(follows && !footer[line - 1].isEmpty())
                        .as("%s goes on with '%s'", name, footer[line])
                        .isFalse();
            }
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lab --only nonsense | 1 | There is no experiment 'nonsense': choose from pk-lookup",
                "lab --samples 5 | 1 | --samples 5 is too few",
                "lab --scale huge | 1 | There is no scale 'huge': choose one of tiny, quick, tutorial",
                "lab --scale tiny --out /proc/nowhere | 1 | name another with --out",
                "lab --url jdbc:postgresql://127.0.0.1:1/x | 1 | Cannot connect to jdbc:postgresql://127.0.0.1:1/x",
                "lab --url localhost | 1 | write jdbc:postgresql://host:port/database",
                "lab --runs 1 | 1 | apply only to the experiments multi-region-*: add --with-traffic",
                "lab --with-traffic --url jdbc:postgresql://h/x | 1 | need a database in each of several regions",
                "lab --only multi-region-p99 --samples 30 | 1 | --samples and --calibration do not apply to the experiments",
                "lab --calibration nowhere | 1 | --calibration nowhere is not a run bundle of movr calibrate",
                "experiment | 2 | Missing required subcommand",
                "experiment top | 1 | name it with --url",
                "experiment init x | 2 | Missing required argument (specify one of these)",
                "experiment init x --statement y --from-statistics 1 | 2 | mutually exclusive",
                "experiment init x --from-statistics 1 | 1 | name it with --url",
                "experiment list nowhere | 1 | There is no folder nowhere: name one that holds experiment.yaml",
                "experiment run | 2 | Missing required parameter: 'FOLDER'",
                "experiment run nowhere | 1 | There is no folder nowhere: name one that holds experiment.yaml",
                "experiment run ../docs/samples/experiments/users-by-name --copy tables | 1 | --copy requires --url",
                "experiment run ../docs/samples/experiments/users-by-name --in-place shop | 1 | --in-place requires --url",
                "experiment run ../docs/samples/experiments/users-by-name --only pk-lookup | 1 | choose from users-by-name",
                "experiment time --repeat 0 --statement x | 1 | --repeat 0 is out of range",
                "load --rows rides=-1 | 1 | rides -1 is out of range",
                "load --rows users=2 | 1 | users 2 is out of range: at least 9 (one a city)",
                "load --rows trams=2 | 1 | --rows trams is unknown: choose from users, vehicles",
                "load --rows rides=many | 2 | Invalid value for option '--rows'",
                "load --url jdbc:postgresql://h/x --data-dir y | 1 | give one of them",
                "load --connections 0 | 1 | --connections 0 is out of range",
                "load --append --replace | 2 | mutually exclusive",
                "load --engine cockroach | 1 | name it with --url",
                "migrate | 1 | Name a stage",
                "migrate --stage nowhere | 1 | There is no stage 'nowhere': choose one of baseline",
                "migrate --print --url jdbc:postgresql://h/x | 1 | leave out --url",
                "migrate --print --engine oracle | 1 | There is no engine 'oracle': choose postgresql or cockroach",
                "migrate --stage latest --home us-east1= | 1 | --home: The region us-east1 has no city",
                "migrate --stage latest --home US=boston | 1 | --home: A region's name is lower-case",
                "migrate --stage latest --wait -1 | 1 | --wait -1.0 is out of range",
                "load --url jdbc:postgresql://h/x --url jdbc:postgresql://i/x | 1 | each names its region",
                "regions | 2 | Missing required subcommand",
                "regions start --rtt us-east1:mars=5ms | 1 | There is no region 'mars': choose one of us-east1, us-west1",
                "regions start --rtt fast | 1 | write it like --rtt us-east1:europe-west1=90ms",
                "regions start --stage nowhere | 1 | There is no stage 'nowhere'",
                "regions start --demo | 1 | --demo requires --engine cockroach",
                "regions start --nodes 3 --engine cockroach --demo | 1 | --demo has nine nodes: leave --nodes out",
                "regions start --keep --engine cockroach | 1 | --keep requires embedded PostgreSQL servers",
                "regions start --rtt us-east1:us-west1=5ms --url us-east1=postgresql://nowhere/x | 1 | --rtt sets links that movr starts",
                "regions start --http-port 65534 | 1 | is out of range: 0 to 65533",
                "regions mend us-east1:us-west1 | 1 | No regions run here: start them with 'movr regions start'",
                "regions cut us-east1 | 1 | is not a pair of regions: write it like us-east1:us-west1",
                "regions slow us-east1:us-west1 | 1 | write it like us-east1:us-west1=300ms",
                "regions kill us-east1 --service | 1 | No regions run here",
                "regions traffic many | 2 | Invalid value for positional parameter",
                "regions status | 1 | No regions run here: name a cluster",
                "traffic --mix strong | 1 | There is no mix 'strong': choose movr, python or journey",
                "traffic --slo fast | 1 | is no objective: write it like --slo p99=200ms",
                "traffic --rate 0 | 1 | --rate 0.0 is out of range",
                "traffic --seconds 0 | 1 | --seconds is out of range",
                "traffic --before geo-partitioned --after baseline | 1 | is no stage before --after",
                "traffic --after region-survival | 1 | There is no stage region-survival on PostgreSQL",
                "traffic --after-database movr_after | 1 | --after-database requires --url",
                "traffic --kill us-east1 | 1 | --kill requires nodes of a CockroachDB that movr starts: add --engine cockroach",
                "traffic --kill mars --engine cockroach | 1 | There is no region 'mars': choose one of us-east1, us-west1",
                "traffic --nodes 4 --engine cockroach | 1 | --nodes 4 is not possible with 3 regions: choose 3, one in each, or 9",
                "traffic --nodes 3 | 1 | --nodes requires CockroachDB: add --engine cockroach",
                "run | 2 | Missing required subcommand",
                "run ycsb --workload G | 1 | There is no workload 'G'",
                "run ycsb --workload read=0.5 | 1 | add up to 1",
                "run ycsb --workload read=0.5,walk=0.5 | 1 | is no share of a workload",
                "run ycsb --duration soon | 2 | write it like 60s, 1m30s or 250ms",
                "run ycsb --request-distribution pareto | 1 | choose zipfian, uniform, latest",
                "run ycsb --url jdbc:postgresql://127.0.0.1:1/x | 1 | Cannot connect to jdbc:postgresql://127.0.0.1:1/x",
                "run tpcb --scale 0 | 1 | --scale 0 is out of range",
                "doctor --full --skip load | 1 | --skip takes experiments, cache, service, promo-codes, not load",
                "migrate --adopt | 1 | name it with --url",
                "run movr --mix strong | 1 | There is no mix 'strong': choose movr or python",
                "run movr --read-only-percentage 2 | 1 | out of range: 0 to 1",
                "calibrate --seconds 0 | 1 | --seconds 0 is out of range",
                "edge --scale huge | 1 | There is no scale 'huge' of this study",
                "serve --http-port 70000 | 1 | --http-port 70000 is out of range: 0 to 65535",
                "bench NoSuchCall | 1 | No benchmark is called 'NoSuchCall'",
                "bench ( | 1 | is no regular expression: Unclosed group",
                "bench --stages nowhere | 1 | There is no stage 'nowhere': choose one of baseline",
                "bench --stages geo-partitioned | 1 | Stage geo-partitioned places rows in regions",
                "bench --preset slow | 1 | There is no preset 'slow': choose one of quick, full",
                "bench --keys some | 1 | There are no keys 'some': choose uniform or zipfian",
                "bench --mode thrpt | 1 | There is no mode 'thrpt': choose sample or avgt",
                "bench --threads 0 | 1 | --threads 0 is out of range",
                "bench --rounds 0 | 1 | --rounds 0 is out of range",
                "bench --warm-up 0 | 1 | --warm-up 0.0 is out of range: 0.4 to 600 seconds",
                "bench --scale huge | 1 | There is no scale 'huge'",
                "bench --out /proc/nowhere | 1 | name another with --out",
                "check --isolation sometimes | 1 | There is no isolation level 'sometimes'",
                "check --concurrency 0 | 1 | --concurrency 0 is out of range",
                "check --faults -1 | 1 | --faults -1 is out of range",
                "check --faults 1 --fault flood | 1 | There is no fault 'flood'",
                "check --fault kill | 1 | --fault requires --faults N",
                "check --broken mug | 1 | unknown client defect 'mug'",
                "check history nothing.jsonl | 1 | nothing.jsonl",
                "check --through pigeons | 1 | There is no --through 'pigeons'",
                "check --through service --broken cache | 1 | is not possible through the service",
                "check --broken bypass | 1 | add --through service",
                "nonsense | 2 | Unmatched argument",
                "'' | 2 | Name a command",
            })
    void badInputIsAnsweredByOneClearLine(String arguments, int code, String message) {
        int ended = run(arguments.isBlank() ? new String[0] : arguments.split(" ", -1));
        assertThat(ended).as(error.toString()).isEqualTo(code);
        assertThat(output.toString()).isEmpty();
        List<String> lines =
                error.toString().lines().filter(line -> line.contains(message)).toList();
        assertThat(lines).as(error.toString()).hasSize(1);
        assertThat(error.toString()).doesNotContain("\tat ", "Exception");
        if (code == 1) {
            assertThat(error.toString().lines()).hasSize(1);
        }
    }
}
