package io.movr.compare;

import io.movr.UserError;
import io.movr.compare.Measured.Identity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A variant of a comparison.
 *
 * @param result what it was taken from, whole or in part
 * @param rows its benchmarks, by what they have in common with those of other variants
 */
record Variant(String name, Result result, Map<Identity, Measured> rows) {

    /**
     * Returns what a benchmark has in common with its counterparts in other variants.
     *
     * @param by what tells variants apart within a result, null where each result is one
     */
    static Identity row(Identity identity, @Nullable String by) {
        if (by == null) {
            return identity;
        }
        if (by.equals(ComparisonRequest.METHOD)) {
            return new Identity(classOf(identity.benchmark()), identity.mode(), identity.params());
        }
        return new Identity(identity.benchmark(), identity.mode(), without(identity.params(), Set.of(by)));
    }

    static Map<String, String> without(Map<String, String> params, Set<String> names) {
        Map<String, String> left = new LinkedHashMap<>(params);
        left.keySet().removeAll(names);
        return left;
    }

    /**
     * Returns the variants of a request, the baseline first.
     *
     * @param results read from the request's sources, in their order
     * @param warnings takes what a reader must know
     */
    static List<Variant> of(ComparisonRequest request, List<Result> results, List<String> warnings) {
        List<Variant> variants =
                request.by() == null ? ofResults(results) : ofParts(results.get(0), request.by(), request, warnings);
        Variant baseline = baseline(request, variants);
        List<Variant> ordered = new ArrayList<>(variants);
        ordered.remove(baseline);
        ordered.add(0, baseline);
        return ordered;
    }

    private static Variant baseline(ComparisonRequest request, List<Variant> variants) {
        String wanted = request.baseline();
        if (wanted != null) {
            return variants.stream()
                    .filter(variant -> variant.name().equals(wanted)
                            || (request.by() == null
                                    && VariantNames.isMeant(
                                            wanted,
                                            variant.name(),
                                            variant.result().source())))
                    .findFirst()
                    .orElseThrow(() ->
                            new UserError("There is no variant '" + wanted + "' to be the --baseline: choose one of "
                                    + variants.stream().map(Variant::name).collect(Collectors.joining(", "))));
        }
        String usual = variants.get(0).result().baselineStage();
        return variants.stream()
                .filter(variant ->
                        "stage".equals(request.by()) && variant.name().equals(usual))
                .findFirst()
                .orElse(variants.get(0));
    }

    private static List<Variant> ofResults(List<Result> results) {
        List<String> names =
                VariantNames.of(results.stream().map(Result::source).toList());
        List<Variant> variants = new ArrayList<>();
        for (int index = 0; index < results.size(); index++) {
            Map<Identity, Measured> rows = new LinkedHashMap<>();
            results.get(index).measured().forEach(measured -> rows.put(measured.identity(), measured));
            variants.add(new Variant(names.get(index), results.get(index), rows));
        }
        return variants;
    }

    private static List<Variant> ofParts(Result result, String by, ComparisonRequest request, List<String> warnings) {
        Map<String, Map<Identity, Measured>> parts = new LinkedHashMap<>();
        int without = 0;
        for (Measured measured : result.measured()) {
            String value = by.equals(ComparisonRequest.METHOD)
                    ? methodOf(measured.benchmark())
                    : measured.params().get(by);
            if (value == null) {
                without++;
            } else {
                parts.computeIfAbsent(value, name -> new LinkedHashMap<>()).put(row(measured.identity(), by), measured);
            }
        }
        if (parts.isEmpty()) {
            throw new UserError("Nothing in " + result.source() + " has the parameter '" + by
                    + "' for --by: choose one of " + String.join(", ", choices(result)));
        }
        if (parts.size() == 1) {
            throw new UserError(result.source() + " has only one " + by + ", "
                    + parts.keySet().iterator().next() + ", so there is nothing to compare it with: measure another, or"
                    + " choose --by from " + String.join(", ", choices(result)));
        }
        if (without > 0) {
            warnings.add(without + (without == 1 ? " benchmark has" : " benchmarks have") + " no parameter '" + by
                    + "' and are left out.");
        }
        List<String> order = request.orders().getOrDefault(by, List.of());
        return parts.entrySet().stream()
                .map(part -> new Variant(part.getKey(), result, part.getValue()))
                .sorted(Comparator.comparingInt(variant -> {
                    int place = order.indexOf(variant.name());
                    return place < 0 ? Integer.MAX_VALUE : place;
                }))
                .toList();
    }

    private static Set<String> choices(Result result) {
        Set<String> choices = new LinkedHashSet<>();
        result.measured().forEach(measured -> choices.addAll(measured.params().keySet()));
        choices.add(ComparisonRequest.METHOD);
        return choices;
    }

    private static String classOf(String benchmark) {
        int end = benchmark.lastIndexOf('.');
        return end < 0 ? benchmark : benchmark.substring(0, end);
    }

    private static String methodOf(String benchmark) {
        return benchmark.substring(benchmark.lastIndexOf('.') + 1);
    }
}
