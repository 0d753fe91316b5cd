package io.movr.web;

import io.movr.datasource.Deadline;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Gives each request its id, which is in every log line and every problem, and its time limit, once its body has been
 * received. An id that the client or a proxy sends as {@code X-Request-Id} is kept.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class RequestFilter extends OncePerRequestFilter {

    static final String REQUEST_ID = "request_id";
    private static final String HEADER = "X-Request-Id";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:/+=-]{1,128}");

    private final ApiProperties limits;
    private final @Nullable LoopbackSites sites;

    /** @param server where the service listens: one that others can reach has names that it does not know */
    RequestFilter(ApiProperties limits, ServerProperties server) {
        this.limits = limits;
        InetAddress address = server.getAddress();
        this.sites = address != null && address.isLoopbackAddress() ? new LoopbackSites(limits.hosts()) : null;
    }

    /** Returns false: the filter also runs when a request is dispatched again after its body was received. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (sites != null && !sites.include(request)) {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
            return;
        }
        if (ReceivedBody.isAwaited(request)) {
            if (ReceivedBody.isRefusedUnsent(request, limits)) {
                response.sendError(HttpStatus.CONTENT_TOO_LARGE.value());
                return;
            }
            ReceivedBody.receive(request, limits);
            return;
        }
        if (ReceivedBody.isCutOff(request)) {
            response.setHeader(HttpHeaders.CONNECTION, "close");
        }
        String sent = request.getHeader(HEADER);
        String id = sent != null && ID.matcher(sent).matches()
                ? sent
                : UUID.randomUUID().toString();
        response.setHeader(HEADER, id);
        MDC.put(REQUEST_ID, id);
        try {
            Deadline.<ServletException, IOException>within(
                    limits.requestTimeout(), () -> chain.doFilter(ReceivedBody.in(request), response));
        } finally {
            MDC.remove(REQUEST_ID);
        }
    }
}
