package io.movr.console;

import io.movr.traffic.Control;
import io.movr.web.LoopbackSites;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * The access filter of the server of running regions. Every client may read; other requests require the token. A page
 * of another site does not know the token, and the check of the Host header prevents it from reading by DNS
 * rebinding.
 */
final class ConsoleFilter extends OncePerRequestFilter {

    static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private static final Set<String> READING = Set.of("GET", "HEAD");

    private final byte[] token;
    private final @Nullable LoopbackSites sites;

    /** @param loopback whether the server listens on the loopback address only */
    ConsoleFilter(String token, boolean loopback) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
        this.sites = loopback ? new LoopbackSites(Set.of()) : null;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cache-Control", "no-store");
        if (sites != null && !sites.include(request)) {
            response.setStatus(HttpServletResponse.SC_FORBIDDEN);
            return;
        }
        if (!READING.contains(request.getMethod())) {
            String given = request.getHeader(Control.TOKEN);
            if (given == null || !MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token)) {
                response.setStatus(HttpServletResponse.SC_FORBIDDEN);
                return;
            }
        }
        chain.doFilter(request, response);
    }
}
