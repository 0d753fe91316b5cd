package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFilesTest {

    @Test
    void whatKilledProcessesLeftIsRemovedAndWhatOthersHaveIsNot(@TempDir Path root) throws IOException {
        Path left = Files.createDirectory(root.resolve("files-left"));
        OwnerLock.taken(left).close();
        Files.writeString(left.resolve("rows"), "1");
        Path unlocked = Files.createDirectory(root.resolve("files-half-removed"));
        Path owned = Files.createDirectory(root.resolve("files-owned"));
        Path other = Files.createDirectory(root.resolve("server-left"));
        try (OwnerLock owner = OwnerLock.taken(owned)) {
            TemporaryFiles.removeAbandoned(root, "files-");

            assertThat(owner.folder()).exists();
        }
        assertThat(left).doesNotExist();
        assertThat(unlocked).doesNotExist();
        assertThat(other).exists();
    }

    @Test
    void filesOfOneProcessLieTogetherAndAreItsOwn() throws IOException {
        Path file = TemporaryFiles.file("a-", ".txt");
        Path folder = TemporaryFiles.folder("b-");
        try {
            assertThat(file.getParent()).isEqualTo(folder.getParent());
            assertThat(OwnerLock.take(folder.getParent())).isEmpty();
        } finally {
            Files.delete(file);
            Files.delete(folder);
        }
    }
}
