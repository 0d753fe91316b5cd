package io.movr.compare;

import io.movr.UserError;
import io.movr.compare.Measured.Identity;
import io.movr.report.ComparisonResults;
import io.movr.report.ComparisonResults.Measurement;
import io.movr.report.ComparisonResults.Row;
import io.movr.report.ComparisonResults.RowsOf;
import io.movr.stats.Comparison;
import io.movr.stats.Holm;
import io.movr.stats.Interval;
import io.movr.stats.RunStatistics;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.statistics.descriptive.GeometricMean;
import org.jspecify.annotations.Nullable;

/**
 * Compares results: every benchmark of every variant against the same benchmark of the baseline.
 *
 * <p>A difference is one whose p-value, adjusted by Holm over all comparisons, is below the level, and whose improvement's whole
 * interval lies outside the noise floor that a control gives. The p-value is the larger of Mann–Whitney's between iterations and
 * Welch's between forks: iterations by themselves would call two runs of the same thing different about every other time, because
 * those of a fork have much in common. A side with one fork leaves Mann–Whitney's only, which a warning says.
 *
 * <p>Where each fork is a run with one value, as of a load generator, the p-value is Welch's between runs, of three runs a side
 * or more. One value on a side has no interval and is compared with nothing.
 */
public final class ResultComparison {

    private static final long SEED = 20_261_121;
    private static final double CONFIDENCE = 1 - Comparison.ALPHA;

    // Times and rates: percentiles, deviations and memory have no mean together with these.
    private static final Set<String> MEANT = Set.of("thrpt", "avgt", "sample", "ss");
    private static final Set<String> EXACT = Set.of("bytes", "allocs");
    private static final Pattern JAVA_NAME = Pattern.compile("[\\w$]+(\\.[\\w$<>]+)+");

    private final ComparisonRequest request;
    private final List<Variant> variants;
    private final List<String> warnings = new ArrayList<>();
    private final Map<String, String> shortNames;

    private ResultComparison(ComparisonRequest request, List<Result> results) {
        this.request = request;
        results.forEach(result -> warnings.addAll(result.warnings()));
        this.variants = Variant.of(request, results, warnings);
        this.shortNames = shortNames();
    }

    /**
     * Reads and compares what was asked for.
     *
     * @param progress takes the part that is done, from 0 to 1, on several threads
     * @throws UserError when a source cannot be read, or when there is nothing that two variants have in common
     */
    public static ComparisonResults of(ComparisonRequest request, DoubleConsumer progress) {
        List<Result> results =
                request.sources().stream().map(ResultReader::read).toList();
        return new ResultComparison(request, results).results(progress);
    }

    /** One cell while its p-value waits for those of the others. */
    private record Draft(
            Measured measured,
            Interval median,
            @Nullable Comparison comparison,
            @Nullable Double forksPValue,
            @Nullable Double quotient) {

        double pValue() {
            if (comparison != null && forksPValue != null && measured.isOneValueEach()) {
                return forksPValue;
            }
            double ranks = comparison == null ? 1 : comparison.pValue();
            return forksPValue == null ? ranks : Math.max(ranks, forksPValue);
        }
    }

    private ComparisonResults results(DoubleConsumer progress) {
        Variant baseline = variants.get(0);
        List<Identity> rows = rows();
        checkCommon(rows);
        List<NoiseFloors> floors = floors();
        AtomicInteger done = new AtomicInteger();
        List<List<@Nullable Draft>> drafts = IntStream.range(0, rows.size())
                .parallel()
                .mapToObj(number -> {
                    List<@Nullable Draft> row = drafts(rows.get(number), number);
                    progress.accept((double) done.incrementAndGet() / rows.size());
                    return row;
                })
                .toList();
        double[] pValues = drafts.stream()
                .flatMap(List::stream)
                .filter(draft -> draft != null && draft.comparison() != null)
                .mapToDouble(Draft::pValue)
                .toArray();
        double[] adjusted = Holm.adjust(pValues);
        addWarnings(rows, drafts, floors, pValues.length);
        List<Row> written = judged(rows, drafts, adjusted, floors);
        return new ComparisonResults(
                ComparisonResults.SCHEMA_VERSION,
                "comparison",
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                request.command(),
                request.by() == null ? "result" : request.by(),
                baseline.name(),
                variants.stream()
                        .map(variant -> new ComparisonResults.Variant(
                                variant.name(),
                                variant.result().source().toString(),
                                variant.result().environment()))
                        .toList(),
                Facts.differences(variants),
                List.copyOf(warnings),
                variants.stream()
                        .flatMap(variant -> variant.result().placement().stream())
                        .distinct()
                        .toList(),
                new ComparisonResults.Rules(
                        CONFIDENCE,
                        Comparison.RESAMPLES,
                        Comparison.ALPHA,
                        "Holm",
                        pValues.length,
                        request.failOnPercent()),
                written,
                geometricMeans(written),
                // Within one result the table itself shows what was not measured.
                request.by() == null ? rowsOf(written, true) : List.of(),
                request.by() == null ? rowsOf(written, false) : List.of());
    }

    private List<Row> judged(
            List<Identity> rows, List<List<@Nullable Draft>> drafts, double[] adjusted, List<NoiseFloors> floors) {
        List<Row> judged = new ArrayList<>();
        int next = 0;
        for (int index = 0; index < rows.size(); index++) {
            Double floor = floor(rows.get(index), floors);
            List<@Nullable Measurement> cells = new ArrayList<>();
            List<@Nullable Draft> ofRow = drafts.get(index);
            double[] range = sampleRange(ofRow);
            for (int place = 0; place < ofRow.size(); place++) {
                Draft draft = ofRow.get(place);
                if (draft == null) {
                    cells.add(null);
                } else if (draft.comparison() == null) {
                    String verdict = draft.quotient() != null
                            ? ComparisonResults.ONE_VALUE
                            : place == baselineOf(rows.get(index)) ? "baseline" : "new";
                    cells.add(cell(draft, range, null, null, verdict));
                } else {
                    double pAdjusted = adjusted[next++];
                    Interval improvement = draft.comparison().ratio();
                    String verdict = !Comparison.isDifference(improvement, pAdjusted, floor == null ? 1 : floor)
                            ? "~"
                            : improvement.estimate() > 1 ? "better" : "worse";
                    cells.add(cell(draft, range, draft.comparison(), pAdjusted, verdict));
                }
            }
            judged.add(row(rows.get(index), floor, cells));
        }
        return judged;
    }

    /**
     * Returns the rows of all variants that the filter lets through, those of the baseline first, in the order of the
     * files.
     */
    private List<Identity> rows() {
        Set<Identity> all = new LinkedHashSet<>();
        variants.forEach(variant -> all.addAll(variant.rows().keySet()));
        List<Identity> rows = all.stream().filter(this::isWanted).toList();
        if (rows.isEmpty()) {
            throw new UserError("--filter '" + request.filter() + "' matches none of the " + all.size()
                    + " rows: the first is " + name(all.iterator().next()));
        }
        return rows;
    }

    private boolean isWanted(Identity row) {
        return request.filter() == null
                || request.filter().matcher(name(row)).find()
                || request.filter().matcher(row.benchmark()).find();
    }

    private void checkCommon(List<Identity> rows) {
        Variant baseline = variants.get(0);
        boolean common = rows.stream()
                .anyMatch(row -> variants.stream()
                        .skip(baselineOf(row) + 1L)
                        .anyMatch(variant -> variant.rows().containsKey(row)
                                && variants.get(baselineOf(row)).rows().containsKey(row)));
        List<String> clashes = modeClashes(rows);
        if (!common) {
            throw new UserError(
                    clashes.isEmpty()
                            ? "No benchmark is in " + baseline.name() + " and in another variant with the same mode and"
                                    + " parameters, so there is nothing to compare: name results of the same benchmarks"
                            : "Nothing can be compared: " + clashes.get(0)
                                    + "; measure both in one mode, with JMH's -bm");
        }
        clashes.forEach(clash -> warnings.add(clash + ", which cannot be compared."));
    }

    /** Returns the benchmarks that a variant has in other modes than the baseline. */
    private List<String> modeClashes(List<Identity> rows) {
        List<String> clashes = new ArrayList<>();
        Map<Identity, Set<String>> modes = modes(variants.get(0), rows);
        for (Variant variant : variants.subList(1, variants.size())) {
            modes(variant, rows).forEach((call, others) -> {
                Set<String> ours = modes.getOrDefault(call, Set.of());
                if (!ours.isEmpty() && ours.stream().noneMatch(others::contains)) {
                    clashes.add(shortNames.getOrDefault(call.benchmark(), call.benchmark()) + " was measured as "
                            + String.join(", ", ours) + " in " + variants.get(0).name() + " and as "
                            + String.join(", ", others) + " in " + variant.name());
                }
            });
        }
        return clashes.stream().distinct().toList();
    }

    private static Map<Identity, Set<String>> modes(Variant variant, List<Identity> rows) {
        Map<Identity, Set<String>> modes = new LinkedHashMap<>();
        for (Identity row : rows) {
            if (variant.rows().containsKey(row)) {
                modes.computeIfAbsent(new Identity(row.benchmark(), "", row.params()), call -> new TreeSet<>())
                        .add(row.mode());
            }
        }
        return modes;
    }

    private List<NoiseFloors> floors() {
        return variants.stream()
                .map(Variant::result)
                .distinct()
                .map(result -> new NoiseFloors(result, request.by(), SEED))
                .toList();
    }

    private static @Nullable Double floor(Identity row, List<NoiseFloors> floors) {
        OptionalDouble largest = floors.stream()
                .map(ofResult -> ofResult.of(row))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .max();
        return largest.isPresent() ? largest.getAsDouble() : null;
    }

    private static boolean isControlled(Identity row, List<NoiseFloors> floors) {
        return floors.stream().allMatch(ofResult -> ofResult.of(row).isPresent());
    }

    private List<@Nullable Draft> drafts(Identity row, int number) {
        List<@Nullable Draft> drafts = new ArrayList<>();
        int first = baselineOf(row);
        Measured baseline = variants.get(first).rows().get(row);
        String unit = unit(row);
        for (int place = 0; place < variants.size(); place++) {
            Measured own = variants.get(place).rows().get(row);
            if (own == null) {
                drafts.add(null);
                continue;
            }
            Measured measured = inUnit(own, unit, variants.get(place));
            long seed = SEED + 1_000L * number + 2L * place;
            Interval median = Comparison.median(measured.forks());
            if (place == first || baseline == null) {
                drafts.add(new Draft(measured, median, null, null, null));
                continue;
            }
            Measured held = inUnit(baseline, unit, variants.get(first));
            if (measured.iterations() == 1 || held.iterations() == 1) {
                double ratio =
                        median.estimate() / Comparison.median(held.forks()).estimate();
                drafts.add(new Draft(measured, median, null, null, measured.lowerIsBetter() ? 1 / ratio : ratio));
                continue;
            }
            Comparison comparison = measured.lowerIsBetter()
                    ? Comparison.ofForks(held.forks(), measured.forks(), seed + 1)
                    : Comparison.ofForks(measured.forks(), held.forks(), seed + 1);
            drafts.add(new Draft(measured, median, comparison, forksPValue(held, measured), null));
        }
        return drafts;
    }

    /**
     * Welch's p-value between forks, if there are several on both sides. Ranks of few runs with one value each can show nothing
     * by themselves.
     */
    private static @Nullable Double forksPValue(Measured held, Measured measured) {
        OptionalDouble betweenForks = Comparison.forksPValue(held.forks(), measured.forks());
        if (held.isOneValueEach() && measured.isOneValueEach()) {
            boolean tooFew = Math.min(held.forks().size(), measured.forks().size()) < RunStatistics.MIN_RUNS;
            // Times that are the same in every run were rounded, and how far they lie apart is not known.
            boolean rounded = !EXACT.contains(measured.mode()) && isConstant(held) && isConstant(measured);
            return tooFew || rounded || betweenForks.isEmpty() ? 1 : betweenForks.getAsDouble();
        }
        return betweenForks.isEmpty() ? null : betweenForks.getAsDouble();
    }

    private static boolean isConstant(Measured measured) {
        double first = measured.forks().get(0)[0];
        return measured.forks().stream().allMatch(fork -> fork[0] == first);
    }

    /**
     * Returns the variant that a row's others are held against: the baseline, or within one result, where not every call is
     * measured at every value, the first that has the row.
     */
    private int baselineOf(Identity row) {
        int first = 0;
        while (request.by() != null && !variants.get(first).rows().containsKey(row)) {
            first++;
        }
        return first;
    }

    private String unit(Identity row) {
        for (Variant variant : variants) {
            Measured measured = variant.rows().get(row);
            if (measured != null) {
                return measured.unit();
            }
        }
        throw new IllegalStateException("No variant has " + row);
    }

    private static Measured inUnit(Measured measured, String unit, Variant variant) {
        OptionalDouble factor = Unit.factor(measured.unit(), unit);
        if (factor.isEmpty()) {
            throw new UserError(measured.benchmark() + " (" + measured.mode() + ") is in " + measured.unit() + " in "
                    + variant.result().source() + ", which cannot be converted to the " + unit
                    + " of the others: measure it in that unit, with JMH's -tu");
        }
        return measured.scaled(factor.getAsDouble(), unit);
    }

    private void addWarnings(String variant, List<Measured> all) {
        long single = all.stream()
                .filter(measured -> measured.forks().size() == 1 && measured.iterations() > 1)
                .count();
        if (single > 0) {
            warnings.add((single == 1 ? "1 benchmark" : single + " benchmarks") + " of " + variant
                    + " ran in one fork only: what differs from one start of the program to the next is in no"
                    + " interval and no p-value of theirs, so a small difference may be none. Measure in 3 forks or"
                    + " more.");
        }
        long oneValue =
                all.stream().filter(measured -> measured.iterations() == 1).count();
        if (oneValue > 0) {
            warnings.add((oneValue == 1 ? "1 row of " : oneValue + " rows of ") + variant
                    + (oneValue == 1 ? " has" : " have")
                    + " one value, so no interval, and nothing tells whether there is a difference. Run it "
                    + RunStatistics.MIN_RUNS
                    + " times or more on each side, and name the files with commas between them, or their folder.");
        }
        long few = all.stream()
                .filter(measured -> measured.isOneValueEach()
                        && measured.iterations() > 1
                        && measured.iterations() < RunStatistics.MIN_RUNS)
                .count();
        if (few > 0) {
            warnings.add((few == 1 ? "1 row of " : few + " rows of ") + variant
                    + (few == 1 ? " has" : " have") + " fewer than "
                    + RunStatistics.MIN_RUNS
                    + " runs, which do not tell how far runs lie apart: no difference can be shown.");
        }
    }

    private void addWarnings(
            List<Identity> rows, List<List<@Nullable Draft>> drafts, List<NoiseFloors> floors, int family) {
        for (int place = 0; place < variants.size(); place++) {
            int at = place;
            addWarnings(
                    variants.get(place).name(),
                    drafts.stream()
                            .map(row -> row.get(at))
                            .filter(Objects::nonNull)
                            .map(Draft::measured)
                            .toList());
        }
        long uncontrolled =
                rows.stream().filter(row -> !isControlled(row, floors)).count();
        if (uncontrolled > 0 && family > 0) {
            warnings.add("For "
                    + (uncontrolled == rows.size() ? "all" : uncontrolled + " of " + rows.size())
                    + " rows no control was measured (the same thing a second time), so the noise is not known: how far two runs"
                    + " of the same thing lie apart is taken from the forks alone. With few forks and many comparisons only a"
                    + " large difference is shown: measure more forks, or compare less with --filter.");
        }
        boolean anyKnown =
                variants.stream().anyMatch(variant -> variant.result().environment() != null);
        List<String> silent = variants.stream()
                .filter(variant -> variant.result().environment() == null)
                .map(Variant::name)
                .toList();
        if (anyKnown && !silent.isEmpty()) {
            warnings.add("The machine and the database are unknown in " + String.join(", ", silent) + ".");
        }
        boolean possible = family == 0
                || IntStream.range(0, rows.size())
                        .boxed()
                        .flatMap(index -> {
                            List<@Nullable Draft> row = drafts.get(index);
                            Draft held = row.get(baselineOf(rows.get(index)));
                            return row.stream()
                                    .filter(draft -> draft != null && draft.comparison() != null)
                                    .map(draft -> smallestPValue(held, draft));
                        })
                        .anyMatch(least -> least * family < Comparison.ALPHA);
        if (!possible) {
            warnings.add("With so few iterations and " + (family == 1 ? "1 comparison" : family + " comparisons")
                    + " no p-value can fall below " + Comparison.ALPHA
                    + ": measure more iterations or forks, or compare less with --filter.");
        }
    }

    /** Returns what the test of ranks gives when every iteration of the one lies above every one of the other. */
    private static double smallestPValue(@Nullable Draft one, Draft other) {
        if (other.measured().isOneValueEach()) {
            return 0;
        }
        int first = one == null ? 0 : one.measured().iterations();
        int second = other.measured().iterations();
        double orders = 1;
        for (int index = 1; index <= first; index++) {
            orders *= (double) (second + index) / index;
        }
        return 2 / orders;
    }

    /** The smallest and the largest sample of a row, so that its cells have bins in common; null without samples. */
    private static double @Nullable [] sampleRange(List<@Nullable Draft> drafts) {
        double least = Double.POSITIVE_INFINITY;
        double greatest = 0;
        for (Draft draft : drafts) {
            Histogram histogram = draft == null ? null : draft.measured().histogram();
            if (histogram != null) {
                least = Math.min(least, histogram.least());
                greatest = Math.max(greatest, histogram.greatest());
            }
        }
        return greatest > 0 ? new double[] {least, greatest} : null;
    }

    private static Measurement cell(
            Draft draft,
            double @Nullable [] range,
            @Nullable Comparison comparison,
            @Nullable Double pAdjusted,
            String verdict) {
        Measured measured = draft.measured();
        Histogram histogram = measured.histogram();
        return new Measurement(
                measured.iterations(),
                measured.forks().size(),
                measured.mean(),
                draft.median(),
                measured.forks().stream()
                        .map(fork -> Arrays.stream(fork).boxed().toList())
                        .toList(),
                histogram == null ? null : histogram.quantiles(),
                histogram == null || range == null ? null : histogram.bins(range[0], range[1]),
                comparison == null ? null : comparison.ratio(),
                comparison == null ? null : comparison.pValue(),
                draft.forksPValue(),
                pAdjusted,
                verdict,
                draft.quotient());
    }

    private String name(Identity row) {
        return row(row, null, List.of()).name();
    }

    private Row row(Identity identity, @Nullable Double floor, List<@Nullable Measurement> cells) {
        return new Row(
                shortNames.getOrDefault(identity.benchmark(), identity.benchmark()),
                identity.params(),
                identity.mode(),
                unit(identity),
                identity.mode().equals("thrpt") ? "higher" : "lower",
                floor,
                cells);
    }

    private List<ComparisonResults.GeometricMean> geometricMeans(List<Row> rows) {
        List<ComparisonResults.GeometricMean> means = new ArrayList<>();
        for (int place = 1; place < variants.size(); place++) {
            int at = place;
            double[] improvements = rows.stream()
                    .filter(row -> MEANT.contains(row.mode()))
                    .map(row -> row.cells().get(at))
                    .filter(cell -> cell != null && cell.improvement() != null)
                    .mapToDouble(cell -> cell.improvement().estimate())
                    .toArray();
            if (improvements.length > 0) {
                means.add(new ComparisonResults.GeometricMean(
                        variants.get(place).name(),
                        GeometricMean.of(improvements).getAsDouble(),
                        improvements.length));
            }
        }
        return means;
    }

    private List<RowsOf> rowsOf(List<Row> rows, boolean missing) {
        List<RowsOf> found = new ArrayList<>();
        for (int place = 1; place < variants.size(); place++) {
            int at = place;
            List<String> names = rows.stream()
                    .filter(row -> (row.cells().get(0) == null) != missing
                            && (row.cells().get(at) == null) == missing)
                    .map(Row::name)
                    .toList();
            if (!names.isEmpty()) {
                found.add(new RowsOf(variants.get(place).name(), names));
            }
        }
        return found;
    }

    /** Benchmarks by class and method, or in full where that would mean two. */
    private Map<String, String> shortNames() {
        Set<String> full = variants.stream()
                .flatMap(variant -> variant.rows().keySet().stream())
                .map(Identity::benchmark)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        boolean classes = ComparisonRequest.METHOD.equals(request.by());
        Map<String, String> names = new HashMap<>();
        Set<String> taken = new HashSet<>();
        Set<String> twice = new HashSet<>();
        for (String name : full) {
            String brief = JAVA_NAME.matcher(name).matches() ? lastWords(name, classes ? 1 : 2) : name;
            names.put(name, brief);
            if (!taken.add(brief)) {
                twice.add(brief);
            }
        }
        names.replaceAll((name, brief) -> twice.contains(brief) ? name : brief);
        return names;
    }

    private static String lastWords(String name, int number) {
        int start = name.length();
        for (int word = 0; word < number && start > 0; word++) {
            start = name.lastIndexOf('.', start - 1);
        }
        return name.substring(start + 1);
    }
}
