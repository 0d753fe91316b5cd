package io.movr.report;

import static io.movr.report.ReportParts.count;
import static io.movr.report.ReportParts.interval;
import static io.movr.report.ReportParts.measured;
import static io.movr.report.ReportParts.named;
import static io.movr.report.ReportParts.pValue;
import static io.movr.report.ReportParts.pairs;
import static io.movr.report.ReportParts.ratio;

import io.movr.report.LabResults.Experiment;
import io.movr.report.LabResults.ParameterRow;
import io.movr.report.LabResults.Plan;
import io.movr.report.LabResults.Price;
import io.movr.report.LabResults.Side;
import io.movr.report.model.Block;
import io.movr.report.model.Block.Bullets;
import io.movr.report.model.Block.Code;
import io.movr.report.model.Block.Group;
import io.movr.report.model.Block.GroupLayout;
import io.movr.report.model.Block.PairLayout;
import io.movr.report.model.Block.Pairs;
import io.movr.report.model.Block.Table;
import io.movr.report.model.Block.TableLayout;
import io.movr.report.model.Block.Text;
import io.movr.report.model.Block.Tone;
import io.movr.report.model.Cell;
import io.movr.report.model.Column;
import io.movr.stats.Digits;
import io.movr.stats.Interval;
import io.movr.stats.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The report of an experiment: its samples, statistics, verdicts, price and plans. */
final class ExperimentReport {

    /** Statements that are shown without a click. */
    private static final int SHOWN_STATEMENTS = 4;

    private ExperimentReport() {}

    static Group of(Experiment experiment, List<Price> prices) {
        List<Block> blocks = new ArrayList<>();
        if (experiment.failure() != null) {
            blocks.add(new Text("failed: " + experiment.failure(), Tone.FAILURE));
        }
        blocks.add(new Text(experiment.lesson() == null ? "" : experiment.lesson()));
        blocks.add(Bullets.of(experiment.notes()));
        if (experiment.rows() != null) {
            blocks.add(new Text("Rows: " + ReportParts.rows(experiment.rows()), Tone.MUTED));
        }
        blocks.add(SampleCharts.of(experiment));
        blocks.add(latencies(experiment));
        blocks.add(statistics(experiment));
        blocks.add(ReportParts.published(experiment.published(), !isFailed(experiment)));
        blocks.addAll(parameterRows(experiment));
        prices.stream()
                .filter(price -> price.experiment().equals(experiment.id()))
                .forEach(price ->
                        blocks.add(new Group("Price of the change", GroupLayout.PLAIN, PriceReport.of(price))));
        blocks.add(plans(experiment));
        return new Group(
                target(experiment.id()),
                Cell.of(experiment.title().isEmpty() ? experiment.id() : experiment.title())
                        .note(experiment.id()),
                GroupLayout.RULED,
                blocks);
    }

    private static Table latencies(Experiment experiment) {
        List<Column> columns = Column.list(
                "Latency in ms | #n | #Median, 95% interval | #Median, units | #Mean | #Min | #p95 | #p99 | "
                        + "#Max | Samples");
        List<List<Cell>> rows = new ArrayList<>();
        for (SampleCharts.NamedSide named : SampleCharts.sides(experiment)) {
            Side side = named.side();
            Summary latency = side.latencyMs();
            rows.add(List.of(
                    Cell.of(named.name()).note(sideText(side)),
                    Cell.of((double) latency.n(), count(latency.n())),
                    interval(side.medianMs()),
                    side.medianUnits() == null ? Cell.EMPTY : measured(side.medianUnits()),
                    measured(latency.mean()),
                    measured(latency.min()),
                    measured(latency.p95()),
                    measured(latency.p99()),
                    measured(latency.max()),
                    side.rawFile().isEmpty() ? Cell.EMPTY : Cell.link("raw", ReportParts.href(side.rawFile()))));
        }
        return new Table("Latency of " + experiment.id(), TableLayout.PLAIN, columns, rows);
    }

    private static String sideText(Side side) {
        // Of a folder it is not a stage, but what the database was made of.
        boolean isStage = side.stage().matches("[a-z-]+") && !side.stage().equals("copy");
        String where = side.stage().isEmpty() ? "" : (isStage ? "stage " : "database: ") + side.stage();
        return Stream.of(side.label(), where).filter(text -> !text.isEmpty()).collect(Collectors.joining(", "));
    }

    private static Pairs statistics(Experiment experiment) {
        if (experiment.improvement() == null) {
            return new Pairs("Statistics", PairLayout.FACTS, List.of());
        }
        return new Pairs(
                "Statistics of " + experiment.id(),
                PairLayout.FACTS,
                pairs(
                        "Ratio, before over after",
                        experiment.improvement().text(2),
                        "Noise, before over control",
                        experiment.noise() == null ? "" : experiment.noise().text(2),
                        "Noise floor",
                        Digits.text(experiment.noiseFloor(), 2),
                        "p, before and after",
                        pValue(experiment.pValue()),
                        "Adjusted for the number of experiments",
                        experiment.pAdjusted() == null ? "" : pValue(experiment.pAdjusted()),
                        "Before and after differ",
                        experiment.different() ? "yes" : "no difference was shown"));
    }

    static List<Block> parameterRows(Experiment experiment) {
        List<ParameterRow> measured = experiment.byParameters();
        if (measured == null) {
            return List.of();
        }
        return List.of(
                new Text(experiment.id()
                        + ": the rows of parameters differ in kind, therefore its ratio is the geometric mean of"
                        + " theirs:"),
                new Table(
                        experiment.id() + " by row of parameters",
                        TableLayout.CARDS,
                        Column.list(experiment.id() + " with | #before ms | #after ms | #ratio [95%]"),
                        measured.stream()
                                .map(row -> List.of(
                                        Cell.of(row.parameters()),
                                        measured(row.beforeMs().estimate()),
                                        measured(row.afterMs().estimate()),
                                        ratio(row.improvement())))
                                .toList()));
    }

    private static Block plans(Experiment experiment) {
        List<Block> sides = new ArrayList<>();
        for (SampleCharts.NamedSide named : SampleCharts.sides(experiment)) {
            if (!named.name().equals("Control")) {
                sides.add(plans(named.name(), named.side()));
            }
        }
        return new Group(sides.isEmpty() ? "" : "Statements and plans", GroupLayout.COLUMNS, sides);
    }

    private static Group plans(String name, Side side) {
        List<Block> blocks = new ArrayList<>();
        String text = sideText(side);
        blocks.add(new Text(
                side.answer() == null || side.answer().isEmpty() ? text : text + "; answer: " + side.answer(),
                Tone.MUTED));
        List<String> statements = side.statements();
        boolean isLong = statements.size() > SHOWN_STATEMENTS + 1;
        List<String> first = isLong ? statements.subList(0, SHOWN_STATEMENTS) : statements;
        blocks.add(new Code(name + ": statements", String.join(";\n", first), true));
        if (isLong) {
            blocks.add(new Group(
                    statements.size() - SHOWN_STATEMENTS + " more",
                    GroupLayout.COLLAPSED,
                    List.of(new Code(
                            name + ": more statements",
                            String.join(";\n", statements.subList(SHOWN_STATEMENTS, statements.size())),
                            true))));
        }
        for (Plan plan : side.plans()) {
            List<Block> parts = new ArrayList<>();
            // The statement is repeated only where it would be unclear which one is planned.
            if (!statements.equals(List.of(plan.statement()))) {
                parts.add(new Code(name + ": planned statement", plan.statement(), true));
            }
            parts.add(new Pairs("Scans", PairLayout.LIST, pairs("expected", plan.expected(), "found", plan.found())));
            parts.add(new Code(name + ": plan", plan.text(), false));
            parts.add(new Code(name + ": what the database recommends", recommendations(plan), true));
            if (plan.file() != null && !plan.file().isEmpty()) {
                parts.add(new Bullets(List.of(Cell.link("whole plan", ReportParts.href(plan.file())))));
            }
            blocks.add(new Group("Plan", GroupLayout.PLAIN, parts));
        }
        return new Group(name, GroupLayout.PLAIN, blocks);
    }

    private static String recommendations(Plan plan) {
        return plan.recommendations() == null ? "" : String.join(";\n", plan.recommendations());
    }

    static Cell outcome(Experiment experiment) {
        return Cell.of(outcomeText(experiment));
    }

    private static String outcomeText(Experiment experiment) {
        Interval improvement = experiment.improvement();
        return improvement == null || !experiment.different()
                ? "no difference"
                : improvement.estimate() > 1 ? "faster" : "slower";
    }

    static boolean isFailed(Experiment experiment) {
        return !experiment.status().equals("measured");
    }

    static String target(String id) {
        return "experiment-" + id;
    }
}
