package io.movr.environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SharedCoreTest {

    private static String coresOf(String process) throws IOException {
        return Files.readAllLines(Path.of("/proc", process, "status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    private static void assumePossible(Process server) {
        assumeTrue(SharedCore.isPossible(server.toHandle()), "this system has one core, or lets nobody choose it");
    }

    @Test
    void aServerAndTheCallingThreadAreOnOneCoreAndThenOnAllAgain() throws Exception {
        Process server = new ProcessBuilder("sh", "-c", "sleep 60 & echo; wait").start();
        try {
            assumePossible(server);
            assertThat(server.getInputStream().read()).as("the child runs").isEqualTo('\n');
            String pid = Long.toString(server.pid());
            String child =
                    Long.toString(server.descendants().findFirst().orElseThrow().pid());
            try (SharedCore shared = new SharedCore(server.toHandle())) {
                assertThat(shared).isNotNull();
                assertThat(coresOf(pid)).isEqualTo(Cores.last());
                assertThat(coresOf(child)).isEqualTo(Cores.last());
                assertThat(coresOf("thread-self")).isEqualTo(Cores.last());
                assertThat(coresOf("self")).isEqualTo(Cores.all()).isNotEqualTo(Cores.last());
            }
            assertThat(coresOf(pid)).isEqualTo(Cores.all());
            assertThat(coresOf(child)).isEqualTo(Cores.all());
            assertThat(coresOf("thread-self")).isEqualTo(Cores.all());
        } finally {
            server.descendants().forEach(ProcessHandle::destroyForcibly);
            server.destroyForcibly();
        }
    }

    @Test
    void aServerThatHasEndedIsLeftAlone() throws Exception {
        Process server = new ProcessBuilder("true").start();
        server.waitFor();
        assumePossible(server);
        new SharedCore(server.toHandle()).close();
        assertThat(coresOf("thread-self")).isEqualTo(Cores.all());
    }
}
