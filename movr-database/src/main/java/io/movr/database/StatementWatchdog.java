package io.movr.database;

import io.movr.UserError;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.util.PSQLException;

/**
 * A watchdog that ends the statements of a server that no longer answers. A COPY or a schema change may take hours, so the
 * statement itself has no timeout. While it runs, another connection asks the server what it is doing. If the server answers
 * none of these questions for a while, the watchdog aborts all connections that it opened, and their statements fail.
 */
public final class StatementWatchdog implements AutoCloseable {

    /**
     * The timeouts of a watchdog.
     *
     * @param period between two questions
     * @param answer within which a question is to be answered, in whole seconds, at least 1 s
     * @param silence without any answer after which the connections are aborted
     */
    public record Limits(Duration period, Duration answer, Duration silence) {

        /** A question every second; the server is given up after two minutes without an answer. */
        public static final Limits STANDARD =
                new Limits(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofMinutes(2));
    }

    /** What the server is asked. */
    public interface Question {

        /**
         * Asks what the server is doing.
         *
         * @return its answer in a line, empty if it is doing nothing
         */
        String ask(Connection connection) throws SQLException;

        /** Receives, after each unanswered question, the time since the last answer. */
        default void unanswered(Duration since) {}
    }

    /**
     * Asks for the oldest statement of the sessions whose application names begin with a text.
     *
     * @param trouble receives what the statement waits for: the session that holds a lock, or a server that does not
     *     answer; empty if nothing does
     */
    public static Question activity(Engine engine, String names, Consumer<String> trouble) {
        return new Question() {
            @Override
            public String ask(Connection connection) throws SQLException {
                List<List<String>> oldest = Rows.query(connection, engine.activity(names), List.of());
                String activity = oldest.isEmpty()
                        ? ""
                        : oldest.get(0).get(0).replaceAll("\\s+", " ").strip();
                trouble.accept(activity.startsWith(Engine.LOCKED) ? activity : "");
                return activity;
            }

            @Override
            public void unanswered(Duration since) {
                trouble.accept("no answer from the server for " + since.toSeconds() + " s");
            }
        };
    }

    private static final String NAME = "movr-watch";

    private final Gateway gateway;
    private final Limits limits;
    private final Question question;
    private final Set<Connection> watched = ConcurrentHashMap.newKeySet();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread = new Thread(this::watch, NAME);

    private @Nullable Connection asking;
    private volatile long heard = System.nanoTime();
    private volatile String said = "";
    private volatile boolean silent;

    /** Begins to watch a server. */
    public StatementWatchdog(Gateway gateway, Limits limits, Question question) {
        this.gateway = gateway;
        this.limits = limits;
        this.question = question;
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Opens a connection that is aborted when the server no longer answers.
     *
     * @param name what the server lists it under
     * @throws UserError when the server cannot be reached or refuses, or has been given up
     */
    public Connection connect(String name) {
        if (silent) {
            throw new UserError(givenUp());
        }
        Connection connection = gateway.with(
                        PGProperty.LOGIN_TIMEOUT, Long.toString(limits.silence().toSeconds()))
                .with(PGProperty.APPLICATION_NAME, name)
                .connect(name);
        watched.removeIf(StatementWatchdog::isClosed);
        watched.add(connection);
        if (silent) {
            abort(connection);
        }
        return connection;
    }

    /** Opens connections as {@link #connect} does. */
    public DataSource dataSource(String name) {
        return new Watched(this, name);
    }

    /** Records that the server has answered a statement. */
    public void heard() {
        heard = System.nanoTime();
    }

    /** Returns whether the server has been given up. */
    public boolean isSilent() {
        return silent;
    }

    /** Returns why a statement failed, in a line: the server's own reason, or that it no longer answers, and what to do. */
    public String reason(Throwable failed) {
        return silent ? givenUp() : UserError.firstLine(failed);
    }

    private String givenUp() {
        return gateway.shown() + " has not answered for " + limits.silence().toSeconds() + " s; "
                + (said.isEmpty() ? "it never said what it was doing" : "the last it said of its work: " + said)
                + ". See its log, and whether its machine runs and has disk space, then run the command again";
    }

    private void watch() {
        try {
            // A short statement ends before the first question.
            while (!end.await(limits.period().toMillis(), TimeUnit.MILLISECONDS)) {
                ask();
                Duration since = Duration.ofNanos(System.nanoTime() - heard);
                if (since.compareTo(limits.silence()) > 0) {
                    silent = true;
                    watched.forEach(StatementWatchdog::abort);
                    return;
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            disconnect();
        }
    }

    private void ask() {
        try {
            Connection connection = asking;
            if (connection == null) {
                String seconds = Long.toString(Math.max(1, limits.answer().toSeconds()));
                connection = gateway.with(PGProperty.LOGIN_TIMEOUT, seconds)
                        .with(PGProperty.SOCKET_TIMEOUT, seconds)
                        .connect(NAME);
                asking = connection;
            }
            Rows.execute(connection, "SELECT 1");
            heard();
            String answer = question.ask(connection);
            heard();
            said = answer.isEmpty() ? said : answer;
        } catch (SQLException | RuntimeException failed) {
            if (isRefusal(failed)) {
                heard();
            } else {
                disconnect();
                question.unanswered(Duration.ofNanos(System.nanoTime() - heard));
            }
        }
    }

    /** Returns whether a server has answered, though with an error. */
    private static boolean isRefusal(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof PSQLException said && said.getServerErrorMessage() != null) {
                return true;
            }
        }
        return false;
    }

    private void disconnect() {
        Connection connection = asking;
        asking = null;
        if (connection != null) {
            try {
                connection.close();
            } catch (SQLException broken) {
                abort(connection);
            }
        }
    }

    private static boolean isClosed(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException unknown) {
            return false;
        }
    }

    /** Unlike closing, this also ends a statement that is being executed. */
    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException failed) {
            throw new IllegalStateException("The driver does not abort connections", failed);
        }
    }

    private static final class Watched extends PGSimpleDataSource {

        private static final long serialVersionUID = 1L;

        private final transient StatementWatchdog watch;
        private final String name;

        Watched(StatementWatchdog watch, String name) {
            this.watch = watch;
            this.name = name;
        }

        @Override
        public Connection getConnection() {
            return watch.connect(name);
        }
    }

    /** Stops asking; the connections that were opened here stay open. */
    @Override
    public void close() {
        end.countDown();
        try {
            thread.join(limits.answer().toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
