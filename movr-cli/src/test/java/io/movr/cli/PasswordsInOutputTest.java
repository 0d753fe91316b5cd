package io.movr.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.database.EmbeddedPostgres;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGProperty;

/**
 * A password in an address is neither in what commands print nor in what they write. Commands that start processes, which also
 * must not show it, are run by the end-to-end tests.
 */
@Tag("full")
class PasswordsInOutputTest {

    private static final String PASSWORD = "marked4secret";
    private static final String USER = "marked";

    private static EmbeddedPostgres server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedPostgres.temporary();
        try (Connection connection = server.gateway().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE " + USER + " SUPERUSER LOGIN PASSWORD '" + PASSWORD + "'");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "load --scale tiny --replace",
                "migrate --stage name-index",
                "experiment time --repeat 1 --statement SELECT_1",
                "experiment time --repeat 1 --statement SELECT_no_such_column",
                "run ycsb --duration 1s --insert-count 100 --out %s",
                "run tpcb --duration 1s --out %s",
                "run movr --scale tiny --duration 1s --out %s",
            })
    void nobodyReadsThePassword(String line) throws IOException {
        List<String> words = Stream.concat(
                        Stream.of(line.formatted(folder).split(" ", -1))
                                .map(word -> word.startsWith("SELECT_") ? word.replace("SELECT_", "SELECT ") : word),
                        Stream.of("--url="
                                + server.gateway().with(PGProperty.USER, USER).url() + "&password=" + PASSWORD))
                .toList();
        StringWriter printed = new StringWriter();
        PrintWriter writer = new PrintWriter(printed, true);
        int code = Movr.commandLine().setOut(writer).setErr(writer).execute(words.toArray(String[]::new));
        assertThat(code).as(printed.toString()).isEqualTo(line.contains("no_such") ? 1 : 0);
        assertThat(printed.toString()).isNotBlank().doesNotContain(PASSWORD);
        try (Stream<Path> walk = Files.walk(folder)) {
            List<Path> files = walk.filter(Files::isRegularFile).toList();
            assertThat(files.isEmpty()).isNotEqualTo(line.contains("--out"));
            assertThat(files)
                    .allSatisfy(file -> assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                            .doesNotContain(PASSWORD));
        }
    }
}
