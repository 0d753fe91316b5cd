package io.movr.web;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON that goes from the database to the client as it is. Its {@link #toString} is free of the spaces in which engines
 * differ, so that versions are made of the content alone.
 */
public record RawJson(@JsonRawValue @JsonValue String text) {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    @Override
    public String toString() {
        return MAPPER.readTree(text).toString();
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static RawJson of(JsonNode node) {
        return new RawJson(node.toString());
    }
}
