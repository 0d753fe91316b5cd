package io.movr.web;

import io.movr.region.InstanceRegion;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.links.Link;
import io.swagger.v3.oas.models.media.ArraySchema;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.ObjectSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import java.lang.annotation.Annotation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.customizers.PropertyCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The additions to the generated description of the API: cities, limits, headers, problem details, and the refusal of undocumented
 * fields.
 */
@Configuration(proxyBeanMethods = false)
class ApiDescription {

    private static final String PROBLEM = "Problem";
    private static final String REFERENCE = "#/components/schemas/";
    private static final String CITY = "city";
    private static final Map<String, String> PATH =
            Map.of("path.city", "$response.body#/city", "path.id", "$response.body#/id");

    private final InstanceRegion instanceRegion;
    private final ApiProperties limits;

    ApiDescription(InstanceRegion instanceRegion, ApiProperties limits) {
        this.instanceRegion = instanceRegion;
        this.limits = limits;
    }

    @Bean
    OpenAPI movrApi(ObjectProvider<BuildProperties> build) {
        BuildProperties properties = build.getIfAvailable();
        return new OpenAPI()
                .info(new Info()
                        .title("MovR")
                        .version(properties == null ? "unknown" : properties.getVersion())
                        .license(new License().name("Apache-2.0").url("https://www.apache.org/licenses/LICENSE-2.0"))
                        .description("""
                                Users, vehicles, rides and promo codes of a vehicle-sharing company. Each city's rows \
                                have one home region. An instance also serves requests for cities of other regions; \
                                the response then has the header `Movr-Remote: true`.

                                A refused request gets `application/problem+json` (RFC 9457), with a `type` that links \
                                to its explanation under `/problems`. Send an `Idempotency-Key` with each POST and \
                                PATCH: a request is executed once, also if it is sent again with the same key."""));
    }

    @Bean
    OpenApiCustomizer details() {
        return api -> {
            Components components = api.getComponents();
            components.addSchemas(PROBLEM, problem());
            Set<String> requests = new HashSet<>();
            api.getPaths()
                    .values()
                    .forEach(path -> path.readOperations().forEach(operation -> {
                        describe(operation);
                        noteRequest(operation, requests);
                    }));
            components.getSchemas().forEach((name, schema) -> {
                Map<?, ?> properties = schema.getProperties();
                if (properties != null && properties.get(CITY) instanceof Schema<?> city) {
                    enumerate(city);
                }
            });
            refuseUnknownFields(components, requests);
            link(api);
        };
    }

    @Bean
    PropertyCustomizer textLimits() {
        return (schema, type) -> {
            Text text = text(type);
            if (text != null) {
                schema.minLength(1).maxLength(text.max()).pattern(Text.PATTERN);
            }
            return schema;
        };
    }

    /** Adds links from the responses of operations to other operations, for readers and for test tools. */
    private static void link(OpenAPI api) {
        Map<String, Operation> operations = new HashMap<>();
        api.getPaths()
                .values()
                .forEach(path -> path.readOperations()
                        .forEach(operation -> operations.put(operation.getOperationId(), operation)));
        link(operations, "registerUser", "showUser", PATH, null);
        link(operations, "registerUser", "renameUser", PATH, null);
        link(
                operations,
                "registerUser",
                "addVehicle",
                Map.of(),
                Map.of(
                        "city", "$response.body#/city",
                        "owner_id", "$response.body#/id",
                        "type", "bike",
                        "current_location", "64110 Richard Crescent"));
        link(operations, "addVehicle", "showVehicle", PATH, null);
        link(operations, "addVehicle", "changeVehicle", PATH, null);
        link(
                operations,
                "addVehicle",
                "startRide",
                Map.of(),
                Map.of(
                        "city", "$response.body#/city",
                        "rider_id", "$response.body#/owner_id",
                        "vehicle_id", "$response.body#/id"));
        link(operations, "startRide", "showRide", PATH, null);
        link(operations, "startRide", "recordLocation", PATH, null);
        link(
                operations,
                "startRide",
                "endRide",
                PATH,
                Map.of("rider_id", "$response.body#/rider_id", "end_address", "4 Yawkey Way"));
    }

    private static void link(
            Map<String, Operation> operations,
            String from,
            String to,
            Map<String, String> parameters,
            @Nullable Object body) {
        Link link = new Link().operationId(to);
        parameters.forEach(link::addParameter);
        link.setRequestBody(body);
        Objects.requireNonNull(
                        Objects.requireNonNull(operations.get(from), from)
                                .getResponses()
                                .get("201"),
                        from)
                .addLink(to, link);
    }

    private void describe(Operation operation) {
        if (operation.getParameters() != null) {
            operation.getParameters().forEach(this::describe);
        }
        operation.getResponses().values().forEach(response -> {
            response.addHeaderObject("X-Request-Id", text("The id of the request, from the client or generated"));
            if (operation.getTags() == null || !operation.getTags().contains("problems")) {
                response.addHeaderObject("Movr-Home-Region", text("The home region of the city"));
                response.addHeaderObject(
                        "Movr-Remote", text("Whether the home region is another region than the instance's"));
            }
        });
        operation.getResponses().addApiResponse("4XX", problemResponse("The request is refused; nothing was written"));
        operation
                .getResponses()
                .addApiResponse(
                        "503",
                        problemResponse("The database is not available; try again after `Retry-After` seconds")
                                .addHeaderObject("Retry-After", text("Seconds")));
    }

    private void describe(Parameter parameter) {
        Schema<?> schema = parameter.getSchema();
        switch (parameter.getName()) {
            case CITY -> enumerate(schema);
            case "limit" -> {
                schema.setMinimum(BigDecimal.ONE);
                schema.setMaximum(BigDecimal.valueOf(limits.largestPageSize()));
                parameter.setDescription("The maximum number of rows in the page (default: " + limits.pageSize() + ")");
            }
            case "Idempotency-Key" -> {
                schema.setMinLength(1);
                schema.setMaxLength(128);
                schema.setPattern("^[!-~]+$");
                parameter.setDescription(
                        "The key of the request, such as a UUID. A request that is sent again with the same"
                                + " key is not executed again, and gets the same response");
            }
            case "If-Match" ->
                parameter.setDescription(
                        "The `ETag` of the version to change; the request is refused if the version has changed since");
            default -> {
                // The generated description is complete.
            }
        }
    }

    private void enumerate(Schema<?> schema) {
        if (schema instanceof StringSchema text) {
            text.setEnum(instanceRegion.map().allCities());
        } else {
            @SuppressWarnings("unchecked")
            Schema<Object> any = (Schema<Object>) schema;
            any.setEnum(new ArrayList<>(instanceRegion.map().allCities()));
        }
    }

    private static void noteRequest(Operation operation, Set<String> requests) {
        if (operation.getRequestBody() == null) {
            return;
        }
        operation.getRequestBody().setRequired(true);
        for (MediaType type : operation.getRequestBody().getContent().values()) {
            String reference = type.getSchema().get$ref();
            if (reference != null) {
                requests.add(reference.substring(REFERENCE.length()));
            }
        }
    }

    /** Marks the schemas of requests, and the schemas that they reference, as complete; optional fields may be null. */
    private static void refuseUnknownFields(Components components, Set<String> requests) {
        List<String> open = new ArrayList<>(requests);
        while (!open.isEmpty()) {
            Schema<?> schema = components.getSchemas().get(open.remove(open.size() - 1));
            if (schema == null || schema.getProperties() == null) {
                continue;
            }
            schema.setAdditionalProperties(false);
            List<String> required = schema.getRequired() == null ? List.of() : schema.getRequired();
            schema.getProperties().forEach((name, property) -> {
                String reference = property.get$ref();
                if (reference != null && requests.add(reference.substring(REFERENCE.length()))) {
                    open.add(reference.substring(REFERENCE.length()));
                }
                if (!required.contains(name)) {
                    allowNull(property);
                }
            });
        }
    }

    private static void allowNull(Schema<?> property) {
        String reference = property.get$ref();
        if (reference != null) {
            property.set$ref(null);
            property.setAnyOf(List.of(new JsonSchema().$ref(reference), new JsonSchema().types(Set.of("null"))));
        } else if (property.getEnum() == null && property.getTypes() != null) {
            Set<String> types = new HashSet<>(property.getTypes());
            types.add("null");
            property.setTypes(types);
        } else if (property.getEnum() != null) {
            @SuppressWarnings("unchecked")
            Schema<Object> any = (Schema<Object>) property;
            List<Object> values = new ArrayList<>(any.getEnum());
            values.add(null);
            any.setEnum(values);
            any.setTypes(new HashSet<>(Set.of("string", "null")));
        }
    }

    private static Header text(String description) {
        return new Header().description(description).schema(new StringSchema());
    }

    private static ApiResponse problemResponse(String description) {
        return new ApiResponse()
                .description(description)
                .content(new Content()
                        .addMediaType(
                                "application/problem+json",
                                new MediaType().schema(new JsonSchema().$ref(REFERENCE + PROBLEM))));
    }

    private static Schema<?> problem() {
        ObjectSchema fault = new ObjectSchema();
        fault.addProperty("field", new StringSchema().example("credit_card"));
        fault.addProperty("message", new StringSchema().example("must not be null"));
        ObjectSchema problem = new ObjectSchema();
        problem.setDescription("A problem detail, RFC 9457");
        problem.addProperty(
                "type", described("A link to the explanation of the problem").example("/problems/ride-ended"));
        problem.addProperty("title", new StringSchema().example("Ride ended"));
        problem.addProperty("status", new IntegerSchema().example(409));
        problem.addProperty("detail", new StringSchema().example("The ride ended at 2026-07-20T18:30:00Z"));
        problem.addProperty("instance", described("The path of the request"));
        problem.addProperty("request_id", described("The id of the request in the log of the service"));
        problem.addProperty("errors", new ArraySchema().items(fault));
        problem.setRequired(List.of("type", "title", "status"));
        return problem;
    }

    private static StringSchema described(String description) {
        StringSchema schema = new StringSchema();
        schema.setDescription(description);
        return schema;
    }

    private static @Nullable Text text(AnnotatedType type) {
        if (type.getCtxAnnotations() != null) {
            for (Annotation annotation : type.getCtxAnnotations()) {
                if (annotation instanceof Text text) {
                    return text;
                }
            }
        }
        return null;
    }
}
