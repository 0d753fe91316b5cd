package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.UserError;
import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the {@code cockroach} program is started, with a script that stands in for it: there is none where this is built. */
class LocalCockroachTest {

    @TempDir
    private Path folder;

    /** The logs are kept for whoever reads the message, until the next start; here nobody does. */
    private static void removeLogs(Throwable refusal) {
        Matcher log = Pattern.compile("\\(log: (.+)\\)").matcher(String.valueOf(refusal.getMessage()));
        assertThat(log.find()).isTrue();
        try {
            Folders.delete(Path.of(log.group(1)).getParent());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private Path program(String version, String rest) throws IOException {
        Path program = folder.resolve("cockroach");
        Files.writeString(program, "#!/bin/sh\n[ \"$1\" = version ] && { echo " + version + "; exit 0; }\n" + rest);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }

    @Test
    void aProgramThatIsMissingOrSomethingElseIsSaid() throws IOException {
        assertThatThrownBy(() -> LocalCockroach.ofOneNode(folder.resolve("nothing")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("correct --cockroach-bin");
        Path other = program("2.1-roach", "exit 0");
        assertThatThrownBy(() -> LocalCockroach.ofOneNode(other))
                .hasMessageContaining("says that it is '2.1-roach', which is no version of CockroachDB");
    }

    @Test
    void whatItSaysNeedNotBeText() throws IOException {
        Path other = program("v25.4.0", "printf 'ERROR: node \\377 is lost\\n'; exit 1");
        assertThatThrownBy(() -> LocalCockroach.ofOneNode(other))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("CockroachDB ended: ERROR: node \uFFFD is lost")
                .satisfies(LocalCockroachTest::removeLogs);
    }

    @Test
    void aVersionThatIsTooOldIsRefused() throws IOException {
        Path old = program("v22.2.9", "exit 0");
        assertThatThrownBy(() -> LocalCockroach.ofOneNode(old))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("CockroachDB v22.2.9 is too old: v23.1 or newer is needed");
        Path licensed = program("v24.2.1", "exit 0");
        assertThatThrownBy(() -> LocalCockroach.ofRegions(licensed, List.of(), 3, Distances.standard(), false))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("v24.3 or newer is needed, because before that regions take a licence");
    }

    @Test
    void versionsAreRead() {
        assertThat(CockroachVersion.in("v26.1.0-alpha.1")).contains(new CockroachVersion(26, 1));
        assertThat(CockroachVersion.in("CockroachDB CCL v24.3.12 (x86_64-linux-gnu, built …)"))
                .contains(new CockroachVersion(24, 3));
        assertThat(CockroachVersion.in("PostgreSQL 18.6")).isEmpty();
    }

    @Test
    void heapsOfNodesTakeHalfOfTheMemoryAtMost() {
        assertThat(LocalCockroach.memoryLimits(24L << 30, 9))
                .contains("--max-sql-memory=512MiB", "--max-go-memory=1024MiB");
        assertThat(LocalCockroach.memoryLimits(9L << 30, 9))
                .contains("--max-sql-memory=256MiB", "--max-go-memory=512MiB");
        assertThat(LocalCockroach.memoryLimits(2L << 30, 9))
                .contains("--max-sql-memory=128MiB", "--max-go-memory=256MiB");
    }

    @Tag("full")
    @Test
    void aRegionThatWasKilledKeepsItsRowsInFiles() throws SQLException {
        assumeTrue(LocalCockroach.onPath().isPresent(), "There is no program 'cockroach' on the path");
        Region region = RegionMap.standard().primary();
        try (LocalCockroach cluster = LocalCockroach.ofRegions(null, List.of(region), 1, Distances.standard(), true)) {
            execute(cluster, "CREATE TABLE kept (id INT PRIMARY KEY)");
            execute(cluster, "INSERT INTO kept VALUES (1)");
            cluster.kill(region);
            cluster.restart(region);
            assertThatThrownBy(() -> execute(cluster, "INSERT INTO kept VALUES (1)"))
                    .hasMessageContaining("duplicate key");
        }
        try (LocalCockroach cluster = LocalCockroach.ofRegions(null, List.of(region), 1, Distances.standard(), false)) {
            assertThatThrownBy(() -> cluster.restart(region)).hasMessageContaining("kept their rows in memory");
        }
    }

    private static void execute(LocalCockroach cluster, String sql) throws SQLException {
        try (Connection connection = cluster.gateway().connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aNodeThatEndsIsSaidWithWhyAndItsLog() throws IOException {
        Path failing = program("v26.1.0", "echo starting; echo 'ERROR: port is taken'; exit 1");
        assertThatThrownBy(() -> LocalCockroach.ofOneNode(failing))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("CockroachDB ended: ERROR: port is taken (log: ")
                .hasMessageContaining("node.log")
                .satisfies(LocalCockroachTest::removeLogs);
    }

    @Test
    void nineNodesAreStartedInThreeRegionsAndTellEachRemoteRegionAWayOfItsOwn() throws IOException {
        Path words = folder.resolve("words.txt");
        // The ninth ends, so that nobody waits for a server that a script is not.
        Path program = program("v26.1.0", """
                [ "$1" = init ] && exit 0
                echo "$*" >> '%s'
                case $* in
                  *region=europe-west1,az=c*)
                    until [ "$(wc -l < '%s')" -eq 9 ]; do sleep 0.1; done
                    echo 'ERROR: enough'
                    exit 1;;
                esac
                exec sleep 600
                """.formatted(words, words));
        assertThatThrownBy(() -> LocalCockroach.ofRegions(
                        program, List.copyOf(RegionMap.standard().cities().keySet()), 3, Distances.standard(), false))
                .hasMessageContaining("ERROR: enough (log: ")
                .hasMessageContaining("node-9.log")
                .satisfies(LocalCockroachTest::removeLogs);
        List<String> nodes = Files.readAllLines(words);
        assertThat(nodes).hasSize(9);
        assertThat(nodes)
                .allSatisfy(node -> assertThat(node)
                        .startsWith("start --insecure")
                        .contains(
                                "--listen-addr=127.0.0.1:",
                                "--join=127.0.0.1:",
                                "--store=type=mem,size=640MiB",
                                "--max-go-memory="));
        assertThat(nodes)
                .filteredOn(node -> node.contains("--locality=region=us-west1,az="))
                .hasSize(3)
                .allSatisfy(node -> assertThat(node)
                        .containsPattern("--locality-advertise-addr=region=us-east1@127\\.0\\.0\\.1:\\d+,"
                                + "region=europe-west1@127\\.0\\.0\\.1:\\d+"));
    }
}
