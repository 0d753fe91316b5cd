package io.movr.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Rows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import org.flywaydb.core.api.MigrationVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrationsTest {

    @TempDir
    private Path folder;

    @Test
    void whatFlywayReadsIsReadFirstAlsoBehindLinks(@TempDir Path elsewhere) throws Exception {
        Files.writeString(folder.resolve("V1__orders.sql"), "CREATE TABLE orders (id int)");
        Files.writeString(folder.resolve("V2__customers.sql"), "CREATE TABLE customers (id int)");
        Path yaml = folder.resolve("experiment.yaml");
        assertThat(Migrations.of(folder, "1", "2", yaml)).hasSize(2);
        Files.writeString(elsewhere.resolve("R__more.sql"), "DROP DATABASE shop");
        Path link = Files.createSymbolicLink(folder.resolve("more"), elsewhere);
        assertThatThrownBy(() -> Migrations.of(folder, "1", "2", yaml))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("R__more.sql, line 1: DROP DATABASE");
        Files.delete(link);
        Files.createSymbolicLink(folder.resolve("R__endless.sql"), Path.of("/dev/zero"));
        assertThatThrownBy(() -> Migrations.of(folder, "1", "2", yaml))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("R__endless.sql, which is no regular file: remove it");
        Files.delete(folder.resolve("R__endless.sql"));
        Files.createSymbolicLink(folder.resolve("again"), folder);
        assertThatThrownBy(() -> Migrations.of(folder, "1", "2", yaml)).isInstanceOf(UserError.class);
    }

    @Test
    void tablesThatFlywayDidNotMakeAreReportedInOurWords() throws Exception {
        Files.writeString(folder.resolve("V1__orders.sql"), "CREATE TABLE orders (id int)");
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary()) {
            try (Connection connection = server.gateway().connect()) {
                Rows.execute(connection, "CREATE TABLE customers (id int)");
            }
            Migrations migrations = new Migrations(folder, MigrationVersion.fromVersion("1"));
            assertThatThrownBy(() -> migrations.run(server.gateway(), server.gateway()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("no table flyway_schema_history")
                    .hasMessageContaining("name a database that Flyway has migrated")
                    .satisfies(refused -> assertThat(refused.getMessage()).doesNotContainIgnoringCase("baseline"));
        }
    }
}
