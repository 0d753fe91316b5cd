package io.movr.lab;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.Nulls;
import io.movr.TextInput;
import io.movr.UserError;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonPointer;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.dataformat.yaml.JacksonYAMLParseException;
import tools.jackson.dataformat.yaml.YAMLAnchorReplayingFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads a YAML file into a record. Every complaint is one line with the file and the key. */
final class YamlReader {

    private static final YAMLMapper MAPPER = YAMLMapper.builder(new YAMLAnchorReplayingFactory())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
            .build();

    private YamlReader() {}

    /**
     * Reads a file. Every component of the record that is not {@code @Nullable} must be there.
     *
     * @throws UserError if it is no YAML, a key is missing, or a value does not fit into the record
     */
    static <T extends Record> T read(Path file, Class<T> type) {
        try (Reader reader = TextInput.open(file)) {
            T value = MAPPER.readValue(reader, type);
            if (value == null) {
                throw new UserError(file + " has no keys: the keys are " + keys(type));
            }
            requireKeys(file, "", value);
            return value;
        } catch (JacksonException wrong) {
            throw new UserError(complaint(file, wrong), wrong);
        } catch (IOException failed) {
            throw new UserError("Cannot read " + file + ": " + UserError.firstLine(failed), failed);
        }
    }

    private static String complaint(Path file, JacksonException wrong) {
        List<Reference> path = wrong.getPath();
        String key = path.stream()
                .map(Reference::getPropertyName)
                .filter(Objects::nonNull)
                .collect(Collectors.joining("."));
        TokenStreamLocation location = wrong.getLocation();
        String line = file + (location == null ? "" : ", line " + location.getLineNr()) + ": ";
        if (wrong instanceof UnrecognizedPropertyException unknown) {
            return file + ", line " + lineOf(file, path) + ": there is no key '" + key + "': the keys are "
                    + sorted(unknown.getKnownPropertyIds());
        } else if (wrong instanceof ValueInstantiationException && wrong.getCause() != null) {
            return line + key + " " + wrong.getCause().getMessage();
        } else if (wrong instanceof InvalidNullException) {
            return line + key + " has an empty value: write a value, or remove it";
        } else if (wrong instanceof InvalidFormatException format) {
            String number = format.getTargetType() == Integer.class ? "whole number" : "number";
            return line + key + " has '" + format.getValue() + "', which is no " + number;
        } else if (wrong instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            return key.isEmpty() ? root(file, line, mismatch) : line + key + " " + expected(mismatch.getTargetType());
        }
        String problem = wrong instanceof JacksonYAMLParseException
                ? UserError.firstLine(Objects.requireNonNullElse(wrong.getCause(), wrong))
                : wrong.getOriginalMessage().replaceAll("\\s+", " ");
        return line + problem;
    }

    /** Finds the line of a key, because the parser is behind the record when its unknown keys are reported. */
    private static int lineOf(Path file, List<Reference> path) {
        JsonPointer pointer = JsonPointer.empty();
        for (Reference step : path) {
            pointer = step.getPropertyName() == null
                    ? pointer.appendIndex(step.getIndex())
                    : pointer.appendProperty(step.getPropertyName());
        }
        try (Reader reader = TextInput.open(file);
                JsonParser parser = MAPPER.createParser(reader)) {
            while (parser.nextToken() != null) {
                if (parser.streamReadContext().pathAsPointer().equals(pointer)) {
                    return parser.currentTokenLocation().getLineNr();
                }
            }
            return 1;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String root(Path file, String line, MismatchedInputException wrong) {
        return wrong.getOriginalMessage().startsWith("Trailing token")
                ? line + "a second document, or a list in a list, is not read"
                : file + " has no keys: the keys are " + keys(wrong.getTargetType());
    }

    private static String expected(Class<?> type) {
        if (type.isRecord()) {
            return "has keys of its own: " + keys(type);
        }
        return Collection.class.isAssignableFrom(type) ? "is a list" : "is text, and neither a list nor keys";
    }

    /** Requires the keys of a record and of the records in it; called after binding, so that a misspelt key is reported first. */
    private static void requireKeys(Path file, String within, Record value) {
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            String key = within + key(component);
            Object part = part(component, value);
            boolean isMissing = part == null || (part instanceof String text && text.isBlank());
            if (isMissing && !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                throw new UserError(file + ": " + key + " is missing");
            }
            (part instanceof List<?> list ? list.stream() : Stream.ofNullable(part))
                    .filter(Record.class::isInstance)
                    .forEach(one -> requireKeys(file, key + ".", (Record) one));
        }
    }

    private static @Nullable Object part(RecordComponent component, Record value) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String keys(Class<?> type) {
        return sorted(
                Arrays.stream(type.getRecordComponents()).map(YamlReader::key).toList());
    }

    private static String key(RecordComponent component) {
        return Optional.ofNullable(component.getAccessor().getAnnotation(JsonProperty.class))
                .map(JsonProperty::value)
                .filter(name -> !name.isEmpty())
                .orElse(component.getName());
    }

    private static String sorted(Collection<?> keys) {
        return keys.stream().map(String::valueOf).sorted().collect(Collectors.joining(", "));
    }
}
