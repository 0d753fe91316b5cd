package io.movr.console;

import io.movr.UserError;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.function.RouterFunctions;

/**
 * A page for a browser that shows how a run gets on. It changes nothing, and listens on the loopback address only. Processor
 * time that a browser takes on the same machine is missing where the run measures.
 */
public final class ProgressPage implements AutoCloseable {

    /**
     * How far a run is.
     *
     * @param title the command
     * @param doing what it does now
     * @param part of the whole, from 0 to 1; {@code null} while that is not known
     * @param leftSeconds estimated; {@code null} while nothing is known
     * @param ratios whether items have two sides, whose ratio is shown
     * @param counted what each side has many of: samples, or runs
     * @param notes about the databases, for whoever reads the results
     * @param items in the order in which they are measured
     * @param narrowing of the ratio of the item that is measured, after each block
     */
    public record Progress(
            String title,
            String doing,
            @Nullable Double part,
            @Nullable Double leftSeconds,
            boolean ratios,
            String counted,
            List<String> notes,
            List<Item> items,
            List<Ratio> narrowing) {}

    /**
     * One thing that is measured.
     *
     * @param state {@code waiting}, {@code measuring}, {@code measured} or {@code failed}
     * @param part how much of it is done, from 0 to 1
     * @param ratio the last one; {@code null} if there is none yet
     * @param before the figure of the one side, once that is known
     * @param after that of the other
     * @param unit of both figures
     * @param failure why it failed; empty if it did not
     */
    public record Item(
            String id,
            String state,
            double part,
            @Nullable Ratio ratio,
            @Nullable Double before,
            @Nullable Double after,
            String unit,
            String failure) {}

    /**
     * A ratio with its 95% interval, as it is after some samples or runs.
     *
     * @param number of samples or runs of each side
     */
    public record Ratio(int number, double estimate, double low, double high) {}

    /** The port that is taken if no other is named, or one of the next that are free. */
    public static final int PORT = ConsoleServer.PORT;

    private static final Duration DELIVERY = Duration.ofSeconds(1);

    private final ConsoleServer server;
    private final Events events;
    private @Nullable Progress last;

    private ProgressPage(ConsoleServer server, Events events) {
        this.server = server;
        this.events = events;
    }

    /**
     * Starts one.
     *
     * @param port at which it listens; {@value #PORT} for that or one of the next that are free
     * @throws UserError if it cannot listen there
     */
    public static ProgressPage start(int port) {
        Events events = new Events(event -> {});
        RouterFunctions.Builder routes = RouterFunctions.route().add(ConsoleRoutes.page("/", "progress"));
        Pages.ofProgress().forEach(name -> routes.add(ConsoleRoutes.page("/" + name, name)));
        ConsoleServer server = ConsoleServer.start(
                port == PORT ? null : port,
                null,
                ConsoleServer.token(),
                routes.GET("/api/events", request -> ConsoleRoutes.stream(events))
                        .add(ConsoleRoutes.nothingElse())
                        .build());
        return new ProgressPage(server, events);
    }

    /** The address of the page. */
    public String url() {
        return server.url();
    }

    /** Shows how far the run is now. */
    public synchronized void show(Progress progress) {
        last = Objects.requireNonNull(progress);
        events.publish("progress", Map.of("progress", progress));
    }

    /** Shows that the run is over, and where its results are. */
    public synchronized void ended(Path results) {
        Progress shown = Objects.requireNonNull(last, "nothing was shown");
        show(new Progress(
                shown.title(),
                "Done: " + results,
                1.0,
                null,
                shown.ratios(),
                shown.counted(),
                shown.notes(),
                shown.items(),
                shown.narrowing()));
    }

    /** Ends it, once the pages that are open have got what was shown last. */
    @Override
    public void close() {
        events.awaitDelivery(DELIVERY);
        server.close();
    }
}
