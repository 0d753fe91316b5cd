package io.movr.cli;

import io.movr.database.Cluster;
import io.movr.dataset.DatasetSpec;
import io.movr.dataset.LoadProgress;
import io.movr.lab.Lab;
import io.movr.lab.LabListener;
import io.movr.lab.LabRequest;
import io.movr.lab.Regions;
import io.movr.region.Distances;
import io.movr.region.RegionMap;
import io.movr.report.LabResults;
import io.movr.report.LabTable;
import io.movr.report.RunBundle;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code movr lab}. */
@Command(
        name = "lab",
        description = "Measure what each tuning stage does, and set it beside what was published.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            "",
            "Without options: an embedded PostgreSQL, 100,000 rides, all experiments, about five minutes. Those called geo-*",
            "run on servers in three regions, as far from each other as the published samples show; of one database that is",
            "named with --url they are left out.",
            "Exit code 0 when every experiment was measured with the right answers by the right plans,",
            "whatever its verdict.",
            "",
            "Experiments: pk-lookup, name-index, covering-index, join-index, in-list, bulk-insert,",
            "unused-index, returning-id, geo-read-new-york, geo-write-new-york, geo-write-los-angeles",
            "",
            "Examples:",
            "  movr lab",
            "  movr lab --only name-index,join-index --samples 100",
            "  movr lab --scale tutorial --out my-results",
            "  movr lab --url \"jdbc:postgresql://localhost:5432/postgres?user=me\""
        })
final class LabCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--only",
            paramLabel = "ID",
            split = ",",
            description = "Experiments to run, separated by commas (default: all).")
    private @Nullable List<String> only;

    @Option(
            names = "--samples",
            paramLabel = "N",
            description = "Samples of each side, at least 30 (default: as many as fit into some seconds).")
    private @Nullable Integer samples;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            defaultValue = "results",
            description = "Where the folder with the results is made (default: results).")
    private Path out = Path.of("results");

    @Option(names = "--force", description = "Measure although the preflight finds a problem; the report says so.")
    private boolean force;

    @Option(
            names = "--no-keep-awake",
            description = "Let processors fall asleep between statements, which makes short ones vary more.")
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
            description = "A round trip between two regions, as of 'movr regions'.")
    private List<String> roundTrips = List.of();

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Connections that load rows (default: one a core, 8 at most).")
    private int connections = LoadCommand.defaultConnections();

    @Override
    public Integer call() {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter output = command.commandLine().getOut();
        Terminal terminal = new Terminal(command.commandLine().getErr());
        DatasetSpec rows = dataset.spec();
        List<String> words = Movr.words(command);
        if (!roundTrips.isEmpty()) {
            database.requireOwnLinks("--rtt");
        }
        RegionMap map = regions.map(RegionMap.tutorial());
        Distances distances = RegionsCommand.distances(roundTrips, map);
        Regions places = database.hasRegions() ? new Regions(map, () -> database.regions(map, distances, null)) : null;
        LabRequest request = new LabRequest(
                only != null ? only : places == null ? Lab.ofOneRegion() : Lab.experiments(),
                dataset.scaleName(),
                rows,
                connections,
                samples,
                out,
                force,
                !letSleep,
                new LabRequest.Program(Build.version(), Build.commit()),
                words);
        RunBundle.check(out);
        terminal.progress("Starting the database…");
        LoadProgress progress = new LoadProgress();
        Lab.Outcome outcome;
        try (Cluster cluster = database.temporary();
                Display display = new Display(terminal, progress, rows.totalRows())) {
            terminal.line(cluster.version().replaceAll(" on .*", "") + (cluster.embedded() ? ", embedded" : "") + "; "
                    + String.format(Locale.ROOT, "%,d", rows.rides()) + " rides; "
                    + request.experiments().size()
                    + (request.experiments().size() == 1 ? " experiment" : " experiments"));
            outcome = new Lab(cluster, request, places, display).run(progress);
        }
        output.println();
        output.print(LabTable.of(outcome.results()));
        output.println();
        output.println("Report: " + outcome.bundle().report());
        output.flush();
        return outcome.results().complete() ? 0 : 1;
    }

    /** Shows a run while it goes on. */
    private static final class Display implements LabListener, AutoCloseable {

        private final Terminal terminal;
        private final PreparationDisplay preparation;
        private final long begun = System.nanoTime();
        private String current = "";
        private int number;
        private int of;
        private long measuringSince;

        Display(Terminal terminal, LoadProgress load, long totalRows) {
            this.terminal = terminal;
            preparation = new PreparationDisplay(terminal, load, totalRows);
        }

        @Override
        public void preparing(String what) {
            preparation.show(what);
        }

        @Override
        public void measuring(int newNumber, int newOf, String id) {
            preparation.close();
            if (newNumber == 1) {
                measuringSince = System.nanoTime();
                terminal.line(String.format(
                        Locale.ROOT, "Databases ready after %s", Terminal.duration((measuringSince - begun) / 1e9)));
            }
            number = newNumber;
            of = newOf;
            current = id;
            progress(0);
        }

        @Override
        public void progress(double part) {
            double done = (number - 1 + part) / of;
            double seconds = (System.nanoTime() - measuringSince) / 1e9;
            String left = done > 0.03 ? ", about " + Terminal.duration(seconds / done * (1 - done)) + " left" : "";
            terminal.progress(
                    String.format(Locale.ROOT, "%d/%d %-14s %3.0f%%%s", number, of, current, 100 * part, left));
        }

        @Override
        public void measured(LabResults.Experiment result) {
            terminal.line(String.format(Locale.ROOT, "%d/%d %s", number, of, LabTable.line(result)));
        }

        @Override
        public void close() {
            preparation.close();
            terminal.clear();
        }
    }
}
