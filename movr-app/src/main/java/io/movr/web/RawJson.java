package io.movr.web;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import tools.jackson.databind.JsonNode;

/** JSON that is passed from the database to the client unchanged. */
public record RawJson(@JsonRawValue @JsonValue String text) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static RawJson of(JsonNode node) {
        return new RawJson(node.toString());
    }
}
