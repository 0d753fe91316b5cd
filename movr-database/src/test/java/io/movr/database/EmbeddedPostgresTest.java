package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.UserError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresTest {

    @TempDir
    private Path folder;

    /** PostgreSQL runs as nobody where this test runs as root and the kernel forbids user namespaces. */
    @BeforeEach
    void letOthersPass() {
        assertThat(folder.toFile().setExecutable(true, false)).isTrue();
    }

    @Test
    void itIsDurableAndListensOnTheLoopbackAddressOnly() throws SQLException {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary()) {
            assertThat(server.version()).startsWith("PostgreSQL 18");
            assertThat(show(server, "fsync")).isEqualTo("on");
            assertThat(show(server, "synchronous_commit")).isEqualTo("on");
            assertThat(show(server, "full_page_writes")).isEqualTo("on");
            assertThat(show(server, "listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(show(server, "shared_preload_libraries")).contains("pg_stat_statements", "auto_explain");
        }
    }

    @Test
    void twoAtOnceDoNotCollideAndATemporaryFolderGoesWithItsServer() throws SQLException {
        Path first;
        Path second;
        try (EmbeddedPostgres one = EmbeddedPostgres.temporary();
                EmbeddedPostgres other = EmbeddedPostgres.temporary()) {
            first = one.path().orElseThrow();
            second = other.path().orElseThrow();
            assertThat(one.gateway().url()).isNotEqualTo(other.gateway().url());
            assertThat(show(one, "data_directory")).isNotEqualTo(show(other, "data_directory"));
        }
        assertThat(first).doesNotExist();
        assertThat(second).doesNotExist();
    }

    @Test
    void anInterruptedThreadStopsItsServerAllTheSame() {
        EmbeddedPostgres server = EmbeddedPostgres.temporary();
        ProcessHandle process = server.process().orElseThrow();
        Thread.currentThread().interrupt();
        server.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(InstanceFolder.isRunning(process)).isFalse();
    }

    @Test
    void ofSeveralStartsAtOnceOneUnpacksAndTheOthersWaitUntilAllIsThere() {
        Path target = folder.resolve("programs");
        AtomicInteger unpacked = new AtomicInteger();
        CyclicBarrier together = new CyclicBarrier(3);
        List<CompletableFuture<Boolean>> starts = Stream.generate(() -> CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                together.await();
                                PostgresPrograms.createAtomically(target, half -> {
                                    unpacked.incrementAndGet();
                                    Files.createDirectories(half.resolve("bin"));
                                    assertThat(target).as("what is half done").doesNotExist();
                                    Files.writeString(half.resolve("bin").resolve("postgres"), "whole");
                                });
                                return Files.readString(target.resolve("bin").resolve("postgres"))
                                        .equals("whole");
                            } catch (IOException | InterruptedException | BrokenBarrierException failed) {
                                throw new IllegalStateException(failed);
                            }
                        },
                        command -> new Thread(command).start()))
                .limit(3)
                .toList();
        assertThat(starts.stream().map(CompletableFuture::join)).containsOnly(true);
        assertThat(unpacked).hasValue(1);
    }

    @Test
    void whatWasUnpackedByHalfIsUnpackedAnew() throws IOException {
        Path target = folder.resolve("programs");
        assertThatThrownBy(() -> PostgresPrograms.createAtomically(target, half -> {
                    Files.writeString(half.resolve("left"), "");
                    throw new IOException("no space");
                }))
                .hasMessage("no space");
        PostgresPrograms.createAtomically(target, half -> Files.writeString(half.resolve("postgres"), "whole"));
        assertThat(target.resolve("postgres")).exists();
        assertThat(target.resolve("left")).doesNotExist();
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void aKeptFolderKeepsItsRowsAndIsForItsUserOnly() throws SQLException, IOException {
        Path kept = folder.resolve("kept");
        try (EmbeddedPostgres server = EmbeddedPostgres.in(kept, 0)) {
            execute(server, "CREATE TABLE memo (text VARCHAR)");
            execute(server, "INSERT INTO memo VALUES ('still here')");
            assertThat(permissions(kept)).isEqualTo("rwx--x--x");
            assertThat(permissions(kept.resolve("server.log"))).isEqualTo("rw-------");
        }
        try (EmbeddedPostgres server = EmbeddedPostgres.in(kept, 0)) {
            assertThat(query(server, "SELECT text FROM memo")).isEqualTo("still here");
        }
    }

    @Test
    void aFolderThatIsOpenIsJoinedAndLeavingDoesNotStopIt() throws SQLException {
        Path kept = folder.resolve("kept");
        try (EmbeddedPostgres owner = EmbeddedPostgres.in(kept, 0)) {
            try (EmbeddedPostgres guest = EmbeddedPostgres.in(kept, 0)) {
                assertThat(guest.gateway()).isEqualTo(owner.gateway());
                assertThat(guest.process()).isEmpty();
                assertThat(owner.process()).isPresent();
            }
            assertThat(query(owner, "SELECT 1")).isEqualTo("1");
        }
    }

    @Test
    void noPartOfTheNameOfAFolderIsACommand() throws Exception {
        String nothing =
                folder.toAbsolutePath().relativize(folder.resolve("ran")).toString();
        Path kept = folder.resolve("a \"b\" 'c' $HOME $(touch " + nothing + ") `touch " + nothing + "` \\ % ; & d");
        for (int start = 0; start < 2; start++) {
            try (EmbeddedPostgres server = EmbeddedPostgres.in(kept, 0)) {
                assertThat(query(server, "SELECT 1")).isEqualTo("1");
                assertThat(server.process()).isPresent();
            }
        }
        assertThat(Files.exists(Path.of(nothing))).isFalse();
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName()))).doesNotContain("ran");
        }
    }

    @Test
    void aFolderThatPostgresCannotNoteIsRefusedBeforeAnythingStarts() {
        Path broken = folder.resolve("two\nlines");
        assertThatThrownBy(() -> EmbeddedPostgres.in(broken, 0))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("two?lines' has a line break")
                .hasMessageContaining("--data-dir");
        assertThat(Files.exists(broken)).isFalse();
        for (String special : List.of("$x", "`x`", "a\"b", "a\\b")) {
            assertThatThrownBy(() -> PostgresPrograms.requirePlain(folder.resolve(special)))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining(special)
                    .hasMessageContaining("XDG_CACHE_HOME");
        }
    }

    @Test
    void aFolderWithOtherFilesIsLeftAlone() throws IOException {
        Path file = Files.writeString(folder.resolve("thesis.txt"), "do not delete");
        assertThatThrownBy(() -> EmbeddedPostgres.in(folder, 0))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("holds other files")
                .hasMessageContaining("--data-dir");
        assertThat(file).hasContent("do not delete");
    }

    @Test
    void aTakenPortIsSaidInOneLine() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> EmbeddedPostgres.temporary(taken.getLocalPort()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("Port " + taken.getLocalPort() + " is taken");
        }
    }

    @Test
    void aFolderThatCannotBeMadeIsSaidInOneLine() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(() -> EmbeddedPostgres.in(file.resolve("below"), 0))
                .isInstanceOf(UserError.class)
                .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("\n"));
    }

    @Test
    void nobodyConnectsWithoutThePasswordOfAFileThatOnlyItsOwnerReads() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary()) {
            Gateway unnamed = server.gateway().withoutPassword();
            assertRefused(unnamed);
            assertRefused(new Gateway(unnamed.url() + "&password=wrong"));
            assertRefused(new Gateway(unnamed.toDatabase("postgres").url() + "&password="));

            Path file = passwordFile(server);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(password(server)).hasSizeGreaterThanOrEqualTo(32);
            assertThat(server.gateway().url()).doesNotContain(password(server));
            assertThat(Logs.text(server.path().orElseThrow().resolve("server.log")))
                    .doesNotContain(password(server), "SCRAM-SHA-256$");
        }
    }

    @Test
    void otherProgramsGetThePasswordFromTheEnvironmentOrTheAddress() throws Exception {
        assumeTrue(ExternalProgram.of("psql", "--version").works(), "psql is not installed");
        try (EmbeddedPostgres server = EmbeddedPostgres.temporary()) {
            ExternalProgram asked = ExternalProgram.of("psql", "-Atc", "SELECT 'in'");
            assertThat(asked.with(server.gateway().environment())
                            .run(Duration.ofMinutes(1))
                            .output())
                    .isEqualTo("in\n");
            String printed = server.engine().shell(server.gateway()) + " -Atc \"SELECT 'in'\"";
            assertThat(ExternalProgram.of("sh", "-c", printed)
                            .run(Duration.ofMinutes(1))
                            .output())
                    .isEqualTo("in\n");
        }
    }

    @Test
    void aShellInterpretsNothingOfAPrintedAddress() throws Exception {
        Gateway gateway = new Gateway("jdbc:postgresql://localhost:5432/a$HOME?user=o'neil&options=`id`%20\"x\"");
        for (Engine engine : Engine.values()) {
            String words = engine.shell(gateway).replaceFirst("^(psql|cockroach sql)", "printf '%s'");
            assertThat(ExternalProgram.of("sh", "-c", words)
                            .run(Duration.ofMinutes(1))
                            .output())
                    .endsWith(gateway.libpq());
        }
    }

    @Test
    void aFolderOfAnEarlierVersionKeepsItsRowsAndAsksForAPasswordFromThenOn() throws Exception {
        Path kept = folder.resolve("kept");
        try (EmbeddedPostgres server = EmbeddedPostgres.in(kept, 0)) {
            execute(server, "CREATE TABLE memo AS SELECT 'still here' AS text");
            execute(server, "ALTER ROLE movr PASSWORD NULL");
        }
        Path access = kept.resolve("data").resolve("pg_hba.conf");
        Files.writeString(access, "host all all 127.0.0.1/32 trust\n");
        Files.delete(PostgresPrograms.passwordFile(kept.resolve("data")));

        // The second time is that of a process that was killed before it wrote the password's file.
        for (int time = 0; time < 2; time++) {
            try (EmbeddedPostgres server = EmbeddedPostgres.in(kept, 0)) {
                assertThat(query(server, "SELECT text FROM memo")).isEqualTo("still here");
                assertRefused(server.gateway().withoutPassword());
                assertThat(access).content().doesNotContain("trust");
            }
            Files.delete(PostgresPrograms.passwordFile(kept.resolve("data")));
        }
    }

    @Test
    void serversOfOneUserHaveOnePasswordAlsoIfOneWasMadeWithAnother() throws Exception {
        Path kept = folder.resolve("kept");
        try (EmbeddedPostgres server = EmbeddedPostgres.in(kept, 0)) {
            execute(server, "ALTER ROLE movr PASSWORD 'another'");
            Folders.writeSecret(passwordFile(server), PasswordFile.line("movr", "another"));
            assertThat(query(server, "SELECT 1")).isEqualTo("1");
        }
        try (EmbeddedPostgres server = EmbeddedPostgres.in(kept, 0);
                EmbeddedPostgres other = EmbeddedPostgres.temporary()) {
            assertThat(query(server, "SELECT 1")).isEqualTo("1");
            assertThat(password(server)).isEqualTo(password(other)).isNotEqualTo("another");
            assertRefused(new Gateway(server.gateway().withoutPassword().url() + "&password=another"));
        }
    }

    @Test
    void aLogOfBytesThatAreNoTextIsQuotedFromWhereItsProgramBegan() throws Exception {
        Path kept = folder.resolve("kept");
        EmbeddedPostgres.in(kept, 0).close();
        // Each of these letters takes two bytes; the last byte is none of UTF-8.
        Files.writeString(kept.resolve("server.log"), "é".repeat(10_000), StandardOpenOption.APPEND);
        Files.write(kept.resolve("server.log"), new byte[] {(byte) 0xFF, '\n'}, StandardOpenOption.APPEND);
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> EmbeddedPostgres.in(kept, taken.getLocalPort()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("Port " + taken.getLocalPort() + " is taken");
        }
        Files.writeString(kept.resolve("data").resolve("postgresql.conf"), "unheard_of = 1", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> EmbeddedPostgres.in(kept, 0))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("FATAL:")
                .hasMessageContaining("postgresql.conf");
    }

    private static void assertRefused(Gateway gateway) {
        assertThatThrownBy(gateway::connect)
                .isInstanceOf(UserError.class)
                .rootCause()
                .isInstanceOf(SQLException.class)
                .message()
                .containsPattern("password");
    }

    private static Path passwordFile(EmbeddedPostgres server) {
        return Path.of(server.gateway().environment().get("PGPASSFILE"));
    }

    private static String password(EmbeddedPostgres server) throws IOException {
        return PasswordFile.find(Files.readAllLines(passwordFile(server)), "127.0.0.1", "1", "movr", "movr")
                .orElseThrow();
    }

    @Test
    void memoryFollowsTheMachineWithinBounds() {
        assertThat(ServerSettings.forMemory(1, 1L << 30).get("shared_buffers")).isEqualTo("64MB");
        assertThat(ServerSettings.forMemory(1, 16L << 30).get("shared_buffers")).isEqualTo("1024MB");
        assertThat(ServerSettings.forMemory(1, 512L << 30).get("shared_buffers"))
                .isEqualTo("2048MB");
    }

    private static String show(EmbeddedPostgres server, String setting) throws SQLException {
        return query(server, "SELECT current_setting('" + setting + "')");
    }

    private static void execute(EmbeddedPostgres server, String sql) throws SQLException {
        try (Connection connection = server.gateway().connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String query(EmbeddedPostgres server, String sql) throws SQLException {
        try (Connection connection = server.gateway().connect();
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(sql)) {
            answer.next();
            return answer.getString(1);
        }
    }
}
