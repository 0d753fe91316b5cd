package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.database.Gateway;
import io.movr.database.LocalCockroach;
import io.movr.endtoend.MovrProgram.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code cockroach workload} and movr on the same databases, on a node that the test starts. */
@Tag("full")
class CockroachWorkloadTest {

    private static final String ROWS =
            "SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM vehicles), (SELECT count(*) FROM rides),"
                    + " (SELECT md5(string_agg(id::STRING || name || address, ',' ORDER BY city, id)) FROM users)";

    private static LocalCockroach node;

    @TempDir
    private static Path folder;

    private static MovrProgram movr;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(LocalCockroach.onPath().isPresent(), "There is no program 'cockroach' on the path");
        node = LocalCockroach.ofOneNode(null);
        movr = new MovrProgram(folder);
    }

    @AfterAll
    static void stop() {
        if (node != null) {
            node.close();
        }
    }

    private static Gateway database(String name) throws SQLException {
        execute(node.gateway(), "CREATE DATABASE " + name);
        return node.gateway().toDatabase(name);
    }

    private static void execute(Gateway gateway, String sql) throws SQLException {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> row(Gateway gateway, String sql) throws SQLException {
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            assertThat(row.next()).isTrue();
            List<String> values = new ArrayList<>();
            for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
                values.add(row.getString(column));
            }
            return values;
        }
    }

    private static void cockroachWorkload(String step, Gateway gateway, String... options) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(LocalCockroach.onPath().orElseThrow().toString(), "workload", step, "movr"));
        command.addAll(List.of(options));
        command.add("--db=" + gateway.database());
        command.add(gateway.url().replaceFirst("^jdbc:", ""));
        Path said = Files.createTempFile(folder, "workload", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    }

    @Test
    void itsDatabaseIsAdoptedAndReachesTheLaterStages() throws Exception {
        Gateway database = database("theirs");
        cockroachWorkload("init", database);
        List<String> rows = row(database, ROWS);
        assertThat(movr.run("migrate", "--stage=foreign-keys", "--url=" + database.url())
                        .error())
                .contains("it holds tables that movr did not make", "--adopt");
        Ended adopted = movr.run("migrate", "--adopt", "--url=" + database.url());
        assertThat(adopted.error()).doesNotContain("movr: ");
        assertThat(adopted.output())
                .contains(
                        "table idempotency_keys is missing",
                        "constraint vehicles_city_owner_id_fkey of vehicles becomes fk_city_ref_users",
                        "Adopted, at stage foreign-keys.");
        assertThat(row(database, ROWS)).isEqualTo(rows);
        assertThat(movr.run("migrate", "--adopt", "--url=" + database.url()).error())
                .contains("has been migrated by movr, to stage foreign-keys: leave out --adopt");
        Ended migrated = movr.run("migrate", "--stage=unused-index-dropped", "--url=" + database.url());
        assertThat(migrated.output())
                .as(migrated.error())
                .contains("At stage unused-index-dropped, by way of name-index");
        assertThat(row(database, ROWS)).isEqualTo(rows);
        Ended ran = movr.run("run", "movr", "run", "--duration=2s", "--url=" + database.url());
        assertThat(ran.code()).as(ran.error()).isZero();
        cockroachWorkload("run", database, "--duration=2s");
    }

    @Test
    void whatCannotBeAdoptedIsSaidAndStaysAsItIs() throws Exception {
        Gateway database = database("others");
        execute(database, "CREATE TABLE users (id UUID PRIMARY KEY, city STRING, name INT)");
        Ended refused = movr.run("migrate", "--adopt", "--url=" + database.url());
        assertThat(refused.code()).isNotZero();
        assertThat(refused.error())
                .contains(
                        "table rides is missing",
                        "column users.address is missing",
                        "column users.name is INT8 instead of VARCHAR",
                        "PRIMARY KEY");
        assertThat(row(database, "SELECT count(*), min(table_name) FROM [SHOW TABLES]"))
                .containsExactly("1", "users");
    }

    @Test
    void itsTrafficRunsUnchangedOnOurStages() throws Exception {
        Gateway database = database("ours");
        assertThat(movr.run("load", "--scale=tiny", "--url=" + database.url()).code())
                .isZero();
        assertThat(row(
                        database,
                        "SELECT count(*) FROM [SHOW JOBS] WHERE description LIKE 'CREATE INDEX%ours.public.rides%'"))
                .as("the indexes were made with their tables, without jobs")
                .containsExactly("0");
        for (int stage = 2; stage <= 6; stage++) {
            Ended migrated = movr.run("migrate", "--stage=" + stage, "--url=" + database.url());
            assertThat(migrated.code()).as(migrated.error()).isZero();
            cockroachWorkload("run", database, "--duration=2s");
        }
    }

    /** Transactions that meet at one branch are tried again until they are done. */
    @Test
    void pgbenchsTransactionRunsAndItsSumsAreEqual() throws Exception {
        Ended ended = movr.run(
                "run",
                "tpcb",
                "--max-ops=100",
                "--concurrency=2",
                "--retries=100",
                "--url=" + database("tpcb").url());
        assertThat(ended.code()).as(ended.error()).isZero();
        assertThat(ended.output()).containsPattern("(?m)^ +[0-9.]+s +0 +100 ");
        assertThat(ended.error()).doesNotContain("Wrong rows", "Failed:");
    }
}
