package io.movr.web;

import io.movr.UserError;
import io.movr.datasource.Unavailable;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.FieldError;
import org.springframework.validation.method.ParameterErrors;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingRequestHeaderException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Answers all errors as problem details of RFC 9457 with documented types. */
@RestControllerAdvice
final class ProblemHandler extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    private static final Duration WARN_EVERY = Duration.ofSeconds(5);
    private static final Map<Class<?>, String> KINDS = Map.of(
            UUID.class, "a UUID",
            String.class, "text",
            Integer.class, "a whole number",
            Double.class, "a number",
            Instant.class, "a time such as 2026-07-20T18:30:00Z");

    private final AtomicLong lastWarningNanos = new AtomicLong(System.nanoTime() - WARN_EVERY.toNanos() - 1);

    /** A fault of a field or a parameter. */
    record Fault(String field, String message) {}

    @ExceptionHandler
    ResponseEntity<Object> refused(Problem problem, WebRequest request) {
        String detail = String.valueOf(problem.getMessage());
        if (problem.field().isEmpty()) {
            return answer(problem.type(), problem.status(), detail, List.of(), new HttpHeaders(), path(request));
        }
        List<Fault> faults = List.of(new Fault(problem.field(), detail));
        return answer(problem.type(), problem.status(), sentence(faults), faults, new HttpHeaders(), path(request));
    }

    /** Answers a query string that the server could not parse. */
    @ExceptionHandler
    ResponseEntity<Object> malformed(InvalidParameterException malformed, WebRequest request) {
        ProblemType type = RequestProblem.MALFORMED_REQUEST;
        return answer(type, type.status(), type.explanation(), List.of(), new HttpHeaders(), path(request));
    }

    @ExceptionHandler
    ResponseEntity<Object> unavailable(Unavailable unavailable, WebRequest request) {
        ProblemType type = switch (unavailable.reason()) {
            case GATEWAY -> RequestProblem.GATEWAY_UNAVAILABLE;
            case ACCESS -> RequestProblem.DATABASE_ACCESS_DENIED;
            case CONTENTION -> RequestProblem.CONTENTION;
            case TIMEOUT -> RequestProblem.DATABASE_TIMEOUT;
            case UNKNOWN_OUTCOME -> RequestProblem.OUTCOME_UNKNOWN;
        };
        warn(type, unavailable);
        HttpHeaders headers = new HttpHeaders();
        headers.set(
                HttpHeaders.RETRY_AFTER, Long.toString(unavailable.retryAfter().toSeconds()));
        return answer(type, type.status(), unavailable.getMessage(), List.of(), headers, path(request));
    }

    /** Logs a warning at most once per interval, because every request fails while a gateway is down. */
    private void warn(ProblemType type, Unavailable unavailable) {
        long now = System.nanoTime();
        long last = lastWarningNanos.get();
        if (now - last > WARN_EVERY.toNanos() && lastWarningNanos.compareAndSet(last, now)) {
            Throwable root = unavailable;
            while (root.getCause() != null) {
                root = root.getCause();
            }
            LOG.warn("{}: {}", type.slug(), UserError.firstLine(root));
        }
    }

    @ExceptionHandler
    ResponseEntity<Object> defect(Exception defect, WebRequest request) {
        LOG.error("A defect at {}", path(request), defect);
        ProblemType type = RequestProblem.INTERNAL_ERROR;
        return answer(
                type,
                type.status(),
                "The request failed because of a defect of the service",
                List.of(),
                new HttpHeaders(),
                path(request));
    }

    @Override
    protected ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException invalid, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        List<Fault> faults = new ArrayList<>();
        invalid.getBindingResult().getFieldErrors().forEach(error -> faults.add(fault(error)));
        return invalid(faults, headers, request);
    }

    @Override
    protected ResponseEntity<Object> handleHandlerMethodValidationException(
            HandlerMethodValidationException invalid, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        List<Fault> faults = new ArrayList<>();
        for (ParameterValidationResult result : invalid.getParameterValidationResults()) {
            if (result instanceof ParameterErrors errors) {
                errors.getFieldErrors().forEach(error -> faults.add(fault(error)));
            } else {
                String parameter =
                        snakeCase(String.valueOf(result.getMethodParameter().getParameterName()));
                result.getResolvableErrors()
                        .forEach(error -> faults.add(new Fault(parameter, String.valueOf(error.getDefaultMessage()))));
            }
        }
        return invalid(faults, headers, request);
    }

    @Override
    protected ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unreadable,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        for (Throwable cause = unreadable; cause != null; cause = cause.getCause()) {
            if (cause instanceof Problem problem) {
                return refused(problem, request);
            }
        }
        ProblemType type = RequestProblem.UNREADABLE_BODY;
        List<Fault> faults = unreadable.getCause() instanceof JacksonException json
                        && !json.getPath().isEmpty()
                ? List.of(new Fault(pathOf(json), complaint(json)))
                : List.of();
        String detail;
        if (!faults.isEmpty()) {
            detail = sentence(faults);
        } else if (unreadable.getCause() instanceof DatabindException) {
            detail = "The body does not match the schema of the request";
        } else if (unreadable.getCause() instanceof JacksonException json
                && json.getOriginalMessage().startsWith("Duplicate ")) {
            detail = "An object of the body has the same field several times: send it once";
        } else {
            detail = "The body is missing or is not JSON";
        }
        return answer(type, type.status(), detail, faults, headers, path(request));
    }

    @Override
    protected ResponseEntity<Object> handleExceptionInternal(
            Exception failed, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (status.value() == HttpStatus.BAD_REQUEST.value()) {
            return invalid(List.of(fault(failed)), headers, request);
        }
        ProblemType type = typeOf(status);
        String detail =
                failed instanceof ErrorResponse response && response.getBody().getDetail() != null
                        ? response.getBody().getDetail()
                        : type.explanation();
        return answer(type, type.status(), detail, List.of(), headers, path(request));
    }

    /** Returns the problem of a status without other details. */
    static ProblemType typeOf(HttpStatusCode status) {
        return switch (HttpStatus.valueOf(status.value())) {
            case FORBIDDEN -> RequestProblem.FOREIGN_SITE;
            case NOT_FOUND -> RequestProblem.NO_SUCH_PATH;
            case METHOD_NOT_ALLOWED -> RequestProblem.METHOD_NOT_ALLOWED;
            case NOT_ACCEPTABLE -> RequestProblem.NOT_ACCEPTABLE;
            case REQUEST_TIMEOUT -> RequestProblem.BODY_TOO_SLOW;
            case CONTENT_TOO_LARGE -> RequestProblem.BODY_TOO_LARGE;
            case UNSUPPORTED_MEDIA_TYPE -> RequestProblem.UNSUPPORTED_MEDIA_TYPE;
            case SERVICE_UNAVAILABLE -> RequestProblem.GATEWAY_UNAVAILABLE;
            default -> status.is4xxClientError() ? RequestProblem.MALFORMED_REQUEST : RequestProblem.INTERNAL_ERROR;
        };
    }

    static ResponseEntity<Object> answer(
            ProblemType type,
            HttpStatus status,
            @Nullable String detail,
            List<Fault> faults,
            HttpHeaders headers,
            @Nullable String path) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        problem.setType(URI.create(type.address()));
        problem.setTitle(type.title());
        if (path != null) {
            instance(path).ifPresent(problem::setInstance);
        }
        String requestId = MDC.get(RequestFilter.REQUEST_ID);
        if (requestId != null) {
            problem.setProperty(RequestFilter.REQUEST_ID, requestId);
        }
        if (!faults.isEmpty()) {
            problem.setProperty("errors", faults);
        }
        return ResponseEntity.status(status)
                .headers(headers)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }

    /** Returns the path as a URI; empty if it is not a valid URI, such as two slashes, which Tomcat accepts. */
    private static Optional<URI> instance(String path) {
        try {
            return Optional.of(new URI(path));
        } catch (URISyntaxException noUri) {
            return Optional.empty();
        }
    }

    private static ResponseEntity<Object> invalid(List<Fault> faults, HttpHeaders headers, WebRequest request) {
        ProblemType type = RequestProblem.INVALID_REQUEST;
        return answer(type, type.status(), sentence(faults), faults, headers, path(request));
    }

    private static String sentence(List<Fault> faults) {
        return faults.stream()
                .map(fault -> (fault.field() + " " + fault.message()).strip())
                .sorted()
                .collect(Collectors.joining("; "));
    }

    /**
     * Returns the fault of a field. A rule about several fields is a method of the record, whose name is unknown to clients, so
     * no field is named.
     */
    private static Fault fault(FieldError error) {
        boolean aboutAll = "AssertTrue".equals(error.getCode());
        return new Fault(aboutAll ? "" : snakeCase(error.getField()), String.valueOf(error.getDefaultMessage()));
    }

    private static Fault fault(Exception failed) {
        if (failed instanceof MissingServletRequestParameterException missing) {
            return new Fault(missing.getParameterName(), "is missing");
        }
        if (failed instanceof MissingRequestHeaderException missing) {
            return new Fault(missing.getHeaderName(), "is missing");
        }
        if (failed instanceof MethodArgumentTypeMismatchException mismatch) {
            return new Fault(mismatch.getName(), "is not " + kind(mismatch.getRequiredType()));
        }
        if (failed instanceof TypeMismatchException mismatch) {
            return new Fault(String.valueOf(mismatch.getPropertyName()), "is not " + kind(mismatch.getRequiredType()));
        }
        return new Fault("", String.valueOf(failed.getMessage()));
    }

    private static String kind(@Nullable Class<?> type) {
        if (type == null) {
            return "of the right type";
        }
        if (type.isEnum()) {
            return "one of "
                    + Stream.of(type.getEnumConstants())
                            .map(value -> value.toString().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        }
        return KINDS.getOrDefault(type, "of the right type");
    }

    private static String pathOf(JacksonException json) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference reference : json.getPath()) {
            String name = reference.getPropertyName();
            path.append(name == null ? "[" + reference.getIndex() + "]" : (path.isEmpty() ? "" : ".") + name);
        }
        return path.toString();
    }

    private static String complaint(JacksonException json) {
        if (json instanceof UnrecognizedPropertyException) {
            return "is an unknown field";
        }
        if (json instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            return "is not " + kind(mismatch.getTargetType());
        }
        return "cannot be read";
    }

    private static String snakeCase(String property) {
        return property.replaceAll("([a-z])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }

    private static @Nullable String path(WebRequest request) {
        return request instanceof ServletWebRequest servlet ? path(servlet.getRequest()) : null;
    }

    static @Nullable String path(HttpServletRequest request) {
        Object original = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI);
        return original == null ? request.getRequestURI() : original.toString();
    }
}
