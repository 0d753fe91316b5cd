package io.movr.lab;

import io.movr.TextInput;
import io.movr.UserError;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/** The keys of a mapping in a YAML file. Every complaint names the file and the key. */
final class YamlKeys {

    /** Every scalar is the text that stands in the file: as a number, version 1.10 would be 1.1. */
    private static final class Texts extends Resolver {

        @Override
        protected void addImplicitResolvers() {
            addImplicitResolver(Tag.MERGE, MERGE, "<");
            addImplicitResolver(Tag.NULL, NULL, "~nN\0");
            addImplicitResolver(Tag.NULL, EMPTY, null);
        }
    }

    private static final Map<String, Boolean> FLAGS =
            Map.of("true", true, "yes", true, "on", true, "false", false, "no", false, "off", false);

    private final Path file;
    private final String within;
    private final Map<String, Object> values;

    private YamlKeys(Path file, String within, Map<String, Object> values) {
        this.file = file;
        this.within = within;
        this.values = values;
    }

    /**
     * Reads a file.
     *
     * @param known the keys that it may have
     * @throws UserError if it is no YAML, or has another key
     */
    static YamlKeys read(Path file, Set<String> known) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        try (Reader reader = TextInput.open(file)) {
            DumperOptions unused = new DumperOptions();
            Yaml yaml = new Yaml(new SafeConstructor(options), new Representer(unused), unused, options, new Texts());
            Object loaded = yaml.load(reader);
            if (!(loaded instanceof Map<?, ?> map)) {
                throw new UserError(file + " has no keys: write at least title and expect");
            }
            return of(file, "", map, known);
        } catch (MarkedYAMLException wrong) {
            int line =
                    wrong.getProblemMark() == null ? 0 : wrong.getProblemMark().getLine() + 1;
            throw new UserError(
                    file + ", line " + line + ": "
                            + String.valueOf(wrong.getProblem()).replaceAll("\\s+", " "),
                    wrong);
        } catch (YAMLException wrong) {
            throw new UserError(file + ": " + UserError.firstLine(wrong), wrong);
        } catch (IOException failed) {
            throw new UserError("Cannot read " + file + ": " + UserError.firstLine(failed), failed);
        }
    }

    private static YamlKeys of(Path file, String within, Map<?, ?> map, Set<String> known) {
        Map<String, Object> values = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            String name = String.valueOf(key);
            if (!known.contains(name)) {
                throw new UserError(file + ": there is no key '" + within + name + "': the keys are "
                        + String.join(", ", known.stream().sorted().toList()));
            }
            if (value != null) {
                values.put(name, value);
            }
        });
        return new YamlKeys(file, within, values);
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    /** Whether a key has keys of its own. */
    boolean hasKeys(String key) {
        return values.get(key) instanceof Map;
    }

    Optional<String> text(String key) {
        return Optional.ofNullable(values.get(key)).map(value -> text(key, value));
    }

    String required(String key) {
        return text(key).filter(value -> !value.isBlank()).orElseThrow(() -> wrong(key, "is missing"));
    }

    /** The truth value of a text, {@code null} if the text is something else. */
    static @Nullable Boolean flag(String text) {
        return FLAGS.get(text.toLowerCase(Locale.ROOT));
    }

    double number(String key) {
        String value = text(key).orElseThrow(() -> wrong(key, "is missing"));
        try {
            return Double.parseDouble(value.replace("_", ""));
        } catch (NumberFormatException none) {
            throw wrong(key, "is a number, not '" + value + "'");
        }
    }

    /** Texts; a single one may stand for a list of one. */
    List<String> texts(String key) {
        Object value = values.getOrDefault(key, List.of());
        if (!(value instanceof List<?> list)) {
            return List.of(text(key, value));
        }
        return list.stream().map(one -> text(key, one)).toList();
    }

    /** A mapping in this one; empty if there is none. */
    YamlKeys keys(String key, Set<String> known) {
        Object value = values.getOrDefault(key, Map.of());
        if (value instanceof Map<?, ?> map) {
            return of(file, within + key + ".", map, known);
        }
        throw wrong(
                key,
                "has keys of its own: "
                        + String.join(", ", known.stream().sorted().toList()));
    }

    /** A list of mappings. */
    List<YamlKeys> listOfKeys(String key, Set<String> known) {
        Object value = values.getOrDefault(key, List.of());
        if (!(value instanceof List<?> list)) {
            throw wrong(key, "is a list");
        }
        List<YamlKeys> all = new ArrayList<>();
        for (Object one : list) {
            if (!(one instanceof Map<?, ?> map)) {
                throw wrong(
                        key,
                        "is a list of "
                                + String.join(" and ", known.stream().sorted().toList()));
            }
            all.add(of(file, within + key + ".", map, known));
        }
        return all;
    }

    /** A complaint about a key. */
    UserError wrong(String key, String what) {
        return new UserError(file + ": " + within + key + " " + what);
    }

    private String text(String key, Object value) {
        if (value instanceof Map || value instanceof List) {
            throw wrong(key, "is text, not '" + value + "'");
        }
        return String.valueOf(value);
    }
}
