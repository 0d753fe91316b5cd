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
