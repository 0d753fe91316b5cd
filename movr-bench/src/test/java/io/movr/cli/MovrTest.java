package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.UserError;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
                "--format xml|There is no format 'xml': choose table or github",
                "--if-unsure perhaps|--if-unsure perhaps is unknown: choose pass, fail or skip",
                "--fail-on faster>5%|--fail-on 'faster>5%' is no percentage",
                "--junit " + folder + "|Cannot write the file of --junit, " + folder,
                "--format github --list|--format, --junit and --if-unsure are about experiments that are measured")) {
            error.getBuffer().setLength(0);
            String[] parts = wrong.split("\\|", -1);
            assertThat(run(("lab " + parts[0]).split(" ", -1))).isEqualTo(1);
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

    @Test
    void everyCommandHasHelpWithExamplesAndStandsInItsGroup() {
        assertThat(run("--help")).isZero();
        String all = output.toString();
        Set<String> commands = new TreeSet<>(Movr.commandLine().getSubcommands().keySet());
        commands.removeAll(Set.of("generate-completion", "help"));
        assertThat(commands).hasSizeGreaterThan(10).allSatisfy(command -> {
            output.getBuffer().setLength(0);
            assertThat(run(command, "--help")).isZero();
            assertThat(output.toString()).contains("Usage: movr " + command, "Examples:");
            assertThat(all).contains("  " + command + " ");
        });
    }

    /** Picocli warns on standard error of a per cent sign that is not doubled, and prints the rest of the text as it is. */
    @Test
    void everyHelpIsPrintedWithoutAWarning() {
        PrintStream standard = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            Movr.commandLine().getSubcommands().values().forEach(CommandLine::getUsageMessage);
        } finally {
            System.setErr(standard);
        }
        assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    /** The terminal's width decides where a paragraph is broken, once. */
    @Test
    void everyParagraphOfHelpIsOneString() {
        assertThat(Movr.commandLine().getSubcommands()).allSatisfy((name, command) -> {
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
                "lab --copy tables | 1 | --copy says how a database is copied for experiments",
                "lab --in-place shop | 1 | --in-place measures experiments on a database that is named",
                "lab --samples 5 | 1 | --samples 5 is too few",
                "lab --scale huge | 1 | There is no scale 'huge': choose one of tiny, quick, tutorial",
                "lab --cities rome --scale tiny | 1 | keep boston among --cities",
                "lab --scale tiny --out /proc/nowhere | 1 | name another with --out",
                "lab --rides 10 | 1 | --rides 10 is too few to measure",
                "lab --url jdbc:postgresql://127.0.0.1:1/x | 1 | Cannot connect to jdbc:postgresql://127.0.0.1:1/x",
                "lab --url localhost | 1 | write jdbc:postgresql://host:port/database",
                "lab --url jdbc:postgresql://h/x --data-dir y | 1 | give one of them",
                "lab --runs 1 | 1 | about the traffic of multi-region-*: add --with-traffic",
                "lab --with-traffic --url jdbc:postgresql://h/x | 1 | need a database in each of several regions",
                "lab --only multi-region-qps --data-dir x | 1 | need a database in each of several regions",
                "lab --only multi-region-p99 --samples 30 | 1 | --samples is about the experiments that are not",
                "lab --with-traffic --closed 0 | 1 | --closed 0 leaves nothing to measure multi-region-qps by",
                "lab --calibration nowhere | 1 | --calibration nowhere is no bundle of movr calibrate",
                "load --rides -1 | 1 | --rides -1 is out of range",
                "load --users 2 | 1 | --users 2 is out of range: at least 9 (one a city)",
                "load --connections 0 | 1 | --connections 0 is out of range",
                "load --append --replace | 2 | mutually exclusive",
                "load --rides many | 2 | Invalid value for option '--rides'",
                "migrate | 1 | Say where to",
                "migrate --stage nowhere | 1 | There is no stage 'nowhere': choose one of baseline",
                "migrate --print --url jdbc:postgresql://h/x | 1 | leave out --url",
                "migrate --print --engine oracle | 1 | There is no engine 'oracle': choose postgresql or cockroach",
                "migrate --to latest --home us-east1= | 1 | --home: The region us-east1 has no city",
                "migrate --to latest --home US=boston | 1 | --home: A region's name is lower-case",
                "migrate --to latest --wait -1 | 1 | --wait -1.0 is out of range",
                "load --url jdbc:postgresql://h/x --url jdbc:postgresql://i/x | 1 | each names its region",
                "regions --rtt us-east1:mars=5ms | 1 | There is no region 'mars': choose one of us-east1, us-west1",
                "regions --rtt fast | 1 | write it like --rtt us-east1:europe-west1=90ms",
                "regions --mend us-east1:us-west1 | 1 | No regions run here",
                "regions --stage nowhere | 1 | There is no stage 'nowhere'",
                "regions --demo | 1 | --demo goes with --engine cockroach",
                "traffic --mix strong | 1 | There is no mix 'strong': choose movr, python or journey",
                "traffic --slo fast | 1 | is no objective: write it like --slo p99=200ms",
                "traffic --rate 0 | 1 | --rate 0.0 is out of range",
                "traffic --before geo-partitioned --after baseline | 1 | is no stage before --after",
                "traffic --after region-survival | 1 | There is no stage region-survival on PostgreSQL",
                "traffic --after-database movr_after | 1 | --after-database is about a cluster that --url names",
                "traffic --kill us-east1 | 1 | --kill is about the nodes of a CockroachDB that movr starts: add --engine cockroach",
                "traffic --kill us-east1 --engine cockroach --demo | 1 | and leave --demo and --url out",
                "traffic --kill mars --engine cockroach | 1 | There is no region 'mars': choose one of us-east1, us-west1",
                "traffic --nodes 4 --engine cockroach | 1 | --nodes 4 is not possible with 3 regions: choose 3, one in each, or 9",
                "traffic --nodes 3 | 1 | --nodes is about CockroachDB: leave it out, or add --engine cockroach",
                "regions --nodes 3 --engine cockroach --demo | 1 | --demo has nine nodes: leave --nodes out",
                "regions --cut a:b --mend a:b | 1 | one at a time",
                "regions --keep --engine cockroach | 1 | --keep is about the files of embedded PostgreSQL",
                "regions --rtt us-east1:us-west1=5ms --url us-east1=postgresql://nowhere/x | 1 | --rtt is about links",
                "regions --http-port 65534 | 1 | is out of range: 0 to 65533",
                "regions --placement | 1 | No regions run here: say of which cluster",
                "ycsb --workload G | 1 | There is no workload 'G'",
                "ycsb --read-freq 0.5 | 1 | go with --workload CUSTOM",
                "ycsb --workload custom --read-freq 0.5 | 1 | add up to 1",
                "ycsb --duration soon | 2 | write it like 60s, 1m30s or 250ms",
                "ycsb --request-distribution pareto | 1 | choose zipfian, uniform, latest",
                "ycsb --url jdbc:postgresql://127.0.0.1:1/x | 1 | Cannot connect to jdbc:postgresql://127.0.0.1:1/x",
                "tpcb --scale 0 | 1 | --scale 0 is out of range",
                "tpcb --order random | 1 | There is no order 'random'",
                "doctor --full --skip load | 1 | --skip takes experiments, cache, service, promo-codes, not load",
                "migrate --adopt | 1 | name it with --url",
                "run --mix strong | 1 | There is no mix 'strong': choose movr or python",
                "run --read-only-percentage 2 | 1 | out of range: 0 to 1",
                "calibrate --seconds 0 | 1 | --seconds 0 is out of range",
                "serve --http-port 70000 | 1 | --http-port 70000 is out of range: 0 to 65535",
                "tune --repeat 0 --statement x | 1 | --repeat 0 is out of range",
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
                "check --fault kill | 1 | say how many with --faults",
                "check --broken mug | 1 | There is no client that is broken by 'mug'",
                "check --history nothing.jsonl | 1 | nothing.jsonl",
                "check --through pigeons | 1 | There is no way 'pigeons'",
                "check --through service --ops 2 | 1 | leave --ops out",
                "check --through service --appends 500 | 1 | --appends 500 is out of range",
                "check --through service --broken cache | 1 | is not done through the service",
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
