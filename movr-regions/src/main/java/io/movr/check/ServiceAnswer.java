package io.movr.check;

import io.movr.sender.HttpSender;
import tools.jackson.databind.JsonNode;

/**
 * The response of the service to a request.
 *
 * @param status the status of {@link HttpSender.Answer}; {@code NO_ANSWER} if the body is not JSON
 */
record ServiceAnswer(int status, JsonNode body) {

    private static final String PROBLEMS = "/problems/";

    /** Returns whether the service acknowledged the request. */
    boolean isDone() {
        return status / 100 == 2;
    }

    /** Returns the type of its problem, or its status if it has none. */
    String problem() {
        String type = body.path("type").asString("");
        return type.contains(PROBLEMS)
                ? type.substring(type.indexOf(PROBLEMS) + PROBLEMS.length())
                : "status " + status;
    }
}
