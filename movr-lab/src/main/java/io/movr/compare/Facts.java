package io.movr.compare;

import io.movr.report.ComparisonResults.Difference;
import io.movr.report.Environment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The known facts of how and where each variant was measured, and their differences. */
public final class Facts {

    /** The prefix of the names of the server's settings. */
    public static final String SETTING = "setting ";

    private static final Set<String> TOLD_BY_ENVIRONMENT = Set.of(Setup.JAVA, Setup.VIRTUAL_MACHINE);

    private Facts() {}

    /** Returns the facts in which two variants differ: results are comparable only as far as their facts agree. */
    static List<Difference> differences(List<Variant> variants) {
        boolean allTell = variants.stream().allMatch(variant -> variant.result().environment() != null);
        List<Map<String, String>> facts =
                variants.stream().map(variant -> of(variant, allTell)).toList();
        Set<String> names = new LinkedHashSet<>();
        facts.forEach(ofVariant -> names.addAll(ofVariant.keySet()));
        List<Difference> differences = new ArrayList<>();
        for (String name : names) {
            List<String> values = facts.stream()
                    .map(ofVariant -> ofVariant.getOrDefault(name, ""))
                    .toList();
            if (values.stream().filter(value -> !value.isEmpty()).distinct().count() > 1) {
                differences.add(new Difference(name, values));
            }
        }
        return differences;
    }

    /** Returns the known facts of an environment, by name; the server's settings are called {@code setting x}. */
    public static Map<String, String> of(Environment environment) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("movr", environment.version());
        facts.put("commit", environment.commit());
        facts.put("java", environment.java());
        facts.put("os", environment.os());
        facts.put("processor", environment.processor());
        facts.put("cores", Integer.toString(environment.cores()));
        facts.put("memory", String.format(Locale.ROOT, "%.1f GB", environment.memoryBytes() / 1e9));
        facts.put("engine", environment.engine());
        facts.put("database", environment.database());
        facts.put("server", environment.embedded() ? "embedded" : environment.gateway());
        environment.settings().forEach((name, value) -> facts.put(SETTING + name, value));
        return facts;
    }

    private static Map<String, String> of(Variant variant, boolean allTell) {
        Map<String, String> facts = new LinkedHashMap<>();
        Environment environment = variant.result().environment();
        if (environment != null) {
            facts.putAll(of(environment));
        }
        facts.putAll(variant.result().facts());
        Map<String, Set<String>> setup = new LinkedHashMap<>();
        variant.rows()
                .values()
                .forEach(measured -> measured.setup()
                        .forEach((name, value) -> setup.computeIfAbsent(name, key -> new LinkedHashSet<>())
                                .add(value)));
        setup.forEach((name, values) -> {
            if (!allTell || !TOLD_BY_ENVIRONMENT.contains(name)) {
                facts.put(name, values.equals(Set.of("")) ? none(name) : String.join(", ", values));
            }
        });
        return facts;
    }

    /** Returns the text of a missing fact; an empty list of JVM arguments is a fact as well. */
    private static String none(String name) {
        return name.equals(Setup.JVM_ARGUMENTS) ? "none" : "";
    }
}
