package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SupervisedProcessTest {

    @TempDir
    private Path folder;

    /** Starts a program that outlives everybody, says its number, and waits to be killed. */
    public static final class Owner {

        public static void main(String[] arguments) throws Exception {
            SupervisedProcess.start(List.of("sh", "-c", "echo $$; exec sleep 1000"), Path.of(arguments[0]));
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
        SupervisedProcess tied = SupervisedProcess.start(List.of("sh", "-c", "echo $$; exec sleep 1000"), log);
        ProcessHandle program = program(log);
        assertThat(tied.isAlive()).isTrue();
        tied.close();
        awaitEnd(program);
        assertThat(tied.isAlive()).isFalse();
    }

    @Test
    void aProgramThatEndsByItselfIsSeenToHaveEnded() throws Exception {
        Path log = folder.resolve("program.log");
        try (SupervisedProcess tied = SupervisedProcess.start(List.of("sh", "-c", "echo $$; exec sleep 1000"), log)) {
            program(log);
            tied.kill();
            for (int time = 0; time < 600 && tied.isAlive(); time++) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            assertThat(tied.isAlive()).isFalse();
            assertThat(tied.exitCode()).isEqualTo(128 + 9);
        }
    }

    @Test
    void theExitCodeIsTheProgramsOwn() throws Exception {
        Path log = folder.resolve("program.log");
        try (SupervisedProcess tied = SupervisedProcess.start(List.of("sh", "-c", "exit 7"), log)) {
            for (int time = 0; time < 600 && tied.isAlive(); time++) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            assertThat(tied.exitCode()).isEqualTo(7);
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
}
