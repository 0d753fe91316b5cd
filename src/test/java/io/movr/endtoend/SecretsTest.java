package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.database.EmbeddedPostgres;
import io.movr.endtoend.MovrProgram.Ended;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGProperty;

/**
 * A password in an address, or of an embedded server, stands nowhere else afterwards: not in what commands print and write, not
 * in the list of processes. These commands start processes; those that do not are tested beside their classes. {@code movr edge},
 * which takes two minutes at least, writes its results as the others do and starts no process.
 */
@Tag("full")
class SecretsTest {

    private static final String PASSWORD = "marked4secret";
    private static final String USER = "marked";
    private static final int NEW_LOOKS = 100;

    private static EmbeddedPostgres server;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedPostgres.temporary(0);
        try (Connection connection = server.gateway().connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE " + USER + " SUPERUSER LOGIN PASSWORD '" + PASSWORD + "'");
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String url() {
        return server.gateway().with(PGProperty.USER, USER).url() + "&password=" + PASSWORD;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "doctor",
                "lab --scale tiny --samples 30 --only pk-lookup --out results",
                "bench UserById.repository --stages foreign-keys --scale tiny --rounds 1 --warm-up 0.4 --out results",
                "calibrate --seconds 2 --fsync-dir . --out results",
                "check --through service --duration 2s --concurrency 2 --out results",
            })
    void nobodyReadsThePassword(String line) throws Exception {
        List<String> typed = new ArrayList<>(List.of(line.split(" ", -1)));
        typed.add("--url=" + url());

        Set<String> processes = processesThatShow(PASSWORD, new MovrProgram(folder), typed);

        // The command itself, as it was typed; none of the processes that it started.
        assertThat(processes)
                .isNotEmpty()
                .allSatisfy(process -> assertThat(process).endsWith(String.join(" ", typed) + " "));
        assertThat(filesWith(PASSWORD)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"doctor --data-dir data", "lab --scale tiny --samples 30 --only geo-read-new-york --out results"
            })
    void thePasswordOfAnEmbeddedServerIsInItsFileOnly(String line) throws Exception {
        // It is that of all servers of this user.
        String own = Files.readString(Path.of(server.gateway().environment().get("PGPASSFILE")))
                .strip()
                .replaceFirst(".*:", "");
        assertThat(processesThatShow(own, new MovrProgram(folder), List.of(line.split(" ", -1))))
                .isEmpty();
        assertThat(filesWith(own)).allSatisfy(file -> assertThat(file).hasFileName("pgpass"));
        // Results are read by others, to whom the folders of this machine are nothing.
        assertThat(filesWith("pgpass")).noneMatch(file -> file.startsWith(folder.resolve("home/results")));
    }

    /** The commands of processes that have a word in them while movr runs. */
    private static Set<String> processesThatShow(String word, MovrProgram movr, List<String> arguments)
            throws IOException, InterruptedException {
        Set<String> seen = new ConcurrentSkipListSet<>();
        AtomicBoolean done = new AtomicBoolean();
        Thread watcher = new Thread(() -> {
            Map<Path, Integer> looks = new HashMap<>();
            while (!done.get()) {
                seen.addAll(processesThatShow(word, looks));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        });
        watcher.start();
        Ended ended = movr.run(arguments, "");
        done.set(true);
        watcher.join();
        assertThat(ended.code()).as(ended.output() + ended.error()).isZero();
        return seen;
    }

    /**
     * Looks at all processes, but seldom at those that it knows for long: reading everything 200 times a second takes a core.
     *
     * @param looks how often each was there
     */
    private static Set<String> processesThatShow(String word, Map<Path, Integer> looks) {
        try (Stream<Path> files = Files.list(Path.of("/proc"))) {
            List<Path> processes = files.filter(
                            process -> process.getFileName().toString().matches("\\d+"))
                    .toList();
            looks.keySet().retainAll(new HashSet<>(processes));
            return processes.stream()
                    .filter(process -> {
                        int before = looks.merge(process, 1, Integer::sum);
                        return before <= NEW_LOOKS || before % NEW_LOOKS == 0;
                    })
                    .map(process -> read(process.resolve("cmdline")).replace('\0', ' '))
                    .filter(command -> command.contains(word))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException none) {
            return Set.of();
        }
    }

    /** What commands print is in files of the same folder. */
    private List<Path> filesWith(String word) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> read(file).contains(word))
                    .toList();
        }
    }

    /** Of a process that has ended meanwhile, nothing. */
    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }
}
