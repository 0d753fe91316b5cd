package io.movr.schema;

import io.movr.database.StatementWatchdog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.function.Consumer;

/** Asks a server over another connection what its migration is doing, and reports it to a listener. */
final class MigrationWatch implements StatementWatchdog.Question {

    /** The application name of the migrating connection. */
    static final String MIGRATING = "movr-migrate";

    private final EngineStages stages;
    private final Consumer<MigrationProgress> listener;
    private String last = "";
    private long seen = System.nanoTime();

    MigrationWatch(EngineStages stages, Consumer<MigrationProgress> listener) {
        this.stages = stages;
        this.listener = listener;
    }

    @Override
    public String ask(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(stages.progress())) {
            if (!answer.next()) {
                return "";
            }
            String what = answer.getString(1).replaceAll("\\s+", " ").strip();
            double fraction = answer.getDouble(2);
            fraction = answer.wasNull() ? -1 : fraction;
            if (!what.equals(last)) {
                last = what;
                seen = System.nanoTime();
            }
            listener.accept(new MigrationProgress(what, Duration.ofNanos(System.nanoTime() - seen), fraction));
            return what;
        }
    }

    @Override
    public void unanswered(Duration since) {
        listener.accept(new MigrationProgress("no answer from the server", since, -1));
    }
}
