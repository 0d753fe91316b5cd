package io.movr.check;

import tools.jackson.databind.JsonNode;

/**
 * The result of a write through the service, after its retries.
 *
 * @param problem the type of the problem if the write was refused; empty otherwise
 */
record WriteResult(WriteOutcome outcome, JsonNode body, String problem) {

    /** The outcome of a write. */
    enum WriteOutcome {
        /** The service acknowledged the write. */
        DONE,
        /** The service refused the write, and no earlier attempt can have executed it. */
        REFUSED,
        /** The write may have been executed. */
        UNKNOWN
    }
}
