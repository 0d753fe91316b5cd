package io.movr.environment;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.database.EmbeddedPostgres;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.report.LabResults.Check;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGProperty;

class RequirementsTest {

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.temporary();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Gateway database(String name, String options) throws SQLException {
        execute(server.gateway(), "CREATE DATABASE " + name + options);
        return server.gateway().toDatabase(name);
    }

    private static void execute(Gateway gateway, String sql) throws SQLException {
        try (Connection connection = gateway.connect()) {
            Rows.execute(connection, sql);
        }
    }

    private static Check check(Gateway gateway, String name) {
        List<Check> checks = Requirements.of(gateway);
        return checks.stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(checks.toString()));
    }

    @Test
    void everyRequirementIsCheckedAndAnOwnDatabaseMeetsThem() throws SQLException {
        List<Check> checks = Requirements.of(database("own", ""));
        assertThat(checks)
                .extracting(Check::name)
                .containsExactly(
                        "writes",
                        "own databases",
                        "own tables",
                        "statement statistics",
                        "space",
                        "encoding",
                        "event triggers");
        assertThat(checks)
                .filteredOn(check -> !check.name().equals("statement statistics"))
                .allSatisfy(check -> assertThat(check.status()).isEqualTo("ok"));
    }

    @Test
    void whatARoleMayNotDoIsNamedWithTheCommandsThatNeedIt() throws SQLException {
        Gateway database = database("shared", "");
        execute(database, "CREATE TABLE rides (id int)");
        execute(database, "CREATE ROLE restricted LOGIN PASSWORD 'restricted'");
        execute(database, "ALTER ROLE restricted SET default_transaction_read_only = on");
        try {
            Gateway restricted = database.withoutPassword()
                    .with(PGProperty.USER, "restricted")
                    .with(PGProperty.PASSWORD, "restricted");
            assertThat(check(restricted, "space").detail()).contains("which SQL does not show");
            assertThat(check(server.gateway(), "space").detail())
                    .contains("the two copies that experiment run --url makes", "are free at");
            Check databases = check(restricted, "own databases");
            assertThat(databases.status()).isEqualTo("warning");
            assertThat(databases.detail()).contains("role restricted lacks CREATEDB", "lab");
            assertThat(databases.remedy()).contains("ALTER ROLE restricted CREATEDB");
            assertThat(check(restricted, "own tables").status()).isEqualTo("warning");
            Check statistics = check(restricted, "statement statistics");
            assertThat(statistics.detail()).contains("pg_stat_statements");
            assertThat(statistics.remedy()).contains("CREATE EXTENSION");
            Check writes = check(restricted, "writes");
            assertThat(writes.status()).isEqualTo("problem");
            assertThat(writes.detail())
                    .contains(
                            "transactions of role restricted are read-only", "lacks INSERT on rides, SELECT on rides");
        } finally {
            execute(database, "DROP ROLE restricted");
        }
    }

    @Test
    void anotherEncodingAndEventTriggersAreNamed() throws SQLException {
        Gateway latin = database("latin", " ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
        assertThat(check(latin, "encoding").status()).isEqualTo("problem");
        assertThat(check(latin, "encoding").detail()).startsWith("LATIN1");
        Gateway guarded = database("guarded", "");
        execute(
                guarded,
                "CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN"
                        + " RAISE 'no tables here'; END $$");
        execute(guarded, "CREATE EVENT TRIGGER guard ON ddl_command_start EXECUTE FUNCTION refuse()");
        Check triggers = check(guarded, "event triggers");
        assertThat(triggers.status()).isEqualTo("warning");
        assertThat(triggers.detail()).startsWith("guard (on ddl_command_start)");
    }
}
