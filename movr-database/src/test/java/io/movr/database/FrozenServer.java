package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** Stops all processes of a server where they are, until this is closed: connections stay open, and nothing is answered. */
public final class FrozenServer implements AutoCloseable {

    private final List<ProcessHandle> processes;

    public FrozenServer(EmbeddedPostgres server) throws IOException {
        ProcessHandle main = server.process().orElseThrow();
        // The first one stops first, so that it starts no others.
        signal("STOP", List.of(main));
        processes = Stream.concat(Stream.of(main), main.descendants()).toList();
        signal("STOP", processes);
    }

    private static void signal(String name, List<ProcessHandle> processes) throws IOException {
        for (ProcessHandle process : processes) {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .onExit()
                    .join()
                    .exitValue();
            assertThat(code == 0 || !process.isAlive()).isTrue();
        }
    }

    @Override
    public void close() throws IOException {
        signal("CONT", processes);
    }
}
