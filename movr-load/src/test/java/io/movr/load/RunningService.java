package io.movr.load;

import io.movr.MovrApplication;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Engine;
import io.movr.database.Gateway;
import io.movr.dataset.BulkLoader;
import io.movr.dataset.LoadProgress;
import io.movr.dataset.Scale;
import io.movr.schema.Schema;
import io.movr.schema.Stage;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.springframework.context.ConfigurableApplicationContext;

/** The service on a real database with the rows of the smallest scale, for all tests of this virtual machine. */
final class RunningService {

    private static EmbeddedPostgres server;
    private static int databases;
    private static RunningService shared;

    private final Gateway gateway;
    private final URI address;

    private RunningService(Gateway gateway, URI address) {
        this.gateway = gateway;
        this.address = address;
    }

    static synchronized RunningService shared() throws SQLException {
        if (shared == null) {
            Gateway gateway = emptyDatabase();
            new BulkLoader(Engine.POSTGRESQL, gateway, new LoadProgress())
                    .load(Scale.TINY.spec(1), 2, BulkLoader.IfFilled.REFUSE);
            new Schema(Engine.POSTGRESQL, gateway).migrateTo(Stage.latest(Engine.POSTGRESQL));
            ConfigurableApplicationContext context = MovrApplication.application()
                    .run(
                            "--server.port=0",
                            "--movr.database.url=" + gateway.url(),
                            "--logging.level.io.movr=error",
                            "--logging.level.org.springframework.boot=off");
            Runtime.getRuntime().addShutdownHook(new Thread(context::close));
            shared = new RunningService(
                    gateway,
                    URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port")));
        }
        return shared;
    }

    /** A new database without tables. */
    static synchronized Gateway emptyDatabase() throws SQLException {
        if (server == null) {
            server = EmbeddedPostgres.temporary();
        }
        Gateway gateway = server.gateway().toDatabase("traffic_" + databases++);
        execute(server.gateway(), "CREATE DATABASE " + gateway.database());
        return gateway;
    }

    static void execute(Gateway gateway, String sql) throws SQLException {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    Gateway gateway() {
        return gateway;
    }

    URI address() {
        return address;
    }
}
