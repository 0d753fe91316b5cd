package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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

    /** A process that is measuring on a server of somebody's. */
    static final class Measuring {

        private Measuring() {}

        public static void main(String[] arguments) throws Exception {
            Databases databases = new Databases(Cluster.at(arguments[0]));
            databases.create("measured");
            System.out.println("ready");
            new CountDownLatch(1).await();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "HUP"})
    void aSignalThatEndsTheProcessDropsThemOnAServerThatIsNotEmbedded(String signal) throws Exception {
        Process measuring = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Measuring.class.getName(),
                        server.gateway().url())
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output = measuring.inputReader()) {
            String line = output.readLine();
            while (line != null && !line.equals("ready")) {
                line = output.readLine();
            }
            assertThat(line).isEqualTo("ready");
            assertThat(laboratoryDatabases()).isNotEmpty();
            new ProcessBuilder("kill", "-" + signal, Long.toString(measuring.pid()))
                    .start()
                    .waitFor();
            assertThat(output.lines().toList()).isEmpty();
            measuring.waitFor();
            assertThat(laboratoryDatabases()).isEmpty();
        } finally {
            measuring.destroyForcibly();
        }
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
                    .hasMessageStartingWith("Databases of this run remain at ")
                    .hasMessageContaining(
                            "The next run drops them, or these statements: DROP DATABASE IF EXISTS \"movr_lab_")
                    .hasMessageEndingWith("_stuck\" WITH (FORCE);");
            holder.rollback();
        }
        for (int tries = 0; tries < 100 && !laboratoryDatabases().isEmpty(); tries++) {
            // As long as the server still has the session that gave up, they count as in use.
            new Databases(server).close();
            Thread.sleep(100);
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
