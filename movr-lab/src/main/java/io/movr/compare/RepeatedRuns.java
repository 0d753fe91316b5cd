package io.movr.compare;

import io.movr.UserError;
import io.movr.compare.Measured.Identity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Repeated runs of one measurement, merged: each run adds one fork or several to the result. */
final class RepeatedRuns {

    private final Map<Identity, Measured> measured = new LinkedHashMap<>();
    private final Map<Identity, Integer> runsOf = new LinkedHashMap<>();
    private final Map<Identity, String> firstOf = new LinkedHashMap<>();
    private final List<String> warnings = new ArrayList<>();
    private int runs;

    /**
     * Adds a run.
     *
     * @param name what messages call it, such as its file
     * @throws UserError if it was made in another way than those before
     */
    void add(String name, FileContent run) {
        runs++;
        warnings.addAll(run.warnings());
        for (Measured one : run.measured()) {
            Identity identity = one.identity();
            Measured before = measured.get(identity);
            measured.put(identity, before == null ? one : together(before, one, name));
            runsOf.merge(identity, 1, Integer::sum);
            firstOf.putIfAbsent(identity, name);
        }
    }

    /**
     * Returns all runs as one content.
     *
     * @param name what warnings call them together
     */
    FileContent content(String name) {
        List<String> all = new ArrayList<>(warnings);
        List<Identity> partial = runsOf.entrySet().stream()
                .filter(entry -> entry.getValue() < runs)
                .map(Map.Entry::getKey)
                .toList();
        if (!partial.isEmpty()) {
            Identity first = partial.get(0);
            all.add(name + ": " + partial.size() + (partial.size() == 1 ? " row is" : " rows are")
                    + " not in every run; " + first.benchmark() + " (" + first.mode() + ") is in " + runsOf.get(first)
                    + " of " + runs + ".");
        }
        return new FileContent(List.copyOf(measured.values()), all);
    }

    private Measured together(Measured before, Measured more, String name) {
        String first = Objects.requireNonNull(firstOf.get(before.identity()));
        differentFact(before, more).ifPresent(fact -> {
            throw new UserError(first + " and " + name + " are not runs of the same thing: " + fact + " is "
                    + before.setup().getOrDefault(fact, "") + " in the first and "
                    + more.setup().getOrDefault(fact, "")
                    + " in the second; name them as two results, or keep one");
        });
        OptionalDouble factor = Unit.factor(more.unit(), before.unit());
        if (factor.isEmpty()) {
            throw new UserError(first + " and " + name + " have " + before.benchmark() + " (" + before.mode() + ") in "
                    + before.unit() + " and in " + more.unit() + ": name them as two results, or keep one");
        }
        return before.with(more.scaled(factor.getAsDouble(), before.unit()));
    }

    private static Optional<String> differentFact(Measured before, Measured more) {
        return before.setup().entrySet().stream()
                .filter(fact -> !fact.getKey().equals(Setup.FORKS)
                        && isOther(fact.getValue(), more.setup().get(fact.getKey())))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static boolean isOther(String value, @Nullable String other) {
        return other != null && !other.equals(value);
    }
}
