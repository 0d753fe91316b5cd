package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.movr.UserError;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabasesTest {

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.temporary();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aCopyHoldsTheRowsOfItsOriginalAndBothGoInTheEnd() throws SQLException {
        try (Databases databases = new Databases(server)) {
            Gateway original = databases.create("original");
            execute(original, "CREATE TABLE memo AS SELECT 42 AS number");
            Gateway copy = databases.copy(original, "a-copy");
            execute(original, "DROP TABLE memo");
            assertThat(query(copy, "SELECT number FROM memo")).containsExactly("42");
            assertThat(laboratoryDatabases()).hasSize(2);
        }
        assertThat(laboratoryDatabases()).isEmpty();
    }

    @Test
    void whatAKilledProcessLeftGoesAndWhatIsInUseStays() throws SQLException {
        execute(server.gateway(), "CREATE DATABASE movr_lab_0badc0de_left");
        execute(server.gateway(), "CREATE DATABASE movr_lab_of_somebody_else");
        try (Databases first = new Databases(server)) {
            first.create("in_use");
            try (Databases second = new Databases(server)) {
                second.create("in_use_too");
                assertThat(laboratoryDatabases())
                        .hasSize(3)
                        .contains("movr_lab_of_somebody_else")
                        .doesNotContain("movr_lab_0badc0de_left");
            }
        }
        assertThat(laboratoryDatabases()).containsExactly("movr_lab_of_somebody_else");
        execute(server.gateway(), "DROP DATABASE movr_lab_of_somebody_else");
    }

    @Test
    void whenTheProcessEndsTheyAreDroppedAtOnceAndNoneFollows() throws SQLException {
        Databases databases = new Databases(server);
        databases.create("half-filled");
        databases.end();
        assertThat(laboratoryDatabases()).isEmpty();
        assertThatThrownBy(() -> databases.create("late"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("the process is ending");
        databases.close();
    }

    @Test
    void aServerThatDoesNotAnswerIsNotWaitedForInTheEnd() throws Exception {
        try (Connection holder = server.gateway().connect("holder");
                Statement holding = holder.createStatement()) {
            Databases databases = new Databases(server);
            databases.create("stuck");
            holder.setAutoCommit(false);
            holding.execute("LOCK TABLE pg_database");
            assertThatThrownBy(() -> databases.close(Duration.ofSeconds(1)))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("Cannot drop the databases of this run at ")
                    .hasMessageContaining("DROP DATABASE IF EXISTS \"movr_lab_")
                    .hasMessageContaining("_stuck\" WITH (FORCE);");
            holder.rollback();
        }
        for (int tries = 0; tries < 100 && !laboratoryDatabases().isEmpty(); tries++) {
            // As long as the server still has the session that gave up, they count as in use.
            new Databases(server).close();
            Thread.sleep(100);
        }
        assertThat(laboratoryDatabases()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "HUP"})
    void onAForeignServerTheyGoWithAProcessThatASignalEnds(String signal) throws Exception {
        assumeFalse(
                isIgnored(signal), "this process was started with SIG" + signal + " ignored, and so are its children");
        Process owner = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Owner.class.getName(),
                        server.gateway().url())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(owner.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("created");
            assertThat(laboratoryDatabases()).hasSize(1);
            assertThat(ExternalProgram.of("kill", "-" + signal, Long.toString(owner.pid()))
                            .works())
                    .isTrue();
            assertThat(owner.waitFor(1, TimeUnit.MINUTES)).isTrue();
        } finally {
            owner.destroyForcibly();
        }
        assertThat(laboratoryDatabases()).isEmpty();
    }

    /** As a shell does with SIGINT for what it runs in the background. */
    private static boolean isIgnored(String signal) throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return false;
        }
        int number = Map.of("HUP", 1, "INT", 2, "TERM", 15).get(signal);
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> new BigInteger(line.substring(7).strip(), 16).testBit(number - 1));
    }

    /** A process that leaves the end of its databases to them. */
    static final class Owner {

        private Owner() {}

        public static void main(String[] arguments) throws InterruptedException {
            new Databases(Cluster.at(arguments[0])).create("of_another_process");
            System.out.println("created");
            Thread.sleep(Duration.ofMinutes(5).toMillis());
        }
    }

    @Test
    void aSessionThatTheServerHasEndedIsReplacedToDropThem() throws SQLException {
        Databases databases = new Databases(server);
        databases.create("left");
        execute(
                server.gateway(),
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'movr\\_lab\\_%'");
        databases.close();
        assertThat(laboratoryDatabases()).isEmpty();
    }

    @Test
    void theEndOfTheProcessDoesNotCancelTheDropThatIsUnderWay() throws Exception {
        try (Connection holder = server.gateway().connect("holder");
                Statement holding = holder.createStatement()) {
            Databases databases = new Databases(server);
            databases.create("slowly");
            holder.setAutoCommit(false);
            holding.execute("LOCK TABLE pg_database");
            CompletableFuture<Void> closing = CompletableFuture.runAsync(databases::close);
            String waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted";
            while (Rows.one(holder, waiting).equals("0")) {
                Thread.onSpinWait();
            }
            CompletableFuture<Void> ending = CompletableFuture.runAsync(databases::end);
            holder.rollback();
            closing.join();
            ending.join();
        }
        assertThat(laboratoryDatabases()).isEmpty();
    }

    @Test
    void whatAnotherUserLeftStays() throws SQLException {
        execute(server.gateway(), "CREATE ROLE builder LOGIN CREATEDB PASSWORD 'little'");
        execute(server.gateway(), "CREATE DATABASE movr_lab_0badc0de_left");
        Cluster ofBuilder = Cluster.at(server.gateway().url().replace("user=movr", "user=builder&password=little"));
        try (Databases databases = new Databases(ofBuilder)) {
            databases.create("own");
            assertThat(laboratoryDatabases()).hasSize(2).contains("movr_lab_0badc0de_left");
        }
        new Databases(server).close();
        assertThat(laboratoryDatabases()).isEmpty();
    }

    @Test
    void aUserWhoMayNotCreateDatabasesIsToldSo() throws SQLException {
        execute(server.gateway(), "CREATE ROLE modest LOGIN PASSWORD 'little'");
        String url = server.gateway().url().replace("user=movr", "user=modest&password=little");
        assertThatThrownBy(() -> new Databases(Cluster.at(url)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("CREATEDB");
    }

    private static List<String> laboratoryDatabases() throws SQLException {
        return query(server.gateway(), "SELECT datname FROM pg_database WHERE datname LIKE 'movr\\_lab\\_%'");
    }

    private static void execute(Gateway gateway, String sql) throws SQLException {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> query(Gateway gateway, String sql) throws SQLException {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> all = new ArrayList<>();
            while (rows.next()) {
                all.add(rows.getString(1));
            }
            return all;
        }
    }
}
