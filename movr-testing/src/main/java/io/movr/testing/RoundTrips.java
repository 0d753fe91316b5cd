package io.movr.testing;

import io.movr.database.Gateway;
import io.movr.database.Links;
import java.time.Duration;
import java.util.List;
import org.apiguardian.api.API;

/**
 * Counts the network round trips between a client and its database: how often the client waits for an answer. It is a relay
 * on a port of this machine, to which the client connects in place of the database.
 *
 * <p>A round trip is what the client sends, in one piece or many, and what the server answers. A transaction whose
 * {@code BEGIN} travels with its first statement, or a batch, is one. Opening a connection takes several. Everything that
 * passes counts, also the checks of a connection pool. The relay holds up what passes for
 * {@value #ONE_WAY_MILLISECONDS} ms in each direction, so that statements that are sent without waiting for each other's
 * answers are seen to be one round trip; a client that takes longer than that to send them may be counted more than one.
 */
@API(status = API.Status.STABLE, since = "0.1.0")
public final class RoundTrips implements AutoCloseable {

    private static final int ONE_WAY_MILLISECONDS = 2;

    private final Links links = new Links();
    private final Links.Link link;
    private final Gateway gateway;
    private final SentStatements sent = new SentStatements();

    private RoundTrips(Gateway database) {
        link = links.open(0, database.host(), database.port(), Duration.ofMillis(ONE_WAY_MILLISECONDS));
        gateway = database.through(link.port());
        link.observeRequests(sent::ofAClient);
    }

    /**
     * Something that uses the database.
     *
     * @param <E> what it may throw
     */
    @FunctionalInterface
    @API(status = API.Status.STABLE, since = "0.1.0")
    public interface Work<E extends Exception> {
        void run() throws E;
    }

    /**
     * Opens a relay to a database.
     *
     * @param url a form that the driver reads, such as {@code jdbc:postgresql://host:port/database?parameters}, or {@code
     *     postgresql://user@host:port/database}, with one host. With TLS, {@code sslmode=verify-full} would refuse the relay's
     *     address: use {@code require}
     * @throws io.movr.UserError if this is no address, or one that leads past a relay (several hosts, a socketFactory), or no
     *     port is free
     */
    public static RoundTrips to(String url) {
        return new RoundTrips(new Gateway(url));
    }

    /** Returns the JDBC address of the same database, through the relay. */
    public String url() {
        return gateway.url();
    }

    /**
     * Counts the round trips of some work, and of all other traffic through the relay at the same time.
     *
     * @throws E what the work throws
     * @param <E> what the work may throw
     * @throws IllegalStateException if nothing has ever been answered through the relay: the work uses another address, and
     *     a count of 0 would say nothing
     */
    public <E extends Exception> long during(Work<E> work) throws E {
        sent.clear();
        long before = link.roundTrips();
        work.run();
        long after = link.roundTrips();
        if (after == 0) {
            throw new IllegalStateException("Nothing has passed by the relay, so that no round trip can be counted:"
                    + " connect to url() of RoundTrips, which is " + gateway);
        }
        return after - before;
    }

    /**
     * Returns the statements that the last work of {@link #during} sent, in order, at most 1,000 of them. Empty if the connections
     * use TLS, which hides them.
     */
    public List<String> statements() {
        return sent.list();
    }

    /** Closes the relay, with all connections through it. */
    @Override
    public void close() {
        links.close();
    }
}
