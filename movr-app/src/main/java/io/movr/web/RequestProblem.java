package io.movr.web;

import org.springframework.http.HttpStatus;

/** The problems that any request may have. */
public enum RequestProblem implements ProblemType {
    INVALID_REQUEST(
            HttpStatus.BAD_REQUEST,
            "A parameter or a field is missing, malformed or out of range. `errors` lists each one with the reason."),
    UNREADABLE_BODY(
            HttpStatus.BAD_REQUEST,
            "The body is not JSON, or it does not match the schema. Unknown fields are refused."),
    UNKNOWN_CITY(
            HttpStatus.BAD_REQUEST, "The city is not in any region of this service. GET /api/region lists the cities."),
    NO_SUCH_PATH(HttpStatus.NOT_FOUND, "There is no resource at this path. GET /v3/api-docs lists the paths."),
    METHOD_NOT_ALLOWED(
            HttpStatus.METHOD_NOT_ALLOWED,
            "The resource does not support this method. `Allow` lists the supported methods."),
    FOREIGN_SITE(
            HttpStatus.FORBIDDEN,
            "The service listens on the loopback address, and `Host` or `Origin` names another site. Use http://127.0.0.1, or"
                    + " list the name in `movr.api.hosts`."),
    NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "The service returns only JSON: accept application/json."),
    STALE_VERSION(
            HttpStatus.PRECONDITION_FAILED,
            "The resource has changed since the version in `If-Match`. Read it again before changing it."),
    BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is larger than `movr.api.largest-body`."),
    BODY_TOO_SLOW(
            HttpStatus.REQUEST_TIMEOUT,
            "The body did not arrive in time. Nothing was written: send the request again."),
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "Bodies are JSON: send Content-Type: application/json."),
    IDEMPOTENCY_KEY_REUSED(
            HttpStatus.UNPROCESSABLE_CONTENT,
            "This `Idempotency-Key` has been used in this city for another request. Use a new key for each request, and"
                    + " the same one only to send the same request again."),
    INTERNAL_ERROR(
            HttpStatus.INTERNAL_SERVER_ERROR,
            "A defect of the service. Its log has the cause, with the same `request_id`."),
    GATEWAY_UNAVAILABLE(
            HttpStatus.SERVICE_UNAVAILABLE,
            "The database cannot be reached or has failed, for example because its disk is full, or all connections"
                    + " are in use. Nothing was written. Try again after `Retry-After` seconds."),
    DATABASE_ACCESS_DENIED(
            HttpStatus.SERVICE_UNAVAILABLE,
            "The database is read-only, or the role of the service lacks a privilege. Nothing was written. `reason` in"
                    + " /actuator/health/readiness and `movr doctor` name what is missing."),
    CONTENTION(
            HttpStatus.SERVICE_UNAVAILABLE,
            "The request conflicted with other requests for the same rows at each attempt. Nothing was written. Try again after"
                    + " `Retry-After` seconds."),
    DATABASE_TIMEOUT(
            HttpStatus.SERVICE_UNAVAILABLE,
            "The database did not answer within the time limit of a request. Nothing was written. Try again after `Retry-After`"
                    + " seconds."),
    OUTCOME_UNKNOWN(
            HttpStatus.SERVICE_UNAVAILABLE,
            "The connection to the database was lost during a write, which may have been committed. Send the request"
                    + " again with the same `Idempotency-Key`: it is executed only if it was not before. If it had no key,"
                    + " check first what was written."),
    MALFORMED_REQUEST(HttpStatus.BAD_REQUEST, "The request or its URL is not valid HTTP.");

    private final HttpStatus status;
    private final String explanation;

    RequestProblem(HttpStatus status, String explanation) {
        this.status = status;
        this.explanation = explanation;
    }

    @Override
    public HttpStatus status() {
        return status;
    }

    @Override
    public String explanation() {
        return explanation;
    }
}
