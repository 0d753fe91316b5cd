package io.movr.load;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.http.HttpDsl.header;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.time.Duration;
import java.util.function.Function;

/** The requests that Gatling sends, with the content of the visit's call. */
final class Endpoints {

    static final String STATUS = "status";
    static final String BODY = "body";
    static final String REPLAYED = "replayed";

    private final Function<Session, Visit> visit;
    private final Duration timeout;

    Endpoints(Function<Session, Visit> visit, Duration timeout) {
        this.visit = visit;
        this.timeout = timeout;
    }

    /**
     * Returns a request, which Gatling's report names as the operation.
     *
     * @param counted whether it is in Gatling's report
     */
    HttpRequestActionBuilder of(Operation operation, boolean counted) {
        HttpRequestActionBuilder request = operation.isWrite() ? write(operation) : read(operation);
        HttpRequestActionBuilder checked = request.requestTimeout(timeout)
                .check(status().saveAs(STATUS))
                .check(bodyString().saveAs(BODY))
                .check(header("Idempotency-Replayed").optional().saveAs(REPLAYED))
                // A refusal by a rule counts as an answer; a failure of the service or the network does not.
                .check(status().in(200, 201, 403, 404, 409, 422));
        return counted ? checked : checked.silent();
    }

    private HttpRequestActionBuilder read(Operation operation) {
        return http(operation.label())
                .get(session -> visit.apply(session).call().path());
    }

    private HttpRequestActionBuilder write(Operation operation) {
        return http(operation.label())
                .post(session -> visit.apply(session).call().path())
                .header(
                        "Idempotency-Key",
                        session -> visit.apply(session).call().key())
                .header("Content-Type", "application/json")
                .body(StringBody(session -> visit.apply(session).call().body()));
    }
}
