package io.movr.console;

import io.movr.UserError;
import io.movr.web.ProblemValve;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.function.RouterFunction;

/** The HTTP server of running regions. */
final class ConsoleServer implements AutoCloseable {

    /** The default port; if it is in use, the first free one of the next ports. */
    static final int PORT = 8070;

    static final int MAX_TRIES = 20;
    private static final int TOKEN_BYTES = 18;

    /** The maximum pause of a client during a request. */
    private static final long MAX_PAUSE_MILLIS = 10_000;

    /** The logger of Tomcat, which would log its start and end. */
    private static final Logger TOMCAT = Logger.getLogger("org.apache");

    private final AnnotationConfigServletWebServerApplicationContext context;
    private final String url;

    private ConsoleServer(AnnotationConfigServletWebServerApplicationContext context, String url) {
        this.context = context;
        this.url = url;
    }

    /** The MVC configuration. It has no stereotype, so that the service does not find it. */
    @EnableWebMvc
    static final class Mvc {}

    /**
     * Starts a server.
     *
     * @param port the port; 0 for any free port; {@code null} for the first free port from {@value #PORT} on
     * @param address the address to listen on; {@code null} for the loopback address
     * @param token the token that writing requests must contain
     * @throws UserError if it cannot listen there
     */
    static ConsoleServer start(
            @Nullable Integer port, @Nullable String address, String token, RouterFunction<?> routes) {
        InetAddress at = address(address);
        for (int attempt = 1; ; attempt++) {
            int free = port(port, at);
            try {
                return startOn(free, at, token, routes);
            } catch (UserError failed) {
                // Another server may have taken the port since it was found free.
                if (port != null || attempt == MAX_TRIES || !(failed.getCause() instanceof PortInUseException)) {
                    throw failed;
                }
            }
        }
    }

    private static ConsoleServer startOn(int port, InetAddress at, String token, RouterFunction<?> routes) {
        ConsoleFilter filter = new ConsoleFilter(token, at.isLoopbackAddress());
        TOMCAT.setLevel(Level.WARNING);
        var context = new AnnotationConfigServletWebServerApplicationContext();
        context.register(Mvc.class);
        context.registerBean(TomcatServletWebServerFactory.class, () -> {
            TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(port);
            factory.setAddress(at);
            ProblemValve.useIn(factory);
            factory.addConnectorCustomizers(
                    connector -> connector.setProperty("connectionTimeout", Long.toString(MAX_PAUSE_MILLIS)));
            return factory;
        });
        context.registerBean("dispatcherServlet", DispatcherServlet.class);
        context.registerBean("routes", RouterFunction.class, () -> routes);
        context.registerBean("consoleFilter", ConsoleFilter.class, () -> filter);
        try {
            context.refresh();
        } catch (RuntimeException failed) {
            context.close();
            Throwable cause = failed.getCause() instanceof PortInUseException inUse ? inUse : failed;
            throw new UserError("The console cannot listen on port " + port + ": " + UserError.firstLine(cause), cause);
        }
        String host = at.isAnyLocalAddress() ? "127.0.0.1" : at.getHostAddress();
        return new ConsoleServer(
                context, "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port + "/");
    }

    private static InetAddress address(@Nullable String address) {
        if (address == null) {
            return InetAddress.getLoopbackAddress();
        }
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException unknown) {
            throw new UserError("--listen " + address + " is not an address of this machine", unknown);
        }
    }

    private static int port(@Nullable Integer wanted, InetAddress at) {
        IOException last = null;
        for (int port = wanted == null ? PORT : wanted;
                port < (wanted == null ? PORT + MAX_TRIES : wanted + 1);
                port++) {
            try (ServerSocket socket = new ServerSocket(port, 1, at)) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                last = taken;
            }
        }
        throw new UserError(
                wanted == null
                        ? "No port from " + PORT + " to " + (PORT + MAX_TRIES - 1)
                                + " is free: choose another port with --console, or 0 for any free port"
                        : "Port " + wanted + " is taken: choose another one with --console, or 0 for any free port",
                last == null ? new IOException() : last);
    }

    /** Returns a random token. */
    static String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Returns the address of the page, which ends with a slash. */
    String url() {
        return url;
    }

    @Override
    public void close() {
        context.close();
    }
}
