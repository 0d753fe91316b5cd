package io.movr.console;

import io.movr.UserError;
import io.movr.database.Closeables;
import io.movr.report.RunBundle;
import io.movr.traffic.Control;
import io.movr.traffic.RegionCommands;
import io.movr.traffic.RunningRegions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP server of regions that run in this process. It executes commands and serves a page that shows the regions.
 */
public final class Console implements AutoCloseable {

    private final ConsoleServer server;
    private final Observer observer;
    private final Events events;
    private final Recording recording;
    private final Control control;
    private final String token;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Console(
            ConsoleServer server,
            Observer observer,
            Events events,
            Recording recording,
            Control control,
            String token) {
        this.server = server;
        this.observer = observer;
        this.events = events;
        this.recording = recording;
        this.control = control;
        this.token = token;
    }

    /**
     * Starts the server, and publishes its address to other commands.
     *
     * @param port the port; 0 for any free port, {@code null} for the first free port from 8070 on
     * @param address the address to listen on; {@code null} for the loopback address
     * @param bundle receives a recording of the regions
     * @throws UserError if it cannot listen there
     */
    public static Console start(
            RunningRegions running,
            Control control,
            @Nullable Integer port,
            @Nullable String address,
            RunBundle bundle) {
        String token = ConsoleServer.token();
        Recording recording = new Recording(bundle);
        Events events = new Events(recording::add);
        RegionCommands commands = new RegionCommands(running);
        Observer observer = new Observer(running, commands, events);
        ConsoleServer server;
        try {
            server = ConsoleServer.start(
                    port, address, token, new ConsoleRoutes(running, commands, events, control).routes());
        } catch (UserError failed) {
            throw Closeables.closeAfter(failed, recording);
        }
        Console console = new Console(server, observer, events, recording, control, token);
        try {
            observer.start();
            control.publish(server.url(), token);
        } catch (RuntimeException failed) {
            throw Closeables.closeAfter(failed, console);
        }
        return console;
    }

    /**
     * Checks the option {@code --console}.
     *
     * @throws UserError if it is not a port
     */
    public static void requirePort(int port) {
        if (port < 0 || port > 65_535) {
            throw new UserError("--console " + port + " is out of range: 0 to 65535");
        }
    }

    /** Returns the address of the page, which is read-only without the token. */
    public String url() {
        return server.url();
    }

    /** Returns the address of the page with the token after {@code #}, which browsers do not send to servers. */
    public String addressWithToken() {
        return server.url() + "#token=" + token;
    }

    /** Returns the token, for the header {@value Control#TOKEN}. */
    String token() {
        return token;
    }

    /** Returns the file of the recorded events. */
    public Path file() {
        return recording.file();
    }

    /**
     * Ends the server, and writes the page that shows the recording.
     *
     * @return that page; empty if the server has ended before
     */
    public Optional<Path> end() {
        if (closed.getAndSet(true)) {
            return Optional.empty();
        }
        control.withdraw();
        observer.close();
        events.close();
        server.close();
        recording.close();
        return Optional.of(recording.page());
    }

    /** Ends the server, as {@link #end()}. */
    @Override
    public void close() {
        var unused = end();
    }
}
