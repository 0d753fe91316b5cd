package io.movr.check;

import io.movr.UserError;
import io.movr.check.Transaction.Outcome;
import io.movr.database.Cluster;
import io.movr.database.DatabaseSource;
import io.movr.database.Gateway;
import io.movr.database.ProcessEnd;
import io.movr.environment.EnvironmentProbe;
import io.movr.region.Distances;
import io.movr.report.CheckResults;
import io.movr.report.CpuSteal;
import io.movr.report.Environment;
import io.movr.report.RunBundle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Runs of clients that append to lists, optionally under faults, whose histories are checked. */
public final class CheckedRuns {

    /** The maximum number of explained anomalies in the result of a run. */
    private static final int MAX_EXPLANATIONS = 10;

    private final CheckRequest request;
    private final Cluster cluster;
    private final CheckDatabase database;
    private final CheckDisplay display;
    private final RunBundle bundle;

    /** Counted down when all results are written. The end of the process waits for it. */
    private final CountDownLatch written = new CountDownLatch(1);

    private CheckedRuns(
            CheckRequest request, Cluster cluster, CheckDatabase database, CheckDisplay display, RunBundle bundle) {
        this.request = request;
        this.cluster = cluster;
        this.database = database;
        this.display = display;
        this.bundle = bundle;
    }

    /**
     * Opens the database, runs the clients, and checks their histories.
     *
     * @return whether no run has an anomaly that its level forbids, and every check was complete
     */
    public static boolean of(DatabaseSource source, CheckRequest request, CheckDisplay display)
            throws InterruptedException {
        Instant startedAt = Instant.now();
        RunBundle.check(request.out());
        display.progress("Starting the database…");
        boolean restartable = request.faults() > 0;
        try (Cluster cluster = request.inRegions()
                        ? source.regions(request.map(), Distances.standard(), null, restartable)
                        : source.temporary(restartable);
                CheckDatabase database = CheckDatabase.of(cluster, source)) {
            RunBundle bundle =
                    RunBundle.create(request.out(), startedAt, cluster.engine().folder(), "check");
            return new CheckedRuns(request, cluster, database, display, bundle).run(startedAt);
        } finally {
            display.clear();
        }
    }

    private boolean run(Instant startedAt) throws InterruptedException {
        CpuSteal stolen = new CpuSteal();
        Environment environment = EnvironmentProbe.of(cluster, database.direct(), request.program());
        if (request.throughService()) {
            display.progress("Loading MovR's rows…");
            CheckedService.load(cluster, database.direct(), request.defect());
        }
        display.title(
                Cluster.product(cluster.version()) + ", " + request.shape().lists() + " lists in use, seed "
                        + request.seed() + (request.throughService() ? ", through the service" : ""));
        List<CheckResults.Run> results = new ArrayList<>();
        List<AppendRun.Settings> runs = request.runs();
        try {
            for (AppendRun.Settings settings : runs) {
                if (!ProcessEnd.hasBegun()) {
                    CheckResults.Run result = run(settings);
                    results.add(result);
                    display.result(result);
                }
            }
        } finally {
            if (!results.isEmpty()) {
                boolean complete =
                        results.size() == runs.size() && results.stream().allMatch(CheckResults.Run::passed);
                bundle.write(new CheckResults(
                        CheckResults.SCHEMA_VERSION,
                        "check",
                        startedAt.toString(),
                        request.command(),
                        complete,
                        environment.with(stolen),
                        request.settings(),
                        results,
                        List.of()));
                display.written(bundle.folder());
            }
            written.countDown();
        }
        return results.stream().allMatch(CheckResults.Run::passed);
    }

    private CheckResults.Run run(AppendRun.Settings settings) throws InterruptedException {
        String title = settings.isolation().id() + ", " + settings.clients()
                + (settings.clients() == 1 ? " client" : " clients");
        try (Faults faults = request.faults() == 0
                        ? null
                        : new Faults(
                                cluster,
                                database.gateways(),
                                database.direct(),
                                request.throughService() ? CheckedService.TABLE : Faults.LISTS);
                CheckedService service = request.throughService() ? service(settings, faults) : null) {
            AppendRun run = service == null
                    ? new AppendRun(List.copyOf(clientGateways(faults).values()), database.direct(), settings)
                    : new AppendRun(service.lists(request.map().allCities(), settings), settings);
            Nemesis nemesis = faults == null ? null : nemesis(faults, run.probes());
            Level level = AppendRun.readLevel(database.direct(), settings.isolation());
            ProcessEnd.before(() -> {
                run.stop();
                ProcessEnd.awaitResults(written, "the clients do not end, so the results are lost");
            });
            AppendRun.RecordedHistory history = run.run(
                    nemesis, (seconds, ok, failed, unknown) -> progress(title, seconds, ok, failed, unknown, nemesis));
            display.progress(title + ": checking the history…");
            Report report = ListAppendChecker.check(history.history(), history.lists());
            List<String> violations = new ArrayList<>(history.violations());
            if (service != null) {
                violations.addAll(CheckedService.invariantViolations(database.direct()));
            }
            String file = "history-" + settings.isolation().id() + "-" + settings.clients() + ".jsonl";
            Histories.write(history.historyWithLists(), bundle.folder().resolve(file));
            display.clear();
            return result(
                    settings,
                    level,
                    history,
                    report,
                    nemesis == null ? List.of() : nemesis.injected(),
                    violations,
                    file);
        }
    }

    private CheckedService service(AppendRun.Settings settings, @Nullable Faults faults) throws InterruptedException {
        display.progress("Starting the service…");
        return CheckedService.start(
                clientGateways(faults), request.inRegions(), request.map(), settings, faults, bundle.folder());
    }

    /** Returns the gateways that clients connect to, by name. */
    private Map<String, Gateway> clientGateways(@Nullable Faults faults) {
        return faults == null ? database.gateways() : faults.gateways();
    }

    private void progress(String title, double seconds, long ok, long failed, long unknown, @Nullable Nemesis nemesis) {
        display.progress(String.format(
                Locale.ROOT,
                "%s: %.0f of %d s, %,d committed, %,d failed, %,d unknown%s",
                title,
                seconds,
                request.duration().toSeconds(),
                ok,
                failed,
                unknown,
                nemesis == null ? "" : ", " + nemesis.injected().size() + " of " + request.faults() + " faults"));
    }

    private Nemesis nemesis(Faults faults, List<ListStore.Probe> probes) {
        Map<Fault.Kind, Map<String, Nemesis.Action>> possible = faults.actions();
        for (Fault.Kind kind : request.kinds()) {
            if (!possible.containsKey(kind)) {
                throw new UserError("--fault " + kind.id() + " cannot be made here: choose "
                        + possible.keySet().stream().map(Fault.Kind::id).collect(Collectors.joining(", ")));
            }
        }
        if (!request.kinds().isEmpty()) {
            possible.keySet().retainAll(request.kinds());
        }
        return new Nemesis(
                Nemesis.schedule(request.seed(), request.faults(), possible),
                possible,
                probes,
                injected -> display.line(String.format(
                        Locale.ROOT,
                        "%7.1f s  %s %s for %.1f s, writes again %.1f s later",
                        injected.at(),
                        injected.fault().kind().id(),
                        injected.fault().target(),
                        injected.fault().duration().toNanos() / 1e9,
                        injected.recoverySeconds())));
    }

    private static CheckResults.Run result(
            AppendRun.Settings settings,
            Level level,
            AppendRun.RecordedHistory history,
            Report report,
            List<Nemesis.InjectedFault> faults,
            List<String> violations,
            String file) {
        Map<Outcome, Long> outcomes =
                history.history().stream().collect(Collectors.groupingBy(Transaction::outcome, Collectors.counting()));
        long committed = outcomes.getOrDefault(Outcome.OK, 0L);
        Histogram latencies = history.latencies();
        return new CheckResults.Run(
                settings.isolation().id(),
                level.id(),
                settings.clients(),
                history.seconds(),
                committed,
                outcomes.getOrDefault(Outcome.FAIL, 0L),
                outcomes.getOrDefault(Outcome.INFO, 0L),
                committed / history.seconds(),
                latencies.getValueAtPercentile(50) / 1e6,
                latencies.getValueAtPercentile(99) / 1e6,
                history.failures(),
                history.acknowledgedAppends(),
                history.lists().size(),
                Arrays.stream(AnomalyType.values())
                        .map(type -> new CheckResults.Anomaly(
                                type.id(), type.title(), report.counts().getOrDefault(type, 0), level.forbids(type)))
                        .toList(),
                report.examples().stream()
                        .sorted(Comparator.comparing(anomaly -> !level.forbids(anomaly.type())))
                        .limit(MAX_EXPLANATIONS)
                        .map(anomaly -> anomaly.type().id() + ": " + anomaly.explanation())
                        .toList(),
                faults.stream()
                        .map(one -> new CheckResults.Fault(
                                one.fault().kind().id(),
                                one.fault().target(),
                                one.at(),
                                one.fault().duration().toNanos() / 1e9,
                                one.recoverySeconds()))
                        .toList(),
                violations,
                file,
                reasonForIncompleteness(history, report));
    }

    /** Returns why anomalies of a run may be missing from the result; empty if the check is complete. */
    private static String reasonForIncompleteness(AppendRun.RecordedHistory history, Report report) {
        if (!history.stopReason().isEmpty()) {
            return "the run ended early, because " + history.stopReason();
        }
        return report.truncated() ? "the search for cycles reached its limit: use fewer clients or --rate" : "";
    }
}
