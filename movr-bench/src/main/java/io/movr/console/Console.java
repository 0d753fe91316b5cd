package io.movr.console;

import io.movr.UserError;
import io.movr.database.Closeables;
import io.movr.report.RunBundle;
import io.movr.traffic.Orders;
import io.movr.traffic.RunningRegions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The console of regions that run in this process: a web server with one page. */
public final class Console implements AutoCloseable {

    private final ConsoleServer server;
    private final Observer observer;
    private final Recording recording;
    private final String token;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Console(ConsoleServer server, Observer observer, Recording recording, String token) {
        this.server = server;
        this.observer = observer;
        this.recording = recording;
        this.token = token;
    }

    /**
     * Starts one.
     *
     * @param port at which it listens; {@code null} for 8070 or one of the next that are free
     * @param address on which it listens; {@code null} for the loopback address
     * @param bundle to which what it sees is written
     * @throws UserError if it cannot listen there
     */
    public static Console start(
            RunningRegions running, Orders orders, @Nullable Integer port, @Nullable String address, RunBundle bundle) {
        String token = ConsoleServer.token();
        Recording recording = new Recording(bundle);
        Events events = new Events(recording::add);
        Observer observer = new Observer(running, orders, events);
        ConsoleServer server;
        try {
            server = ConsoleServer.start(port, address, token, new ConsoleRoutes(running, orders, events).routes());
        } catch (UserError failed) {
            throw Closeables.closeAfter(failed, recording);
        }
        observer.start();
        return new Console(server, observer, recording, token);
    }

    /**
     * Checks the option {@code --console}.
     *
     * @throws UserError if it is no port
     */
    public static void requirePort(int port) {
        if (port < 0 || port > 65_535) {
            throw new UserError("--console " + port + " is out of range: 0 to 65535");
        }
    }

    /** Where it listens: the page at this address shows everything, and changes nothing. */
    public String url() {
        return server.url();
    }

    /** The address of the page that takes orders. The token is behind {@code #}, which browsers do not send to servers. */
    public String addressWithToken() {
        return server.url() + "#token=" + token;
    }

    /** What is needed to give orders, in the header {@value ConsoleFilter#TOKEN}. */
    String secret() {
        return token;
    }

    /** Where events are written. */
    public Path file() {
        return recording.file();
    }

    /**
     * Ends it, and writes the page that shows what it has seen.
     *
     * @return that page; empty if it has been ended before
     */
    public Optional<Path> end() {
        if (closed.getAndSet(true)) {
            return Optional.empty();
        }
        observer.close();
        server.close();
        recording.close();
        return Optional.of(recording.page());
    }

    /** As {@link #end()}. */
    @Override
    public void close() {
        var unused = end();
    }
}
