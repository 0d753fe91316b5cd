package io.movr.web;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON that goes from the database to the client: the same content, without the spaces that engines differ in. */
public record RawJson(@JsonRawValue @JsonValue String text) {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    public RawJson {
        text = MAPPER.readTree(text).toString();
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static RawJson of(JsonNode node) {
        return new RawJson(node.toString());
    }
}
