package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerLockTest {

    private static final String TRY = """
            import java.nio.channels.FileChannel;
            import java.nio.file.Path;
            import java.nio.file.StandardOpenOption;

            class Try {
                public static void main(String[] file) throws Exception {
                    try (FileChannel channel = FileChannel.open(Path.of(file[0]), StandardOpenOption.WRITE)) {
                        System.exit(channel.tryLock() == null ? 10 : 11);
                    }
                }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void askingForOnesOwnFolderDoesNotLoseIt() throws Exception {
        Path owned = Files.createDirectory(folder.resolve("owned"));
        try (OwnerLock lock = OwnerLock.take(owned).orElseThrow()) {
            assertThat(lock).isNotNull();
            assertThat(OwnerLock.take(owned)).isEmpty();
            assertThat(isFree(owned)).isFalse();
        }
        assertThat(isFree(owned)).isTrue();
        try (OwnerLock again = OwnerLock.take(owned).orElseThrow()) {
            assertThat(again).isNotNull();
        }
    }

    /** As another process sees it. */
    private boolean isFree(Path owned) throws Exception {
        Path source = Files.writeString(folder.resolve("Try.java"), TRY);
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        source.toString(),
                        owned.resolve(OwnerLock.FILE).toString()))
                .inheritIO()
                .start();
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isIn(10, 11);
        return process.exitValue() == 11;
    }
}
