package io.movr.cli;

import io.movr.console.RegionsRun;
import io.movr.traffic.Control;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The commands that running regions execute. */
final class RegionsActions {

    private RegionsActions() {}

    /** A command that running regions execute. */
    private abstract static class Action implements Callable<Integer> {

        @Spec
        private @Nullable CommandSpec spec;

        /** Returns the verb and its arguments. */
        List<String> words(String name) {
            return List.of(name);
        }

        /** Shows a line that the regions print while they execute the command. */
        void show(String line, PrintWriter output) {}

        @Override
        public final Integer call() {
            CommandSpec command = Objects.requireNonNull(spec);
            PrintWriter output = command.commandLine().getOut();
            String done = Control.sendCommand(RegionsRun.folder(), words(command.name()), line -> show(line, output));
            output.println(Character.toUpperCase(done.charAt(0)) + done.substring(1) + ".");
            output.flush();
            return 0;
        }
    }

    /** A command that prints a table. */
    private abstract static class TableAction extends Action {

        @Override
        final void show(String line, PrintWriter output) {
            // Progress is not printed.
            if (!line.endsWith("%")) {
                output.println(line);
            }
        }
    }

    /** A command about the link between two regions. */
    private abstract static class LinkAction extends Action {

        @Parameters(paramLabel = "A:B", description = "The two regions.")
        private String pair = "";

        @Override
        final List<String> words(String name) {
            RegionPair regions = RegionPair.of(pair, "us-east1:us-west1");
            return List.of(name, regions.one(), regions.other());
        }
    }

    /** {@code movr regions cut}. */
    @Command(
            name = "cut",
            description = "Cut the link between two running regions.",
            footer = {
                "",
                "Examples:",
                "  movr regions cut us-east1:us-west1",
                "  movr regions cut us-east1:europe-west1",
                "  movr regions mend us-east1:us-west1"
            })
    static final class Cut extends LinkAction {}

    /** {@code movr regions mend}. */
    @Command(
            name = "mend",
            description = "Restore a link that was cut.",
            footer = {
                "",
                "Examples:",
                "  movr regions mend us-east1:us-west1",
                "  movr regions mend us-east1:europe-west1",
                "  movr regions cut us-east1:us-west1"
            })
    static final class Mend extends LinkAction {}

    /** {@code movr regions slow}. */
    @Command(
            name = "slow",
            description = "Set the round trip between two running regions.",
            footer = {
                "",
                "Examples:",
                "  movr regions slow us-east1:us-west1=300ms",
                "  movr regions slow us-east1:europe-west1=0.5ms",
                "  movr regions slow us-east1:us-west1=66ms"
            })
    static final class Slow extends Action {

        @Parameters(paramLabel = "A:B=MS", description = "The two regions, and the round trip.")
        private String pair = "";

        @Override
        List<String> words(String name) {
            RegionPair regions = RegionPair.withRoundTrip(pair, "us-east1:us-west1=300ms");
            return List.of(
                    name,
                    regions.one(),
                    regions.other(),
                    Long.toString(regions.roundTrip().toNanos()));
        }
    }

    /** A command about the server of a region, or about its instance of the service. */
    private abstract static class RegionAction extends Action {

        @Parameters(paramLabel = "REGION", description = "The region.")
        private String region = "";

        @Option(names = "--service", description = "The instance of the service instead of the server.")
        private boolean service;

        @Override
        final List<String> words(String name) {
            return List.of(service ? name + "-service" : name, region);
        }
    }

    /** {@code movr regions kill}. */
    @Command(
            name = "kill",
            description = "Kill the server, or every node, in a running region.",
            footer = {
                "",
                "Examples:",
                "  movr regions kill us-west1",
                "  movr regions kill us-west1 --service",
                "  movr regions restart us-west1"
            })
    static final class Kill extends RegionAction {}

    /** {@code movr regions restart}. */
    @Command(
            name = "restart",
            description = "Restart the server, or every node, that was killed in a region.",
            footer = {
                "",
                "Examples:",
                "  movr regions restart us-west1",
                "  movr regions restart us-west1 --service",
                "  movr regions kill us-west1"
            })
    static final class Restart extends RegionAction {}

    /** {@code movr regions traffic}. */
    @Command(
            name = "traffic",
            description = "Send requests to the services of running regions until another rate is set.",
            footer = {
                "",
                "Examples:",
                "  movr regions traffic 10",
                "  movr regions traffic 10 --remote-share 0.05 --write-share 0.2",
                "  movr regions traffic 0"
            })
    static final class Traffic extends Action {

        @Parameters(paramLabel = "N", description = "Arrivals per second in each region, 0 to 100; 0 ends the traffic.")
        private double perSecond;

        @Mixin
        private RemoteShareOption remote = new RemoteShareOption();

        @Option(
                names = "--write-share",
                paramLabel = "SHARE",
                description =
                        "Share of arrivals that start and end a ride, 0 to 1 (default: 0.1). The others list a city's"
                                + " vehicles.")
        private double writeShare = 0.1;

        @Override
        List<String> words(String name) {
            return List.of(name, plain(perSecond), plain(remote.remoteShare()), plain(writeShare));
        }

        private static String plain(double number) {
            return Double.isFinite(number)
                    ? BigDecimal.valueOf(number).stripTrailingZeros().toPlainString()
                    : Double.toString(number);
        }
    }

    /** {@code movr regions matrix}. */
    @Command(
            name = "matrix",
            description = "Measure reading a user by its key from each running region, for rows of each region.",
            footer = {
                "",
                "Examples:",
                "  movr regions matrix",
                "  movr regions slow us-east1:us-west1=300ms && movr regions matrix",
                "  movr migrate --stage regional-by-row && movr regions matrix"
            })
    static final class Matrix extends TableAction {}

    /** {@code movr regions staleness}. */
    @Command(
            name = "staleness",
            description = "Read promo codes in each running region while the primary region changes them.",
            footer = {
                "",
                "Prints latency and staleness of each way to read them, 5 s each.",
                "",
                "Examples:",
                "  movr regions staleness",
                "  movr migrate --stage global-promo-codes && movr regions staleness",
                "  movr regions slow us-east1:us-west1=300ms && movr regions staleness"
            })
    static final class Staleness extends TableAction {}

    /** {@code movr regions ledger}. */
    @Command(
            name = "ledger",
            description = "Count the acknowledged rides of 'movr regions traffic': found, lost, or found twice.",
            footer = {
                "",
                "Examples:",
                "  movr regions ledger",
                "  movr regions traffic 0 && movr regions ledger",
                "  movr regions restart us-west1 && movr regions ledger"
            })
    static final class Ledger extends Action {}

    /** {@code movr regions stop}. */
    @Command(
            name = "stop",
            description = "Stop the running regions.",
            footer = {
                "",
                "Examples:",
                "  movr regions stop",
                "  movr regions traffic 0 && movr regions stop",
                "  movr regions ledger && movr regions stop"
            })
    static final class Stop extends Action {}
}
