package io.movr.web;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/** The strict configuration of HTTP and JSON: malformed input is refused, not guessed. */
@Configuration(proxyBeanMethods = false)
class WebConfiguration {

    private static final Pattern TIME_TEXT =
            Pattern.compile("[0-9]{4}(-[0-9]{2}){2}T([0-9]{2}:){2}[0-9]{2}(\\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})");

    /**
     * Reads a value from text of one form. Jackson also takes spaces around the text, Base64 for a UUID, and a number for a
     * time, whatever its settings for the coercion of times.
     */
    private static final class FromText<T> extends StdScalarDeserializer<T> {

        private final Pattern form;
        private final Function<String, T> read;

        FromText(Class<T> type, Pattern form, Function<String, T> read) {
            super(type);
            this.form = form;
            this.read = read;
        }

        @Override
        public T deserialize(JsonParser json, DeserializationContext context) {
            String text = json.getString();
            if (!json.hasToken(JsonToken.VALUE_STRING) || !form.matcher(text).matches()) {
                throw MismatchedInputException.from(json, handledType(), "Not a text of the form " + form);
            }
            try {
                return read.apply(text);
            } catch (DateTimeException outOfRange) {
                throw context.weirdStringException(text, handledType(), String.valueOf(outOfRange.getMessage()));
            }
        }
    }

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    JsonMapperBuilderCustomizer strictJson() {
        return builder -> builder.addModule(new SimpleModule()
                        .addDeserializer(
                                UUID.class, new FromText<>(UUID.class, StrictParameters.UUID_TEXT, UUID::fromString))
                        .addDeserializer(
                                Instant.class,
                                new FromText<>(
                                        Instant.class,
                                        TIME_TEXT,
                                        text -> OffsetDateTime.parse(text).toInstant())))
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(
                        DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
                        DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .withCoercionConfig(
                        LogicalType.Textual,
                        config -> config.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                                .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
    }

    /** Removes the YAML converter of a dependency, which Spring would offer to clients. */
    @Bean
    WebMvcConfigurer jsonOnly() {
        return new WebMvcConfigurer() {
            @Override
            public void configureMessageConverters(HttpMessageConverters.ServerBuilder builder) {
                builder.configureMessageConvertersList(converters -> converters.removeIf(
                        each -> each.getSupportedMediaTypes().contains(MediaType.APPLICATION_YAML)));
            }
        };
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> problemsOfTomcat() {
        return ProblemValve::useIn;
    }
}
