package io.movr.load;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The answer to one attempt.
 *
 * @param status of HTTP, 0 if there was no answer
 * @param body JSON, null if there is none that can be parsed
 * @param replayed whether an earlier attempt, whose answer was lost, had done the write
 */
record Answer(int status, @Nullable JsonNode body, boolean replayed) {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String PROBLEMS = "/problems/";

    static Answer of(@Nullable Integer status, @Nullable String body, boolean replayed) {
        return new Answer(status == null ? 0 : status, body == null ? null : read(body), replayed);
    }

    /** Returns whether the outcome of a write is unknown, so that it is sent again under its key. */
    boolean isLost() {
        return status == 0 || status == 502 || status == 503 || status == 504;
    }

    /** Returns the last part of a problem's type. */
    @Nullable
    String problem() {
        String type = body == null ? "" : body.path("type").asString("");
        return type.startsWith(PROBLEMS) ? type.substring(PROBLEMS.length()) : null;
    }

    Optional<String> text(String field) {
        String text = body == null ? "" : body.path(field).asString("");
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private static @Nullable JsonNode read(String body) {
        try {
            return JSON.readTree(body);
        } catch (JacksonException noJson) {
            // A proxy's page, say; the status tells what to make of it.
            return null;
        }
    }
}
