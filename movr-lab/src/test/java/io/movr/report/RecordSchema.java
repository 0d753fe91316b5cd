package io.movr.report;

import com.github.victools.jsonschema.generator.CustomDefinition;
import com.github.victools.jsonschema.generator.FieldScope;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaBuilder;
import com.github.victools.jsonschema.generator.SchemaGenerationContext;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import com.github.victools.jsonschema.generator.impl.DefinitionKey;
import com.github.victools.jsonschema.generator.naming.SchemaDefinitionNamingStrategy;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * JSON schemas that are generated from records: types from components, descriptions from Javadoc, values from {@link OneOf}.
 * A component that may be {@code null} may be absent. Properties that no component describes are permitted.
 */
final class RecordSchema {

    private final SchemaGeneratorConfigBuilder config = new SchemaGeneratorConfigBuilder(
                    SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
            .with(Option.DEFINITIONS_FOR_ALL_OBJECTS, Option.PLAIN_DEFINITION_KEYS)
            .with(Option.INLINE_NULLABLE_SCHEMAS, Option.NULLABLE_ARRAY_ITEMS_ALLOWED)
            .with(Option.MAP_VALUES_AS_ADDITIONAL_PROPERTIES);

    RecordSchema() {
        Descriptions descriptions = new Descriptions();
        config.forTypesInGeneral()
                .withPropertySorter((unusedOne, unusedOther) -> 0)
                .withDefinitionNamingStrategy(new Names())
                .withCustomDefinitionProvider(
                        (type, context) -> type.isInstanceOf(Map.class) ? inlineObject(context) : null)
                .withDescriptionResolver(
                        scope -> descriptions.of(scope.getType().getErasedType()));
        config.forFields()
                .withDescriptionResolver(field -> field.isFakeContainerItemScope()
                        ? null
                        : descriptions.of(field.getDeclaringType().getErasedType(), field.getName()))
                .withNullableCheck(RecordSchema::isNullable)
                .withRequiredCheck(field -> !isNullable(field))
                .withEnumResolver(RecordSchema::values)
                .withNumberInclusiveMinimumResolver(field -> isMeasure(field) ? BigDecimal.ZERO : null)
                .withStringFormatResolver(field -> field.getName().endsWith("At") ? "date-time" : null);
    }

    /**
     * Generates a schema for records of several kinds.
     *
     * @param kinds records by name of their kind
     */
    ObjectNode of(String id, String title, String description, Map<String, Class<?>> kinds) {
        SchemaBuilder builder = new SchemaGenerator(config.build()).buildMultipleSchemaDefinitions();
        ObjectNode schema = config.getObjectMapper().createObjectNode();
        schema.put("$schema", SchemaVersion.DRAFT_2020_12.getIdentifier());
        schema.put("$id", id).put("title", title).put("description", description);
        schema.put("type", "object").putArray("required").add("kind");
        ArrayNode names = schema.putObject("properties").putObject("kind").putArray("enum");
        ArrayNode choices = schema.putArray("allOf");
        kinds.forEach((kind, type) -> {
            names.add(kind);
            ObjectNode choice = choices.addObject();
            choice.putObject("if").putObject("properties").putObject("kind").put("const", kind);
            choice.set("then", builder.createSchemaReference(type));
        });
        schema.set("$defs", builder.collectDefinitions("$defs"));
        return schema;
    }

    /** Returns the type of a map. The schema of its values belongs to the property. */
    private static CustomDefinition inlineObject(SchemaGenerationContext context) {
        return new CustomDefinition(
                context.getGeneratorConfig().createObjectNode().put("type", "object"),
                CustomDefinition.DefinitionType.INLINE,
                CustomDefinition.AttributeInclusion.YES);
    }

    private static @Nullable List<?> values(FieldScope field) {
        if (field.getName().equals("schemaVersion")) {
            return List.of(version(field.getDeclaringType().getErasedType()));
        }
        OneOf values = field.getAnnotation(OneOf.class);
        return values == null
                ? null
                : Stream.concat(Stream.of(values.value()), isNullable(field) ? Stream.of((String) null) : Stream.of())
                        .toList();
    }

    private static int version(Class<?> results) {
        try {
            return results.getField("SCHEMA_VERSION").getInt(null);
        } catch (ReflectiveOperationException missing) {
            throw new IllegalStateException(missing);
        }
    }

    /** Returns whether a field is a time, a rate, a share or a ratio, none of which is below 0. */
    private static boolean isMeasure(FieldScope field) {
        Class<?> type = field.getType().getErasedType();
        return type == double.class || type == Double.class;
    }

    private static boolean isNullable(FieldScope field) {
        AnnotatedType type = field.getRawMember().getAnnotatedType();
        if (field.isFakeContainerItemScope()) {
            AnnotatedType[] arguments = ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments();
            type = arguments[arguments.length - 1];
        }
        return type.isAnnotationPresent(Nullable.class);
    }

    /** Names such as {@code Lab.Side} for a record that is nested in {@code LabResults}. */
    private static final class Names implements SchemaDefinitionNamingStrategy {

        @Override
        public String getDefinitionNameForKey(DefinitionKey key, SchemaGenerationContext context) {
            Class<?> record = key.getType().getErasedType();
            return record.getCanonicalName()
                    .substring(record.getPackageName().length() + 1)
                    .replaceFirst("Results\\b", "");
        }
    }
}
