package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.movr.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FoldersTest {

    @TempDir
    private Path folder;

    private void assertRefused(Path planted, String fault) {
        assertThatThrownBy(() -> Folders.ownedByThisUser(planted, "SETTING"))
                .isInstanceOf(UserError.class)
                .hasMessage("'" + planted + "' is not used, because " + fault
                        + ": remove it, and movr makes it anew, or name another place in SETTING");
    }

    @Test
    void aFolderThatIsMadeIsWrittenToByThisUserOnlyAndUsedAgain() throws IOException {
        Path made = Folders.ownedByThisUser(folder.resolve("above").resolve("made"), "SETTING");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                .isEqualTo("rwx--x--x");
        assertThat(Folders.ownedByThisUser(made, "SETTING")).isEqualTo(made);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxr-x", "rwxr-xrwx", "rwxrwxrwx"})
    void aFolderThatOthersMayWriteToIsRefused(String permissions) throws IOException {
        Path planted = Files.createDirectory(folder.resolve("planted"));
        Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString(permissions));
        assertRefused(planted, "other users may write to it");
    }

    @Test
    void aLinkOrAFileIsRefused() throws IOException {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        assertRefused(Files.createSymbolicLink(folder.resolve("link"), elsewhere), "it is no folder");
        assertRefused(Files.createSymbolicLink(folder.resolve("broken"), folder.resolve("none")), "it is no folder");
        assertRefused(Files.writeString(folder.resolve("file"), ""), "it is no folder");
    }

    @Test
    void aFolderOfAnotherUserIsRefusedAlsoIfItIsWritable() throws IOException {
        assumeTrue(Folders.userId() == 0, "only root can make a folder of another user");
        Path planted = Files.createDirectory(folder.resolve("planted"));
        Files.setAttribute(planted, "unix:uid", 65534);
        assertRefused(planted, "it belongs to another user");
    }

    @Test
    void aServerIsNotStartedBelowAPlantedFolder() throws IOException {
        String temporary = System.setProperty("java.io.tmpdir", folder.toString());
        try {
            Path planted = Files.createDirectory(folder.resolve("movr-" + System.getProperty("user.name")));
            Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString("rwxrwxrwx"));
            assertThatThrownBy(EmbeddedPostgres::temporary)
                    .isInstanceOf(UserError.class)
                    .hasMessageStartingWith("'" + planted + "' is not used");
        } finally {
            System.setProperty("java.io.tmpdir", temporary);
        }
    }
}
