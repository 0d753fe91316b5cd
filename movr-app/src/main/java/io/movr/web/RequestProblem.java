package io.movr.web;

import org.springframework.http.HttpStatus;

/** The problems that any request may have. */
public enum RequestProblem implements ProblemType {
    INVALID_REQUEST(
            HttpStatus.BAD_REQUEST,
            "A parameter or a field is missing, malformed or out of range. `errors` names each with what is wrong."),
    UNREADABLE_BODY(
            HttpStatus.BAD_REQUEST,
            "The body is no JSON, or not of the shape that is described; fields that are not known are refused too."),
    UNKNOWN_CITY(
            HttpStatus.BAD_REQUEST, "The city lies in no region of this service. GET /api/region lists the cities."),
    NO_SUCH_PATH(HttpStatus.NOT_FOUND, "Nothing is at this address. GET /v3/api-docs lists what is."),
    METHOD_NOT_ALLOWED(
            HttpStatus.METHOD_NOT_ALLOWED,
            "The resource is there, and does not know this method. `Allow` lists those that it knows."),
    FOREIGN_SITE(
            HttpStatus.FORBIDDEN,
            "The service listens on the loopback address, and `Host` or `Origin` names another site. Use http://127.0.0.1, or"
                    + " list the name in `movr.api.hosts`."),
    NOT_ACCEPTABLE(HttpStatus.NOT_ACCEPTABLE, "Only JSON is answered: accept application/json."),
    STALE_VERSION(
            HttpStatus.PRECONDITION_FAILED,
            "The resource is no longer the one that `If-Match` names. Read it again and decide anew."),
    BODY_TOO_LARGE(HttpStatus.CONTENT_TOO_LARGE, "The body is larger than any request needs to be."),
    BODY_TOO_SLOW(
            HttpStatus.REQUEST_TIMEOUT,
            "The body did not arrive in time. Nothing was written: send the request again."),
    UNSUPPORTED_MEDIA_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "Bodies are JSON: send Content-Type: application/json."),
    IDEMPOTENCY_KEY_REUSED(
            HttpStatus.UNPROCESSABLE_CONTENT,
            "This `Idempotency-Key` has been used in this city for another request. Use a new key for each request, and"
                    + " the same one only to send the same request again."),
    INTERNAL_ERROR(
            HttpStatus.INTERNAL_SERVER_ERROR, "A defect of the service. Its log tells more under the `request_id`."),
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
            "Other requests for the same rows came first, several times. Nothing was written. Try again after"
                    + " `Retry-After` seconds."),
    DATABASE_TIMEOUT(
            HttpStatus.SERVICE_UNAVAILABLE,
            "The database took longer than a request may wait. Nothing was written. Try again after `Retry-After`"
                    + " seconds."),
    OUTCOME_UNKNOWN(
            HttpStatus.SERVICE_UNAVAILABLE,
            "The connection to the database was lost while writing. Send the same request with the same"
                    + " `Idempotency-Key`: it answers what was written, or writes it now. If it had none, look first."),
    MALFORMED_REQUEST(HttpStatus.BAD_REQUEST, "The request is not valid HTTP, or its address is not.");

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
