package io.movr.web;

import com.fasterxml.jackson.annotation.JsonInclude.Include;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The canonical text of a value, from which versions and digests of requests are computed: JSON without spaces, with the
 * properties of each object in the order of their names and without {@code null} properties. A record that gets an
 * optional property keeps its text where the property is not set.
 */
public final class CanonicalJson {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(Include.NON_NULL))
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, JsonNodeFeature.WRITE_PROPERTIES_SORTED)
            .build();

    private CanonicalJson() {}

    /**
     * Returns the text of a value.
     *
     * @param value what Jackson can write
     */
    public static String of(Object value) {
        // By way of a tree, because raw JSON out of the database has the order and the spaces of its engine.
        return MAPPER.writeValueAsString(MAPPER.readTree(MAPPER.writeValueAsString(value)));
    }
}
