package io.movr.web;

import io.movr.database.Unavailable;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
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
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Answers whatever goes wrong as a problem detail of RFC 9457, of a type that is documented. */
@RestControllerAdvice
final class ProblemHandler extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    /** A field or parameter, and what is wrong with it. */
    record Fault(String field, String message) {}

    @ExceptionHandler
    ResponseEntity<Object> refused(Problem problem, WebRequest request) {
        return answer(
                problem.type(), problem.status(), problem.getMessage(), List.of(), new HttpHeaders(), path(request));
    }

    @ExceptionHandler
    ResponseEntity<Object> unavailable(Unavailable unavailable, WebRequest request) {
        ProblemType type =
                switch (unavailable.reason()) {
                    case GATEWAY -> RequestProblem.GATEWAY_UNAVAILABLE;
                    case CONTENTION -> RequestProblem.CONTENTION;
                    case TIMEOUT -> RequestProblem.DATABASE_TIMEOUT;
                    case UNKNOWN_OUTCOME -> RequestProblem.OUTCOME_UNKNOWN;
                };
        LOG.warn("{} {}: {}", path(request), type.slug(), String.valueOf(unavailable.getCause()));
        HttpHeaders headers = new HttpHeaders();
        headers.set(
                HttpHeaders.RETRY_AFTER, Long.toString(unavailable.retryAfter().toSeconds()));
        return answer(type, type.status(), unavailable.getMessage(), List.of(), headers, path(request));
    }

    @ExceptionHandler
    ResponseEntity<Object> defect(Exception defect, WebRequest request) {
        LOG.error("A defect at {}", path(request), defect);
        ProblemType type = RequestProblem.INTERNAL_ERROR;
        return answer(type, type.status(), "Something went wrong inside", List.of(), new HttpHeaders(), path(request));
    }

    @Override
    protected ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException invalid, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        List<Fault> faults = new ArrayList<>();
        for (FieldError error : invalid.getBindingResult().getFieldErrors()) {
            faults.add(new Fault(snakeCase(error.getField()), String.valueOf(error.getDefaultMessage())));
        }
        invalid.getBindingResult()
                .getGlobalErrors()
                .forEach(error -> faults.add(new Fault("", String.valueOf(error.getDefaultMessage()))));
        return invalid(faults, headers, request);
    }

    @Override
    protected ResponseEntity<Object> handleHandlerMethodValidationException(
            HandlerMethodValidationException invalid, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        List<Fault> faults = new ArrayList<>();
        for (ParameterValidationResult result : invalid.getParameterValidationResults()) {
            if (result instanceof ParameterErrors errors) {
                errors.getFieldErrors()
                        .forEach(error -> faults.add(
                                new Fault(snakeCase(error.getField()), String.valueOf(error.getDefaultMessage()))));
                errors.getGlobalErrors()
                        .forEach(error -> faults.add(new Fault("", String.valueOf(error.getDefaultMessage()))));
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
            HttpMessageNotReadableException unreadable, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
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
        String detail = faults.isEmpty() ? "The body is missing or no JSON" : "The body does not have the shape asked for";
        return answer(type, type.status(), detail, faults, headers, path(request));
    }

    @Override
    protected ResponseEntity<Object> handleExceptionInternal(
            Exception failed,
            @Nullable Object body,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        if (status.value() == HttpStatus.BAD_REQUEST.value()) {
            return invalid(List.of(fault(failed)), headers, request);
        }
        ProblemType type = typeOf(status);
        String detail = body instanceof ProblemDetail problem && problem.getDetail() != null
                ? problem.getDetail()
                : type.title();
        return answer(type, type.status(), detail, List.of(), headers, path(request));
    }

    /** The problem that a bare status stands for. */
    static ProblemType typeOf(HttpStatusCode status) {
        return switch (HttpStatus.valueOf(status.value())) {
            case NOT_FOUND -> RequestProblem.NO_SUCH_PATH;
            case METHOD_NOT_ALLOWED -> RequestProblem.METHOD_NOT_ALLOWED;
            case NOT_ACCEPTABLE -> RequestProblem.NOT_ACCEPTABLE;
            case CONTENT_TOO_LARGE -> RequestProblem.BODY_TOO_LARGE;
            case UNSUPPORTED_MEDIA_TYPE -> RequestProblem.UNSUPPORTED_MEDIA_TYPE;
            case SERVICE_UNAVAILABLE -> RequestProblem.GATEWAY_UNAVAILABLE;
            default -> status.is4xxClientError() ? RequestProblem.MALFORMED_HTTP : RequestProblem.INTERNAL_ERROR;
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
            problem.setInstance(URI.create(path));
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

    private static ResponseEntity<Object> invalid(List<Fault> faults, HttpHeaders headers, WebRequest request) {
        ProblemType type = RequestProblem.INVALID_REQUEST;
        String detail =
                faults.stream().map(fault -> fault.field() + " " + fault.message()).collect(Collectors.joining("; "));
        return answer(type, type.status(), detail, faults, headers, path(request));
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
                    + List.of(type.getEnumConstants()).stream()
                            .map(value -> value.toString().toLowerCase(Locale.ROOT))
                            .collect(Collectors.joining(", "));
        }
        return Map.of("UUID", "a UUID", "int", "a whole number", "Integer", "a whole number")
                .getOrDefault(type.getSimpleName(), "a valid " + type.getSimpleName());
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
            return "is not known here";
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
