package io.movr.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Refuses requests with parts that would be ignored, and bodies that are not JSON in UTF-8. */
@Component
class StrictRequests implements HandlerInterceptor, WebMvcConfigurer {

    private static final List<String> SINGLE_HEADERS =
            List.of("Idempotency-Key", HttpHeaders.IF_MATCH, HttpHeaders.IF_NONE_MATCH);

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).addPathPatterns("/api/**");
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getRequestURI().contains(";")) {
            throw RequestProblem.MALFORMED_REQUEST.because(
                    "The path contains ';': write %3B if it is part of a name, and put parameters after '?'");
        }
        request.getParameterMap().forEach((name, values) -> {
            if (values.length > 1) {
                throw RequestProblem.INVALID_REQUEST.because(name, "occurs several times: send it once");
            }
            if (values.length == 0 || values[0].isEmpty()) {
                throw RequestProblem.INVALID_REQUEST.because(name, "is empty: send a value or leave it out");
            }
        });
        for (String name : SINGLE_HEADERS) {
            if (Collections.list(request.getHeaders(name)).size() > 1) {
                throw RequestProblem.INVALID_REQUEST.because(name, "occurs several times: send it once");
            }
        }
        if (ReceivedBody.isIn(request) && !isJson(request)) {
            throw RequestProblem.UNSUPPORTED_MEDIA_TYPE.because(
                    "The body must be JSON in UTF-8: send one Content-Type, application/json, and no Content-Encoding");
        }
        return true;
    }

    private static boolean isJson(HttpServletRequest request) {
        List<String> types = Collections.list(request.getHeaders(HttpHeaders.CONTENT_TYPE));
        if (types.size() != 1 || request.getHeader(HttpHeaders.CONTENT_ENCODING) != null) {
            return false;
        }
        try {
            MediaType type = MediaType.parseMediaType(types.get(0));
            boolean json = type.equalsTypeAndSubtype(MediaType.APPLICATION_JSON)
                    || (type.getType().equals("application")
                            && type.isConcrete()
                            && type.getSubtype().endsWith("+json"));
            return json && (type.getCharset() == null || type.getCharset().equals(StandardCharsets.UTF_8));
        } catch (InvalidMediaTypeException malformed) {
            return false;
        }
    }
}
