package io.movr.console;

import io.movr.UserError;
import io.movr.report.RunBundle;
import io.movr.traffic.Orders;
import io.movr.traffic.RunningRegions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.function.RouterFunction;

/** The console of regions that run in this process: a web server with one page. */
public final class Console implements AutoCloseable {

    /** The port that is taken if none is named; the first free one of the next twenty, if it is not free. */
    public static final int PORT = 8070;

    private static final int TRIES = 20;
    private static final int TOKEN_BYTES = 18;

    /** It tells that it starts and stops, which is no news here. */
    private static final Logger TOMCAT = Logger.getLogger("org.apache");

    private final AnnotationConfigServletWebServerApplicationContext context;
    private final Observer observer;
    private final Recording recording;
    private final String url;
    private final String token;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Console(
            AnnotationConfigServletWebServerApplicationContext context,
            Observer observer,
            Recording recording,
            String url,
            String token) {
        this.context = context;
        this.observer = observer;
        this.recording = recording;
        this.url = url;
        this.token = token;
    }

    /** No more than what a page of forms takes. It has no stereotype, so that the service does not find it. */
    @EnableWebMvc
    static final class Mvc {}

    /**
     * Starts one.
     *
     * @param port at which it listens; {@code null} for {@value #PORT} or one of the next that are free
     * @param address on which it listens; {@code null} for the loopback address
     * @param bundle to which what it sees is written
     * @throws UserError if it cannot listen there
     */
    public static Console start(
            RunningRegions running, Orders orders, @Nullable Integer port, @Nullable String address, RunBundle bundle) {
        InetAddress at = address(address);
        int taken = port(port, at);
        String token = token();
        Recording recording = new Recording(bundle);
        Events events = new Events(recording);
        Observer observer = new Observer(running, orders, events);
        RouterFunction<?> routes = new ConsoleRoutes(running, orders, events).routes();
        ConsoleFilter filter = new ConsoleFilter(token, at.isLoopbackAddress());
        TOMCAT.setLevel(Level.WARNING);
        var context = new AnnotationConfigServletWebServerApplicationContext();
        context.register(Mvc.class);
        context.registerBean(TomcatServletWebServerFactory.class, () -> {
            TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(taken);
            factory.setAddress(at);
            return factory;
        });
        context.registerBean("dispatcherServlet", DispatcherServlet.class);
        context.registerBean("routes", RouterFunction.class, () -> routes);
        context.registerBean("consoleFilter", ConsoleFilter.class, () -> filter);
        try {
            context.refresh();
        } catch (RuntimeException failed) {
            context.close();
            throw new UserError(
                    "The console cannot listen at port " + taken + ": " + UserError.firstLine(failed), failed);
        }
        String host = at.isAnyLocalAddress() ? "127.0.0.1" : at.getHostAddress();
        String url = "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + taken + "/";
        observer.start();
        return new Console(context, observer, recording, url, token);
    }

    private static InetAddress address(@Nullable String address) {
        if (address == null) {
            return InetAddress.getLoopbackAddress();
        }
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException unknown) {
            throw new UserError("--listen " + address + " is no address of this machine", unknown);
        }
    }

    private static int port(@Nullable Integer wanted, InetAddress at) {
        IOException last = null;
        for (int port = wanted == null ? PORT : wanted; port < (wanted == null ? PORT + TRIES : wanted + 1); port++) {
            try (ServerSocket socket = new ServerSocket(port, 1, at)) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                last = taken;
            }
        }
        throw new UserError(
                wanted == null
                        ? "The console finds no free port from " + PORT
                                + " on: choose one with --console, or 0 for none"
                        : "Port " + wanted + " is taken: choose another one with --console, or 0 for none",
                last == null ? new IOException() : last);
    }

    private static String token() {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Where it listens: the page at this address shows everything, and changes nothing. */
    public String url() {
        return url;
    }

    /** The address of the page that takes orders. The token is behind {@code #}, which browsers do not send to servers. */
    public String addressWithToken() {
        return url + "#token=" + token;
    }

    /** What is needed to give orders, in the header {@value ConsoleFilter#TOKEN}. */
    String secret() {
        return token;
    }

    /** Where events are written. */
    public Path file() {
        return recording.file();
    }

    /** Ends it, and writes the page that shows what it has seen. */
    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            observer.close();
            recording.close();
            context.close();
        }
    }
}
