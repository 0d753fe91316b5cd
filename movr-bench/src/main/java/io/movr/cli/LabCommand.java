package io.movr.cli;

import io.movr.UserError;
import io.movr.calibration.SideBySide;
import io.movr.database.Cluster;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.lab.ExperimentFolders;
import io.movr.lab.ExperimentSkeleton;
import io.movr.lab.Lab;
import io.movr.lab.LabOutcome;
import io.movr.lab.LabRequest;
import io.movr.lab.Regions;
import io.movr.lab.StageDatabases;
import io.movr.lab.StatementStatistics;
import io.movr.published.PublishedFigures;
import io.movr.region.Distances;
import io.movr.region.RegionMap;
import io.movr.report.ByteSize;
import io.movr.report.LabResults;
import io.movr.report.RunBundle;
import io.movr.schema.Stage;
import io.movr.traffic.TrafficPlan;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code movr lab}. */
@Command(
        name = "lab",
        description = "Measure what each tuning stage gains, and compare it with the published figures.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Without options: an embedded PostgreSQL, 100,000 rides, all experiments but multi-region-*, "
                    + "about three minutes. The geo-* experiments run on servers in three regions, with the "
                    + "distances that the published samples show; on a single database named with --url they are "
                    + "left out.",
            "",
            "Exit code 0 when every experiment was measured with the right answers by the right plans, "
                    + "whatever its verdict, and no bound failed. Exit code 1 otherwise: a bound, --fail-on of experiments or "
                    + "max-slowdown of a write, fails if 'after' is shown to be slower by more. It passes if the whole 95%% "
                    + "interval lies within it. If the interval is too wide for either, --if-unsure decides.",
            "",
            "Experiments: those that --list prints; and multi-region-qps, multi-region-p99, which run when they are named or with "
                    + "--with-traffic: last, as 'movr traffic' runs them, in about ten more minutes.",
            "",
            "With --experiments: those of your folders instead, on rows of their own or on copies of the database that "
                    + "--url names; docs/experiments.md says how to write one.",
            "",
            "Examples:",
            "  movr lab",
            "  movr lab --only name-index,join-index --samples 100",
            "  movr lab --scale tutorial --out my-results",
            "  movr lab --with-traffic",
            "  movr lab --only multi-region-qps,multi-region-p99",
            "  movr lab --calibration results/20261122-091500-postgresql-calibration",
            "  movr lab --url \"jdbc:postgresql://localhost:5432/postgres?user=me\"",
            "  movr lab --experiments docs/samples/experiments --list",
            "  movr lab --init my-experiment --statement \"SELECT * FROM users WHERE name = 'Ada Brown'\"",
            "  movr lab --from-statistics --url \"jdbc:postgresql://localhost:5432/shop?user=me\"",
            "  movr lab --init my-experiment --from-statistics 1 --url \"jdbc:postgresql://localhost:5432/shop?user=me\"",
            "  movr lab --experiments my-experiment --url \"jdbc:postgresql://localhost:5432/shop?user=me\" --fail-on 'slower>5%%'",
            "  movr lab --experiments my-experiment --url \"jdbc:postgresql://localhost:5432/scratch?user=me\" --in-place scratch",
            "  movr lab --experiments my-experiment --fail-on 'slower>5%%' --junit lab.xml --format github"
        })
final class LabCommand implements Callable<Integer> {

    private static final int MOST_STATEMENTS = 20;

    /** Of an experiment on a CockroachDB that movr starts, with loading its databases, as measured on two cores. */
    private static final Duration ONE_REGION = Duration.ofSeconds(20);

    private static final Duration REGIONAL = Duration.ofSeconds(25);
    private static final Duration REGIONS_READY = Duration.ofMinutes(2);

    private static final String OPTIONS_OF_MEASURING =
            "--list, --experiments, --only, --with-traffic, --copy and --in-place";

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--only",
            paramLabel = "ID",
            split = ",",
            description = "Experiments to run, separated by commas (default: all but multi-region-*, or with "
                    + "--experiments those of the folders). Of a folder with scales, orders@10 is one scale.")
    private @Nullable List<String> only;

    @Option(
            names = "--experiments",
            paramLabel = "FOLDER",
            split = ",",
            description =
                    "Measure the experiments of these folders, each of which holds experiment.yaml or has folders "
                            + "that do.")
    private List<Path> experiments = List.of();

    @Option(
            names = "--max-copy",
            paramLabel = "SIZE",
            defaultValue = "20GB",
            description = "With --experiments and --url: the most that all copies of the database may take together "
                    + "(default: 20GB).")
    private String maxCopy = "20GB";

    @Option(
            names = "--copy",
            paramLabel = "KIND",
            description =
                    "With --experiments and the --url of a PostgreSQL: template copies the whole database, tables "
                            + "the tables that the experiments name (default: template if that is possible).")
    private @Nullable String copy;

    @Option(
            names = "--in-place",
            paramLabel = "NAME",
            description = "With --experiments and --url, for a scratch database only: measure on the database itself "
                    + "instead of copies, whose NAME is typed again. Only experiments whose sides differ by statement.")
    private @Nullable String inPlace;

    @Option(
            names = "--init",
            paramLabel = "FOLDER",
            description =
                    "Make this folder, an experiment about --statement, and measure nothing: the expected plan is "
                            + "that of today, and after.sql has the index that CockroachDB recommends, or for PostgreSQL a guess.")
    private @Nullable Path init;

    @Option(
            names = "--statement",
            paramLabel = "SQL",
            description =
                    "With --init: a statement with values in it; values that columns are compared with become parameters.")
    private @Nullable String statement;

    @Option(
            names = "--from-statistics",
            paramLabel = "N",
            arity = "0..1",
            fallbackValue = "0",
            description =
                    "With --url: print the statements that took the most time in that database, to choose one for --init, "
                            + "and measure nothing. With --init: make the experiment of the N-th of them, with values from rows "
                            + "that exist. PostgreSQL needs the extension pg_stat_statements.")
    private @Nullable Integer fromStatistics;

    @Option(
            names = "--list",
            description =
                    "Print the built-in experiments, or those of --experiments, with their titles, and measure nothing.")
    private boolean list;

    @Option(names = "--with-traffic", description = "Also measure multi-region-qps and multi-region-p99.")
    private boolean withTraffic;

    @Option(
            names = "--samples",
            paramLabel = "N",
            description = "Samples of each side, at least 30 (default: as many as fit into a few seconds).")
    private @Nullable Integer samples;

    @Option(
            names = "--calibration",
            paramLabel = "FOLDER",
            description =
                    "Also give each median in units of a machine: the bundle that 'movr calibrate' has left there.")
    private @Nullable Path calibration;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            defaultValue = "results",
            description = "Parent folder of the results (default: results).")
    private Path out = Path.of("results");

    @Option(
            names = "--fail-on",
            paramLabel = "BOUND",
            description = "Exit code 1 also when the 'after' of an experiment is shown to be slower by more than this: "
                    + "'slower>5%%', or 5%% for short.")
    private @Nullable String failOn;

    @Option(
            names = "--if-unsure",
            paramLabel = "pass|fail|skip",
            defaultValue = "skip",
            description =
                    "What a bound means of which nothing can be told, because the interval is too wide: pass, fail, or "
                            + "skip (default), which does not fail and is reported as skipped.")
    private String ifUnsure = "skip";

    @Option(
            names = "--junit",
            paramLabel = "FILE",
            description = "Also write JUnit's XML: a test case for each experiment and each write with a bound.")
    private @Nullable Path junit;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description =
                    "table, or github: Markdown for a pull request on standard output, which is also appended to the "
                            + "file that the variable GITHUB_STEP_SUMMARY names (default: table).")
    private String format = "table";

    @Option(names = "--force", description = "Measure even if the preflight finds a problem; the report says so.")
    private boolean force;

    @Option(
            names = "--no-keep-awake",
            description = "Let idle processors sleep between statements, which makes short statements vary more.")
    private boolean letSleep;

    @Mixin
    private DatasetOptions dataset = new DatasetOptions();

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private RegionOptions regions = new RegionOptions();

    @Option(
            names = "--rtt",
            paramLabel = "A:B=MS",
            description = "Round trip between two regions, as in 'movr regions'.")
    private List<String> roundTrips = List.of();

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Connections that load rows in parallel (default: one per core, at most 8).")
    private int connections = LoadCommand.defaultConnections();

    @ArgGroup(validate = false, heading = "Options of multi-region-*, as in 'movr traffic':%n")
    private @Nullable TrafficOptions size;

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        Instant startedAt = Instant.now();
        LabOutput shown = new LabOutput(format, junit, failOn, ifUnsure);
        if (shown.isAsked() && (fromStatistics != null || init != null || statement != null || list)) {
            throw new UserError(
                    "--format, --junit and --if-unsure are about experiments that are measured: leave them out,"
                            + " or --from-statistics, --init and --list");
        }
        if (fromStatistics != null && init == null) {
            return fromStatistics(output);
        }
        if (init != null || statement != null) {
            return init(output, terminal);
        }
        ExperimentFolders folders = folders();
        if (copy != null) {
            if (experiments.isEmpty() || !database.hasUrl() || list || inPlace != null) {
                throw new UserError("--copy says how a database is copied for experiments: add --experiments and --url,"
                        + " and leave --list and --in-place out, or leave --copy out");
            }
            folders = folders.copiedBy(copy);
        }
        if (inPlace != null) {
            folders = inPlace(folders, inPlace);
        }
        if (list) {
            Map<String, String> titles = experiments.isEmpty() ? Lab.titles() : folders.titles();
            titles.forEach((id, title) -> output.println(String.format(Locale.ROOT, "%-22s %s", id, title)));
            output.flush();
            return 0;
        }
        if (!roundTrips.isEmpty()) {
            database.requireOwnLinks("--rtt");
        }
        LabRequest request = new LabRequest(
                asked(folders),
                dataset.scaleName(),
                dataset.spec(),
                connections,
                samples,
                out,
                force,
                !letSleep,
                unit(),
                Build.program(),
                Movr.words(command),
                folders);
        Regions places = regionsOf(request);
        TrafficExperiment last = traffic(request, terminal);
        RunBundle.check(out);
        LabOutcome outcome = request.ofStatements().isEmpty() ? null : statements(request, places, terminal);
        if (last != null) {
            outcome = addTraffic(outcome, last, request, startedAt);
        }
        LabResults results = Objects.requireNonNull(outcome).results();
        terminal.warnOfSteal(results.environment().stolenShare());
        shown.show(results, outcome.bundle().report(), output, terminal);
        if (!shown.isMarkdown() && only == null && last == null && experiments.isEmpty() && database.hasRegions()) {
            output.println("Not measured: " + String.join(", ", Lab.ofTraffic())
                    + ". They take about twelve minutes more: movr lab --with-traffic");
        }
        output.flush();
        return shown.exitCode(results, terminal);
    }

    private boolean hasOptionsOfMeasuring() {
        return list || !experiments.isEmpty() || only != null || withTraffic || copy != null || inPlace != null;
    }

    private int fromStatistics(PrintWriter output) {
        if (!database.hasUrl()) {
            throw new UserError("--from-statistics is about a database that is in use: name it with --url");
        }
        if (statement != null || hasOptionsOfMeasuring()) {
            throw new UserError(
                    "--from-statistics only prints statements: leave --statement, " + OPTIONS_OF_MEASURING + " out");
        }
        try (Cluster cluster = database.temporary()) {
            output.print(StatementStatistics.table(costliest(cluster)));
        }
        output.println("Next: movr lab --init FOLDER --from-statistics N --url …");
        output.flush();
        return 0;
    }

    private static List<StatementStatistics> costliest(Cluster cluster) {
        List<StatementStatistics> statements =
                StatementStatistics.costliest(cluster.gateway(), cluster.engine(), MOST_STATEMENTS);
        if (statements.isEmpty()) {
            throw new UserError("The server has no statistics of statements in this database yet");
        }
        return statements;
    }

    /** The statement that is asked for, by itself or by its number among those that took the most time. */
    private String chosenStatement(PrintWriter output) {
        if (statement != null && fromStatistics != null) {
            throw new UserError("--statement and --from-statistics both name a statement: keep one of them");
        }
        if (statement != null) {
            return statement;
        }
        if (fromStatistics == null) {
            throw new UserError("--init makes an experiment of one statement: add --statement \"SELECT …\", or"
                    + " --from-statistics N with --url");
        }
        if (!database.hasUrl()) {
            throw new UserError("--from-statistics is about a database that is in use: name it with --url");
        }
        try (Cluster cluster = database.temporary()) {
            List<StatementStatistics> statements = costliest(cluster);
            if (fromStatistics < 1 || fromStatistics > statements.size()) {
                throw new UserError("--from-statistics " + fromStatistics + " names none of the " + statements.size()
                        + " statements that --from-statistics prints without --init");
            }
            String chosen = statements
                    .get(fromStatistics - 1)
                    .withValues(cluster.gateway(), one -> output.println("Note: " + one));
            output.println("Statement " + fromStatistics + ": " + chosen.replaceAll("\\s+", " "));
            return chosen;
        }
    }

    private int init(PrintWriter output, Terminal terminal) {
        Path folder = init;
        if (folder == null) {
            throw new UserError("--statement is what --init makes an experiment of: add --init FOLDER");
        }
        if (hasOptionsOfMeasuring()) {
            throw new UserError("--init measures nothing: leave " + OPTIONS_OF_MEASURING + " out");
        }
        boolean copies = database.hasUrl();
        ExperimentSkeleton skeleton = new ExperimentSkeleton(folder, chosenStatement(output), !copies);
        terminal.progress("Starting the database…");
        LoadProgress progress = new LoadProgress();
        ExperimentSkeleton.Written written;
        try (Cluster cluster = database.temporary();
                LabDisplay display =
                        new LabDisplay(terminal, progress, dataset.spec().totalRows())) {
            if (copies) {
                written = skeleton.write(cluster.gateway(), cluster.engine());
            } else {
                try (StageDatabases rows = new StageDatabases(
                        cluster,
                        dataset.spec(),
                        connections,
                        Set.of(Stage.FOREIGN_KEYS),
                        Set.of(),
                        progress,
                        display::preparing)) {
                    written = skeleton.write(rows.at(Stage.FOREIGN_KEYS, false), cluster.engine());
                }
            }
        }
        terminal.clear();
        output.println("Today's plan:");
        written.plan().lines().forEach(line -> output.println("  " + line));
        written.files().forEach(file -> output.println("Wrote " + file));
        if (!written.parameters().isEmpty()) {
            output.println("Parameters: " + String.join(", ", written.parameters()) + ", from rows that exist");
        }
        written.notes().forEach(one -> output.println("Note: " + one));
        written.proposal().forEach(one -> output.println("Proposed: " + one));
        if (written.proposal().isEmpty()) {
            output.println(
                    written.reads()
                            ? "There is no index to propose: write " + folder.resolve("after.sql")
                                    + ", and the plan that you expect of it into " + folder.resolve("experiment.yaml")
                            : "The statement reads no table, so no index can make it faster: write into "
                                    + folder.resolve("after.sql")
                                    + " the index, constraint or trigger whose cost is to be measured");
        }
        output.println("Next: movr lab --experiments " + folder + (copies ? " --url …" : ""));
        output.flush();
        return 0;
    }

    private ExperimentFolders folders() {
        long mostBytes = ByteSize.parse("--max-copy", maxCopy);
        if (experiments.isEmpty()) {
            return ExperimentFolders.none();
        }
        // What a list shows needs no database.
        return ExperimentFolders.read(experiments, list || database.hasUrl(), mostBytes, dataset.spec());
    }

    private ExperimentFolders inPlace(ExperimentFolders folders, String name) {
        if (experiments.isEmpty() || !database.hasUrl() || list) {
            throw new UserError("--in-place measures experiments on a database that is named: add --experiments and"
                    + " --url, and leave --list out, or leave --in-place out");
        }
        return folders.inPlace(name, asked(folders));
    }

    private List<String> asked(ExperimentFolders folders) {
        List<String> named = only == null ? null : folders.named(only);
        if (named == null && !folders.ids().isEmpty()) {
            named = folders.ids();
        } else if (named == null) {
            named = database.hasRegions() ? Lab.experiments() : Lab.ofOneRegion();
        }
        return Stream.concat(named.stream(), withTraffic ? Lab.ofTraffic().stream() : Stream.empty())
                .distinct()
                .toList();
    }

    private LabResults.@Nullable Unit unit() {
        Path folder = calibration;
        if (folder == null) {
            return null;
        }
        if (!SideBySide.isCalibration(folder)) {
            throw new UserError(
                    "--calibration " + folder + " is no bundle of movr calibrate: name a folder that it has made");
        }
        Path name = folder.toAbsolutePath().normalize().getFileName();
        return LabResults.Unit.ofRead(String.valueOf(name), SideBySide.unitMs(folder));
    }

    private @Nullable Regions regionsOf(LabRequest request) {
        if (!database.hasRegions() || request.ofRegions().isEmpty()) {
            return null;
        }
        RegionMap map = regions.map(RegionMap.tutorial());
        database.checkNodes(map);
        database.requireRegions(map);
        Distances distances = RegionsCommand.distances(roundTrips, map);
        return new Regions(map, () -> database.regions(map, distances, null));
    }

    private @Nullable TrafficExperiment traffic(LabRequest request, Terminal terminal) {
        if (request.ofTraffic().isEmpty()) {
            if (size != null) {
                throw new UserError(
                        "--rate, --seconds, --warm-up, --runs, --matrix and --closed are about the traffic of"
                                + " multi-region-*: add --with-traffic, or leave them out");
            }
            return null;
        }
        if (!database.hasRegions()) {
            throw new UserError(
                    "Experiments multi-region-* need a database in each of several regions: name one --url and"
                            + " one --home a region, or no database");
        }
        if (request.ofStatements().isEmpty()) {
            ParseResult parsed = Objects.requireNonNull(spec).commandLine().getParseResult();
            for (String option : List.of("--samples", "--calibration", "--connections", "--no-keep-awake")) {
                if (parsed.hasMatchedOption(option)) {
                    throw new UserError(option
                            + " is about the experiments that are not multi-region-*: name one, or leave it out");
                }
            }
        }
        TrafficPlan plan = (size == null ? new TrafficOptions() : size).plan();
        if (plan.closedLoop().isZero() && request.ofTraffic().contains(PublishedFigures.MULTI_REGION_QPS)) {
            throw new UserError("--closed 0 leaves nothing to measure " + PublishedFigures.MULTI_REGION_QPS
                    + " by: leave one of them out");
        }
        TrafficExperiment experiment =
                new TrafficExperiment(plan, regions, roundTrips, database, dataset, out, terminal, request.command());
        experiment.checkNamed(force);
        return experiment;
    }

    private LabOutcome statements(LabRequest request, @Nullable Regions places, Terminal terminal) {
        DatasetSpec rows = request.dataset();
        int number = request.ofStatements().size();
        terminal.progress("Starting the database…");
        LoadProgress progress = new LoadProgress();
        try (LabDisplay display = new LabDisplay(terminal, progress, request.totalRows());
                Cluster cluster = database.temporary()) {
            terminal.line(cluster.version().replaceAll(" on .*", "") + (cluster.embedded() ? ", embedded" : "") + "; "
                    + (request.loadsMovr() ? String.format(Locale.ROOT, "%,d", rows.rides()) + " rides; " : "")
                    + number
                    + (number == 1 ? " experiment" : " experiments")
                    + (cluster.embedded() && !cluster.engine().copiesDatabases() ? expected(request) : ""));
            return new Lab(cluster, request, places, display).run(progress);
        }
    }

    /** Every stage is loaded by itself there, and those of regions wait for their leaseholders. */
    private static String expected(LabRequest request) {
        List<String> regional = request.ofRegions();
        Duration expected = ONE_REGION
                .multipliedBy(request.ofStatements().size() - regional.size())
                .plus(REGIONAL.multipliedBy(regional.size()))
                .plus(regional.isEmpty() ? Duration.ZERO : REGIONS_READY);
        return "; about " + Terminal.duration(expected.toMillis() / 1e3) + " on two cores at scale quick";
    }

    private static LabOutcome addTraffic(
            @Nullable LabOutcome statements, TrafficExperiment traffic, LabRequest request, Instant startedAt)
            throws InterruptedException {
        TrafficExperiment.Outcome measured;
        try {
            measured = traffic.run();
        } catch (UserError failed) {
            throw statements == null
                    ? failed
                    : new UserError(
                            failed.getMessage() + "; the experiments before it are in "
                                    + statements.bundle().report(),
                            failed);
        }
        RunBundle bundle = statements == null
                ? RunBundle.create(request.out(), startedAt, measured.engine().folder(), "lab")
                : statements.bundle();
        LabResults before =
                statements == null ? LabResults.of(measured.results(), startedAt, Lab.rules()) : statements.results();
        LabResults results = before.with(
                LabResults.Traffic.of(
                        measured.results(), "../" + measured.bundle().folder().getFileName(), request.ofTraffic()),
                Duration.between(startedAt, Instant.now()).toMillis() / 1e3);
        bundle.write(results);
        return new LabOutcome(results, bundle);
    }
}
