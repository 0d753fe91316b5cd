package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.Driver;
import org.postgresql.plugin.AuthenticationRequestType;
import org.postgresql.util.PSQLException;

class PasswordFileTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "h:1:a:me:secret | secret",
                "*:*:*:me:secret | secret",
                "*:*:*:*:with\\:colon\\\\ | with:colon\\",
                "h:1:a:me:until:the next colon | until",
                "h:2:a:me:secret | ",
                "h:1:b:me:secret | ",
                "h:1:a:you:secret | ",
                "hh:1:a:me:secret | ",
                "\\*:1:a:me:secret | ",
                "#h:1:a:me:secret | ",
                "h:1:a:me | ",
            })
    void aLineFitsAsInLibpq(String line, String password) {
        assertThat(PasswordFile.find(List.of("", line), "h", "1", "a", "me").orElse(null))
                .isEqualTo(password);
    }

    @Test
    void theFirstLineThatFitsCountsAndWhatIsWrittenIsRead() {
        assertThat(PasswordFile.find(
                        List.of("other:*:*:*:no", "*:*:*:me:first", "h:1:a:me:second"), "h", "1", "a", "me"))
                .contains("first");
        String line = PasswordFile.line("m:e", "a:b\\c").strip();
        assertThat(PasswordFile.find(List.of(line), "h", "1", "a", "m:e")).contains("a:b\\c");
    }

    private String password(Path file, String permissions) throws IOException, PSQLException {
        if (Files.exists(file)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
        }
        Properties connection = Driver.parseURL(
                new Gateway("jdbc:postgresql://one:1,two:2/a?user=me")
                        .withPasswordFile(file)
                        .url(),
                new Properties());
        return String.valueOf(new PasswordFile(connection).getPassword(AuthenticationRequestType.SASL));
    }

    @Test
    void onlyAFileThatNobodyElseReadsIsUsed() throws Exception {
        Path file = folder.resolve("a file+50%&");
        assertThatThrownBy(() -> password(file, "rw-------"))
                .isInstanceOf(SQLException.class)
                .hasMessage("There is no password file '" + file + "': correct passfile in the address");
        Files.writeString(file, "two:2:a:me:secret\n");
        assertThat(password(file, "rw-------")).isEqualTo("secret");
        for (String open : List.of("rw-r-----", "rw----r--")) {
            assertThatThrownBy(() -> password(file, open))
                    .hasMessage("The password file '" + file + "' is open to other users: run chmod 600 on it");
        }
        Files.writeString(file, "two:2:other:me:secret\n");
        assertThatThrownBy(() -> password(file, "rw-------"))
                .hasMessageContaining("has no line for user 'me' of database 'a' at one, two")
                .message()
                .doesNotContain("secret");
    }
}
