package io.movr.lab;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.plan.Plan;
import io.movr.database.plan.PlanReader;
import io.movr.environment.CpuIdlePrevention;
import io.movr.environment.StatementTimeout;
import io.movr.lab.Samples.Sample;
import io.movr.report.LabResults;
import io.movr.report.RunBundle;
import io.movr.stats.Comparison;
import io.movr.stats.Interval;
import io.movr.stats.Summary;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs one experiment: reads its plans, takes its samples, and checks both. */
final class ExperimentRun {

    /**
     * What the experiments of a run have in common.
     *
     * @param bundle the folder that receives plans and samples
     * @param sharedServer the server's process, if it shares a core with the calling thread; {@code null} if it does not
     */
    record Context(
            Cluster cluster,
            LabRequest request,
            LabListener listener,
            RunBundle bundle,
            @Nullable ProcessHandle sharedServer) {}

    private final Context context;
    private final PlanReader plans;
    private final Experiment experiment;
    private final Endpoints before;
    private final Endpoints after;
    private final Set<String> tables = new HashSet<>();
    private @Nullable Map<String, Long> rows;

    ExperimentRun(Context context, Experiment experiment, Endpoints before, Endpoints after) {
        this.context = context;
        this.plans = PlanReader.of(context.cluster().engine());
        this.experiment = experiment;
        this.before = before;
        this.after = after;
    }

    /** Measures an experiment on its databases. Processors stay busy unless it writes, because they slow a shared disk down. */
    LabResults.Experiment measure(ExperimentDatabases databases) {
        CpuIdlePrevention processors = new CpuIdlePrevention(context.request().keepAwake() && !experiment.writes());
        try {
            return result(() -> databases.rows(experiment));
        } finally {
            processors.close();
        }
    }

    /** Measures a write that belongs to another experiment, without counting its rows again. */
    LabResults.Experiment measureWrite() {
        return result(() -> null);
    }

    /** The tables that the plans name. */
    Set<String> tables() {
        return tables;
    }

    private interface RowCounter {

        @Nullable
        Map<String, Long> count() throws SQLException;
    }

    private LabResults.Experiment result(RowCounter counter) {
        try {
            plans(Measurement.BEFORE, experiment.before(), before);
            plans(Measurement.AFTER, experiment.after(), after);
            rows = counter.count();
            Samples taken = measurement().take(context.request().samples(), context.listener());
            // The planner may have changed its mind while rows came and went.
            List<LabResults.Plan> plansBefore = plans(Measurement.BEFORE, experiment.before(), before);
            List<LabResults.Plan> plansAfter = plans(Measurement.AFTER, experiment.after(), after);
            return judge(taken, plansBefore, plansAfter);
        } catch (WrongResult wrong) {
            return failed(String.valueOf(wrong.getMessage()));
        } catch (SQLException refused) {
            return failed(reason(refused));
        }
    }

    /** Runs each side without measuring it, and returns what is wrong; empty if nothing is. */
    Optional<String> tryOut() {
        try {
            plans(Measurement.BEFORE, experiment.before(), before);
            plans(Measurement.AFTER, experiment.after(), after);
            measurement().tryOut();
            return Optional.empty();
        } catch (WrongResult wrong) {
            return Optional.of(String.valueOf(wrong.getMessage()));
        } catch (SQLException refused) {
            return Optional.of(reason(refused));
        }
    }

    private Measurement measurement() {
        return new Measurement(experiment, before, after, context.sharedServer());
    }

    private String reason(SQLException failed) {
        if (failed instanceof StatementTimeout.TimeoutException late) {
            return late.describe(context.cluster().engine()) + ", this experiment alone with --only " + experiment.id();
        }
        if (isLost(failed)) {
            throw new UserError(
                    "The connection to the database was lost during " + experiment.id() + " ("
                            + UserError.firstLine(failed)
                            + "): see its log; what was measured before is in "
                            + context.bundle().folder(),
                    failed);
        }
        return "The database refused a statement of " + experiment.id() + ": " + UserError.firstLine(failed);
    }

    /** Returns whether the connection is lost, so that the other experiments cannot run either. */
    private static boolean isLost(SQLException failed) {
        String state = String.valueOf(failed.getSQLState());
        return state.startsWith("08") || state.startsWith("57P");
    }

    private List<LabResults.Plan> plans(String name, Side side, Endpoints endpoints) throws SQLException {
        List<LabResults.Plan> read = new ArrayList<>();
        String statement = side.label() + ", before its plan is asked for";
        try (Connection connection = StatementTimeout.bounded(endpoints.measured(), StatementTimeout.LIMIT)
                .connect("movr-lab-plans")) {
            side.operation().prepare(connection);
            for (Step step : side.operation().steps()) {
                statement = plans.prefix() + step.sql();
                Plan plan;
                try {
                    plan = plans.explain(connection, step.sql(), step.parameters());
                } catch (SQLException failed) {
                    throw side.operation().explained(read.size(), failed);
                }
                plan.root()
                        .all()
                        .flatMap(node -> Stream.ofNullable(node.table()))
                        .forEach(tables::add);
                read.add(kept(name, read.size() + 1, step, plan));
                requireExpected(name, side, step, plan);
            }
            statement = side.label() + ", after its plan was asked for";
            side.operation().reset(connection);
        } catch (SQLException failed) {
            throw StatementTimeout.of(failed, statement, StatementTimeout.LIMIT, endpoints.measured());
        }
        return read;
    }

    private LabResults.Plan kept(String name, int number, Step step, Plan plan) {
        String file = "plans/" + experiment.id() + "." + name + "." + number + plans.extension();
        context.bundle().write(file, plan.source());
        return new LabResults.Plan(
                step.sql(), step.expected(), plan.describe(), plan.text(), file, plan.recommendations());
    }

    private void requireExpected(String name, Side side, Step step, Plan plan) {
        Optional<String> complaint = step.complaint(plan);
        if (complaint.isPresent()) {
            String advice = experiment.isBuiltIn() ? "" : "; if that plan is right, expect it in " + FolderFiles.YAML;
            throw new WrongResult(
                    "Wrong plan " + name + " (" + side.label() + "): " + complaint.get() + advice + "\n" + plan.text());
        }
    }

    private LabResults.Experiment judge(
            Samples taken, List<LabResults.Plan> plansBefore, List<LabResults.Plan> plansAfter) {
        List<Sample> samples = taken.samples();
        StringBuilder raw = new StringBuilder("block,round,side,started_ms,latency_ms,parameter_row\n");
        for (Sample sample : samples) {
            raw.append(String.format(
                    Locale.ROOT,
                    "%d,%d,%s,%.3f,%.6f,%d\n",
                    sample.block(),
                    sample.round(),
                    sample.side(),
                    sample.startedMs(),
                    sample.latencyMs(),
                    sample.parameterRow() + 1));
        }
        context.bundle().write(rawFile(), raw.toString());
        Evidence evidence = Evidence.of(taken);
        List<LabResults.ParameterRow> byParameters =
                ParameterKinds.of(taken).results(experiment.before().operation()::describeParameters);
        return new LabResults.Experiment(
                experiment.id(),
                experiment.title(),
                experiment.lesson(),
                "measured",
                null,
                experiment.notes(),
                side(Measurement.BEFORE, experiment.before(), taken, plansBefore),
                side(Measurement.AFTER, experiment.after(), taken, plansAfter),
                side(Measurement.CONTROL, experiment.before(), taken, plansBefore),
                evidence.measured().interval(),
                evidence.noise(),
                evidence.noiseFloor(),
                evidence.measured().pValue(),
                null,
                // Judged among the others when all have been measured.
                false,
                List.of(),
                rows,
                byParameters.isEmpty() ? null : byParameters);
    }

    private LabResults.Side side(String name, Side side, Samples taken, List<LabResults.Plan> sidePlans) {
        List<double[]> blocks = taken.blocks(name);
        double[] latencies = blocks.stream().flatMapToDouble(Arrays::stream).toArray();
        List<Double> boxed = new ArrayList<>(latencies.length);
        for (double latency : latencies) {
            boxed.add(Math.round(latency * 1e6) / 1e6);
        }
        Interval median = Comparison.median(blocks);
        LabResults.Unit unit = context.request().unit();
        return new LabResults.Side(
                side.label(),
                context.request().folders().inPlace().isPresent()
                        ? "in place"
                        : side.contents().describe(),
                side.operation().steps().stream().map(Step::sql).toList(),
                name.equals(Measurement.AFTER) ? taken.answerAfter() : taken.answerBefore(),
                Summary.of(latencies),
                median,
                unit == null ? null : median.estimate() / unit.ms(),
                boxed,
                rawFile(),
                sidePlans);
    }

    private LabResults.Experiment failed(String failure) {
        return new LabResults.Experiment(
                experiment.id(),
                experiment.title(),
                experiment.lesson(),
                "failed",
                failure,
                experiment.notes(),
                null,
                null,
                null,
                null,
                null,
                1,
                1,
                null,
                false,
                List.of(),
                rows,
                null);
    }

    private String rawFile() {
        return "raw/" + experiment.id() + ".csv";
    }
}
