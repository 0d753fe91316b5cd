package io.movr.web;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sites whose pages may use a server on the loopback address. A page of another site reaches such a server from a
 * browser on this machine, under a name of its own that it lets lead here (DNS rebinding).
 */
public final class LoopbackSites {

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]", "::1");

    private final Set<String> hosts = new HashSet<>(LOOPBACK);

    /** @param more names of this machine in addition to the names of the loopback address */
    public LoopbackSites(Collection<String> more) {
        more.forEach(host -> hosts.add(lowerCase(host)));
    }

    /** Returns whether a request names one of these sites as its host and, if it names one, as its origin. */
    public boolean include(HttpServletRequest request) {
        return isKnown(request.getServerName())
                && Collections.list(request.getHeaders("Origin")).stream().allMatch(origin -> isKnown(hostOf(origin)));
    }

    private boolean isKnown(@Nullable String host) {
        return host != null && hosts.contains(lowerCase(host));
    }

    private static @Nullable String hostOf(String origin) {
        try {
            URI site = new URI(origin);
            return "http".equals(site.getScheme()) || "https".equals(site.getScheme()) ? site.getHost() : null;
        } catch (URISyntaxException noSite) {
            return null;
        }
    }

    private static String lowerCase(String host) {
        return host.toLowerCase(Locale.ROOT);
    }
}
