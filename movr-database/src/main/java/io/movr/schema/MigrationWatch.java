package io.movr.schema;

import io.movr.UserError;
import io.movr.database.Gateway;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Asks a server, beside the connection that migrates it, what it is doing. */
final class MigrationWatch {

    /** What the connection that migrates is called on the server. */
    static final String MIGRATING = "movr-migrate";

    private static final long PERIOD_MILLIS = 1_000;

    private final EngineStages stages;
    private final Gateway gateway;
    private final Consumer<MigrationProgress> listener;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread = new Thread(this::watch, "migration-watch");

    MigrationWatch(EngineStages stages, Gateway gateway, Consumer<MigrationProgress> listener) {
        this.stages = stages;
        this.gateway = gateway;
        this.listener = listener;
        thread.setDaemon(true);
        thread.start();
    }

    private void watch() {
        try {
            // A short migration is over before there is anything to see.
            if (end.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
            try (Connection connection = gateway.connect("movr-migrate-watch");
                    Statement statement = connection.createStatement()) {
                look(statement);
            } catch (SQLException | UserError failed) {
                listener.accept(new MigrationProgress(
                        "migrating, unseen (" + UserError.firstLine(failed) + ")", Duration.ZERO, -1));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void look(Statement statement) throws SQLException, InterruptedException {
        String last = "";
        long seen = System.nanoTime();
        do {
            try (ResultSet answer = statement.executeQuery(stages.progress())) {
                if (answer.next()) {
                    String what = answer.getString(1).replaceAll("\\s+", " ").strip();
                    double fraction = answer.getDouble(2);
                    fraction = answer.wasNull() ? -1 : fraction;
                    if (!what.equals(last)) {
                        last = what;
                        seen = System.nanoTime();
                    }
                    listener.accept(new MigrationProgress(what, Duration.ofNanos(System.nanoTime() - seen), fraction));
                }
            }
        } while (!end.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS));
    }

    void close() {
        end.countDown();
        try {
            thread.join(PERIOD_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
