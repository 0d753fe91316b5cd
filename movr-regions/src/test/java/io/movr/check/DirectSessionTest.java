package io.movr.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.PoolerRelay;
import io.movr.UserError;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.ExternalProgram;
import io.movr.database.Gateway;
import io.movr.database.Ports;
import io.movr.database.Rows;
import io.movr.database.SupervisedProcess;
import io.movr.workload.DirectSession;
import io.movr.workload.Isolation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectSessionTest {

    private static EmbeddedPostgres server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.temporary();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theServerItselfIsAccepted() {
        assertThatCode(() -> DirectSession.require(server.gateway())).doesNotThrowAnyException();
    }

    @Test
    void anAddressThatAnnouncesAnotherProcessIsRefused() throws IOException {
        try (PoolerRelay pooler = new PoolerRelay(server.gateway())) {
            Gateway through = pooler.gateway();
            assertThatThrownBy(() -> DirectSession.require(through))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("connection pooler")
                    .hasMessageContaining("announces process 1,");
        }
    }

    @Test
    void theLevelOfATransactionDoesNotDependOnItsSession() throws SQLException {
        try (Connection connection = server.gateway().connect("shared")) {
            AppendClient.createTable(connection);
            connection.setAutoCommit(false);
            AppendClient client = new AppendClient(Isolation.SERIALIZABLE, null, 1, new ConcurrentHashMap<>());
            // Another client of a pooler may leave such a session.
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            Rows.execute(
                    connection,
                    "CREATE FUNCTION level() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.elements :="
                            + " ARRAY[(current_setting('transaction_isolation') = 'serializable')::int]; RETURN NEW; END"
                            + " $$");
            Rows.execute(
                    connection,
                    "CREATE TRIGGER level BEFORE INSERT ON " + AppendClient.TABLE
                            + " FOR EACH ROW EXECUTE FUNCTION level()");
            connection.commit();
            assertThat(client.run(connection, List.of(MicroOp.append(1, 7))).outcome())
                    .isEqualTo(Transaction.Outcome.OK);
            assertThat(AppendClient.lists(connection)).containsEntry(1L, List.of(1L));
        }
    }

    @Test
    void pgbouncerIsDetected() throws Exception {
        assumeTrue(
                ExternalProgram.of("pgbouncer", "--version").works(), "there is no pgbouncer on the path: install it");
        try (Connection connection = server.gateway().connect("setup")) {
            Rows.execute(connection, "CREATE ROLE pooled LOGIN PASSWORD 'pooled'");
        }
        int port = Ports.find(0, 1).get(0);
        Path configuration = Files.writeString(
                folder.resolve("pgbouncer.ini"),
                "[databases]\n* = host=127.0.0.1 port=" + port(server.gateway()) + " user=pooled password=pooled\n"
                        + "[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = " + port
                        + "\nunix_socket_dir =\nauth_type = any\npool_mode = transaction\n"
                        + "ignore_startup_parameters = extra_float_digits\n"
                        + (System.getProperty("user.name").equals("root") ? "user = nobody\n" : ""));
        // PgBouncer does not run as root, and reads the file as another user.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Gateway through = new Gateway("jdbc:postgresql://127.0.0.1:" + port + "/"
                + server.gateway().database() + "?user=pooled&sslmode=disable");
        Path log = folder.resolve("pgbouncer.log");
        try (SupervisedProcess pgbouncer =
                ExternalProgram.of("pgbouncer", configuration.toString()).start(log)) {
            while (pgbouncer.isAlive() && !Files.readString(log).contains("process up")) {
                Thread.sleep(50);
            }
            assertThat(pgbouncer.isAlive()).as(Files.readString(log)).isTrue();
            assertThatThrownBy(() -> DirectSession.require(through))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("There is a connection pooler, such as pgbouncer, at ");
        }
    }

    private static int port(Gateway gateway) {
        return Integer.parseInt(gateway.url().replaceAll(".*://[^:]*:(\\d+)/.*", "$1"));
    }
}
