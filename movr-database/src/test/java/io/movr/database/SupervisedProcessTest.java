package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisedProcessTest {

    @TempDir
    private Path folder;

    /** Starts a program that outlives everybody, says its number, and waits to be killed. */
    public static final class Owner {

        public static void main(String[] arguments) throws Exception {
            ExternalProgram.of("sh", "-c", "echo $$; exec sleep 1000").start(Path.of(arguments[0]));
            Thread.sleep(600_000);
        }
    }

    private static void awaitEnd(ProcessHandle program) throws InterruptedException {
        for (int time = 0; time < 600 && program.isAlive(); time++) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
        assertThat(program.isAlive()).isFalse();
    }

    private ProcessHandle program(Path log) throws IOException, InterruptedException {
        for (int time = 0; time < 600; time++) {
            if (Files.exists(log) && !Files.readString(log).isBlank()) {
                return ProcessHandle.of(Long.parseLong(Files.readString(log).strip()))
                        .orElseThrow();
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new AssertionError("It has not started");
    }

    @Test
    void closingEndsTheProgram() throws Exception {
        Path log = folder.resolve("program.log");
        SupervisedProcess supervised =
                ExternalProgram.of("sh", "-c", "echo $$; exec sleep 1000").start(log);
        ProcessHandle program = program(log);
        assertThat(supervised.isAlive()).isTrue();
        supervised.close();
        awaitEnd(program);
        assertThat(supervised.isAlive()).isFalse();
    }

    @Test
    void aProgramThatEndsByItselfIsSeenToHaveEnded() throws Exception {
        Path log = folder.resolve("program.log");
        try (SupervisedProcess supervised =
                ExternalProgram.of("sh", "-c", "echo $$; exec sleep 1000").start(log)) {
            program(log);
            supervised.kill();
            for (int time = 0; time < 600 && supervised.isAlive(); time++) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            assertThat(supervised.isAlive()).isFalse();
            assertThat(supervised.exitCode()).isEqualTo(128 + 9);
        }
    }

    @Test
    void theExitCodeIsTheProgramsOwn() throws Exception {
        Path log = folder.resolve("program.log");
        try (SupervisedProcess supervised =
                ExternalProgram.of("sh", "-c", "exit 7").start(log)) {
            for (int time = 0; time < 600 && supervised.isAlive(); time++) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            assertThat(supervised.exitCode()).isEqualTo(7);
        }
    }

    @Test
    void theProgramEndsWithAnOwnerThatIsKilled() throws Exception {
        Path log = folder.resolve("program.log");
        Process owner = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Owner.class.getName(),
                        log.toString())
                .inheritIO()
                .start();
        ProcessHandle program;
        try {
            program = program(log);
        } finally {
            owner.destroyForcibly();
        }
        awaitEnd(program);
    }

    @Test
    void whatIsRunToItsEndSaysHowItEnded() throws Exception {
        ExternalProgram.Ended failed =
                ExternalProgram.of("sh", "-c", "echo out; echo err >&2; exit 3").run(Duration.ofMinutes(1));
        assertThat(failed).isEqualTo(new ExternalProgram.Ended(3, "out\nerr\n"));
        assertThat(failed.succeeded()).isFalse();
        assertThat(ExternalProgram.of("sh", "-c", "cat; echo $SECRET")
                        .with(Map.of("SECRET", "by environment"))
                        .run(Duration.ofMinutes(1)))
                .isEqualTo(new ExternalProgram.Ended(0, "by environment\n"));
    }

    @Test
    void whatTakesTooLongIsEndedWithItsChildren() throws Exception {
        Path log = folder.resolve("late.log");
        assertThat(ExternalProgram.of("sh", "-c", "sleep 1000 & echo $!; wait").run(Duration.ofSeconds(5), log))
                .isEqualTo(ExternalProgram.LATE);
        ProcessHandle.of(Long.parseLong(Files.readString(log).strip())).ifPresent(child -> {
            try {
                awaitEnd(child);
            } catch (InterruptedException interrupted) {
                throw new AssertionError(interrupted);
            }
        });
    }

    @Test
    void anInterruptionEndsWhatIsRun() throws Exception {
        Path log = folder.resolve("interrupted.log");
        ExternalProgram program = ExternalProgram.of("sh", "-c", "echo $$; exec sleep 1000");
        Thread waiting = new Thread(() -> {
            try {
                program.run(Duration.ofMinutes(10), log);
            } catch (IOException | InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        waiting.start();
        ProcessHandle process = program(log);
        waiting.interrupt();
        awaitEnd(process);
        waiting.join();
    }

    @Test
    void whatIsNotUtf8IsReadAllTheSame() throws Exception {
        ExternalProgram program = ExternalProgram.of("sh", "-c", "printf 'a\\377b'; echo late >&2");
        assertThat(program.answer(Duration.ofMinutes(1)).output()).isEqualTo("a\ufffdb");
        assertThat(program.works()).isTrue();
    }

    @Test
    void aProgramThatIsMissingIsSaid() {
        ExternalProgram missing = ExternalProgram.of("movr-no-such-program");
        assertThat(missing.works()).isFalse();
        assertThatThrownBy(() -> missing.run(Duration.ofMinutes(1))).isInstanceOf(IOException.class);
    }
}
