package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGProperty;

class GatewayTest {

    private static final String SERVICE_FILE = "org.postgresql.pgservicefile";

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://h:1/a?user=u, jdbc:postgresql://h:1/b?user=u",
        "jdbc:postgresql://h:1/a, jdbc:postgresql://h:1/b",
        "jdbc:postgresql://h:1/, jdbc:postgresql://h:1/b",
        "jdbc:postgresql://h1:1;h2:2/a?user=u, jdbc:postgresql://h1:1;h2:2/b?user=u",
    })
    void itLeadsToAnotherDatabaseOfTheSameServer(String from, String to) {
        Gateway gateway = new Gateway(from.replace(';', ','));
        assertThat(gateway.toDatabase("b").url()).isEqualTo(to.replace(';', ','));
        assertThat(gateway.toDatabase("b").database()).isEqualTo("b");
    }

    @ParameterizedTest
    @CsvSource({
        "postgresql://h:1/a, jdbc:postgresql://h:1/a",
        "postgres://root@h:26257/defaultdb?sslmode=disable, jdbc:postgresql://h:26257/defaultdb?sslmode=disable&user=root",
        "postgresql://demo:demo%201@127.0.0.1:26257/movr?options=-ccluster%3Ddemoapp,"
                + " jdbc:postgresql://127.0.0.1:26257/movr?options=-ccluster%3Ddemoapp&user=demo&password=demo%201",
        "postgresql://root@h:26257?sslmode=disable, jdbc:postgresql://h:26257/?sslmode=disable&user=root",
    })
    void anAddressAsCockroachPrintsItIsRead(String printed, String jdbc) {
        assertThat(new Gateway(printed).url()).isEqualTo(jdbc);
        assertThat(new Gateway(printed).shown()).doesNotContain("demo%201");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://h:1/a?user=u,"
                + " jdbc:postgresql://h:1/a?user=u&connectTimeout=0&sslResponseTimeout=0&loginTimeout=10",
        "jdbc:postgresql://h:1/a?connectTimeout=3, jdbc:postgresql://h:1/a?connectTimeout=3",
        "jdbc:postgresql://h:1/a?socketTimeout=3, jdbc:postgresql://h:1/a?socketTimeout=3",
        "jdbc:postgresql://h1:1;h2:2/a, jdbc:postgresql://h1:1;h2:2/a",
    })
    void theLimitOfALoginReplacesNoneThatTheAddressSets(String given, String limited) {
        assertThat(new Gateway(given.replace(';', ',')).withLimitOfLoginOnly().url())
                .isEqualTo(limited.replace(';', ','));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://u:s3cret@h/db",
                "jdbc:postgresql://u:s3cret@h:5432/db",
                "jdbc:postgresql://u:s3?cret@h:5432/db",
                "jdbc:postgresql://u:s3cret/db",
                "jdbc:postgresql:u:s3cret@h/db",
                "jdbc:postgresql://h/db?user=u&password=s3cret%zz",
                "jdbc:postgresql://h:x/db?user=u&password=a&s3cret",
                "jdbc:postgresql://h:x/db?user=u;PASSWORD=s3cret",
                "jdbc:postgresql://h:x/db?pass%77ord=s3cret",
                "postgresql://u:s3%zz@s3cret@h/db",
                "postgres://u:s3/cret@h/db",
                "mysql://u:s3cret@h/db",
                "u:s3cret@h/db",
                "u:s3cret",
                "host=h user=u password=s3cret",
                "//u:s3cret@h:1/db",
            })
    void thePasswordOfAnAddressThatCannotBeReadIsNotShown(String address) {
        assertThatThrownBy(() -> new Gateway(address))
                .isInstanceOf(UserError.class)
                .satisfies(refused -> assertThat(refused.getMessage())
                        .contains("is no PostgreSQL address")
                        .doesNotContain("s3", "cret"));
    }

    @Test
    void aPasswordIsNeverShown() {
        Gateway gateway = new Gateway("jdbc:postgresql://h:1/a?user=u&password=s3cret&sslpassword=t0p");
        assertThat(gateway.shown()).doesNotContain("s3cret", "t0p").contains("user=u");
        assertThat(gateway).asString().doesNotContain("s3cret");
        assertThatThrownBy(() -> new Gateway("jdbc:mysql://h/a?password=s3cret"))
                .isInstanceOf(UserError.class)
                .message()
                .doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"postgresql://me:p/w@h:1/a", "postgresql://me:p@w@h:1/a", "postgres://me:p:w@h/a?sslmode=disable"
            })
    void aPasswordWithCharactersThatShouldHaveBeenEncodedIsNotShownEither(String url) {
        assertThat(Gateway.masked(url)).matches("postgres(ql)?://\\*\\*\\*h.*");
    }

    @Test
    void ofAVariableOnlyItsNameIsShown() {
        String path = System.getenv("PATH");
        assertThatThrownBy(() -> new Gateway("env:PATH"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("'env:PATH' is no PostgreSQL address")
                .message()
                .doesNotContain(path);
        assertThatThrownBy(() -> new Gateway("env:MOVR_NO_SUCH_VARIABLE"))
                .isInstanceOf(UserError.class)
                .hasMessage(
                        "There is no environment variable 'MOVR_NO_SUCH_VARIABLE': set it to the database's address");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "jdbc:mysql://h/a",
                "postgresql:h/a",
                "jdbc:postgresql://h:port/a",
                "jdbc:postgresql:a?PGHOST=x,y&PGPORT=1"
            })
    void whatIsNoAddressIsRefusedWithAnExample(String url) {
        assertThatThrownBy(() -> new Gateway(url))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("jdbc:postgresql://host:port/database");
    }

    @Test
    void ofSeveralHostsThereIsNoPort() {
        assertThatThrownBy(() -> new Gateway("jdbc:postgresql://one:1,two:2/a").port())
                .isInstanceOf(UserError.class)
                .hasMessageContaining("names several hosts");
        assertThat(new Gateway("jdbc:postgresql://one:1/a").port()).isEqualTo(1);
    }

    @Test
    void aServerThatDoesNotAnswerIsSaidInOneLine() {
        assertThatThrownBy(() -> Cluster.at("jdbc:postgresql://127.0.0.1:1/x?user=u"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("Cannot connect to jdbc:postgresql://127.0.0.1:1/x")
                .satisfies(refusal -> assertThat(refusal.getMessage()).doesNotContain("\n"));
    }

    @Test
    void whoeverNamesAKeyThatTheDriverCannotReadIsToldWhichOneItTakes() {
        assertThat(Gateway.advised("Could not read SSL key file certs/client.root.key."))
                .startsWith("Could not read SSL key file certs/client.root.key. It takes a key in PKCS-8");
        assertThat(Gateway.advised("Connection refused")).isEqualTo("Connection refused");
    }

    @Test
    void moreOptionsAreAddedToThoseThatAreThere() {
        Gateway gateway = new Gateway("jdbc:postgresql://h/x?options=-ccluster%3Ddemo&user=me").withOptions("-c a=b");
        assertThat(gateway.url()).isEqualTo("jdbc:postgresql://h/x?user=me&options=-ccluster%3Ddemo+-c+a%3Db");
        assertThat(new Gateway("jdbc:postgresql://h/x").withOptions("-c a=b").url())
                .isEqualTo("jdbc:postgresql://h/x?options=-c+a%3Db");
    }

    @Test
    void aParameterCanBeLeftOut() {
        Gateway gateway = new Gateway("jdbc:postgresql://h/x?user=me&password=secret&sslmode=disable");
        assertThat(gateway.without(PGProperty.USER).url())
                .isEqualTo("jdbc:postgresql://h/x?password=secret&sslmode=disable");
        assertThat(gateway.without(PGProperty.SSL_MODE).url())
                .isEqualTo("jdbc:postgresql://h/x?user=me&password=secret");
        assertThat(new Gateway("jdbc:postgresql://h/x?user=me")
                        .without(PGProperty.USER)
                        .url())
                .isEqualTo("jdbc:postgresql://h/x");
    }

    @Test
    void aPasswordFileIsReadByTheDriverUnlessTheAddressHasAPassword() {
        Gateway gateway = new Gateway("postgresql://me@h:1/a?passfile=/some%20where/pgpass");
        assertThat(gateway.url())
                .isEqualTo("jdbc:postgresql://h:1/a?passfile=/some%20where/pgpass&user=me"
                        + "&authenticationPluginClassName=io.movr.database.PasswordFile");
        assertThat(new Gateway(gateway.url())).isEqualTo(gateway);
        assertThat(gateway.shown()).isEqualTo("jdbc:postgresql://h:1/a?passfile=/some%20where/pgpass&user=me");
        assertThat(gateway.recorded()).isEqualTo("jdbc:postgresql://h:1/a?user=me");
        assertThat(gateway.libpq()).isEqualTo("postgresql://h:1/a?passfile=/some%20where/pgpass&user=me");
        // An empty PGPASSWORD, because that of a parent process would come before the file.
        assertThat(gateway.environment())
                .containsEntry("PGPASSFILE", "/some where/pgpass")
                .containsEntry("PGPASSWORD", "");
        assertThat(gateway.withoutPassword().url()).isEqualTo("jdbc:postgresql://h:1/a?user=me");

        Gateway both = new Gateway(gateway.url() + "&password=s3cret");
        assertThat(both.url()).doesNotContain("authenticationPluginClassName");
        assertThat(both.environment()).containsEntry("PGPASSWORD", "s3cret").doesNotContainKey("PGPASSFILE");
        assertThat(both.libpq()).doesNotContain("s3cret", "authenticationPluginClassName");
    }

    @Test
    void anotherPortLeadsToTheSameDatabase() {
        assertThat(new Gateway("jdbc:postgresql://h1:1,h2:2/a?user=me")
                        .through(7)
                        .url())
                .isEqualTo("jdbc:postgresql://127.0.0.1:7/a?user=me");
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql:a?user=u, localhost, 5432, jdbc:postgresql://127.0.0.1:7/a?user=u",
        "jdbc:postgresql:, localhost, 5432, jdbc:postgresql://127.0.0.1:7/",
        "jdbc:postgresql://, localhost, 5432, jdbc:postgresql://127.0.0.1:7/",
        "jdbc:postgresql:///a, localhost, 5432, jdbc:postgresql://127.0.0.1:7/a",
        "jdbc:postgresql://:5/a, localhost, 5, jdbc:postgresql://127.0.0.1:7/a",
        "jdbc:postgresql://h/a, h, 5432, jdbc:postgresql://127.0.0.1:7/a",
        "jdbc:postgresql://h:5/, h, 5, jdbc:postgresql://127.0.0.1:7/",
        "jdbc:postgresql://[::1]:5/a, [::1], 5, jdbc:postgresql://127.0.0.1:7/a",
        "jdbc:postgresql:a?PGHOST=::1, ::1, 5432, jdbc:postgresql://127.0.0.1:7/a",
        "jdbc:postgresql://h:5/a?PGHOST=x&user=u&PGPORT=9&PGDBNAME=q, x, 9, jdbc:postgresql://127.0.0.1:7/q?user=u",
        "jdbc:postgresql://h:5/a?host=x&port=9&dbname=q, x, 9, jdbc:postgresql://127.0.0.1:7/q",
        "jdbc:postgresql:?PGHOST=x&PGPORT=9&PGDBNAME=q, x, 9, jdbc:postgresql://127.0.0.1:7/q",
        "jdbc:postgresql://h/a%20b%2Fc?options=-c%20a%3Db, h, 5432,"
                + " jdbc:postgresql://127.0.0.1:7/a%20b%2Fc?options=-c%20a%3Db",
        "jdbc:postgresql:a+b, localhost, 5432, jdbc:postgresql://127.0.0.1:7/a%20b",
        "jdbc:postgresql://h/a?&user=u&, h, 5432, jdbc:postgresql://127.0.0.1:7/a?&user=u",
    })
    void everyFormThatTheDriverReadsLeadsThroughAPort(String given, String host, int port, String through) {
        Gateway gateway = new Gateway(given);
        assertThat(gateway.host()).isEqualTo(host);
        assertThat(gateway.port()).isEqualTo(port);
        assertThat(gateway.through(7).url()).isEqualTo(through);
        assertThat(gateway.through(7).database()).isEqualTo(gateway.database());
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql:a?user=u, jdbc:postgresql://localhost:5432/b?user=u",
        "jdbc:postgresql:, jdbc:postgresql://localhost:5432/b",
        "jdbc:postgresql:///a, jdbc:postgresql://localhost:5432/b",
        "jdbc:postgresql://h:1/a?dbname=x&user=u, jdbc:postgresql://h:1/b?user=u",
        "jdbc:postgresql://h:1/a?PGDBNAME=x, jdbc:postgresql://h:1/b",
        "jdbc:postgresql:a?PGHOST=x;y&PGPORT=1;2, jdbc:postgresql://x:1;y:2/b",
        "jdbc:postgresql:a?PGHOST=::1, jdbc:postgresql://[::1]:5432/b",
    })
    void everyFormThatTheDriverReadsLeadsToAnotherDatabase(String from, String to) {
        Gateway other = new Gateway(from.replace(';', ',')).toDatabase("b");
        assertThat(other.url()).isEqualTo(to.replace(';', ','));
        assertThat(other.database()).isEqualTo("b");
    }

    @Test
    void theNameOfADatabaseIsEncoded() {
        Gateway other = new Gateway("jdbc:postgresql://h:1/a?user=u").toDatabase("a b/c?d&e+f");
        assertThat(other.database()).isEqualTo("a b/c?d&e+f");
        assertThat(other.url()).isEqualTo("jdbc:postgresql://h:1/a%20b%2Fc%3Fd%26e%2Bf?user=u");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://h/a?socketFactory=com.example.Factory",
                "jdbc:postgresql:a?socketFactory=com.example.Factory&socketFactoryArg=x"
            })
    void anAddressWhoseSocketsLeadElsewhereIsRefused(String url) {
        assertThatThrownBy(() -> new Gateway(url).through(7))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("has a socketFactory");
    }

    @Test
    void theHostOfAServiceLeadsThroughAPort(@TempDir Path folder) throws IOException {
        Path services = Files.writeString(folder.resolve("services"), "[shop]\nhost=x\nport=9\ndbname=q\nuser=u\n");
        String before = System.getProperty(SERVICE_FILE);
        System.setProperty(SERVICE_FILE, services.toString());
        try {
            Gateway gateway = new Gateway("jdbc:postgresql:///?service=shop");
            assertThat(gateway.host()).isEqualTo("x");
            assertThat(gateway.port()).isEqualTo(9);
            assertThat(gateway.through(7).url()).isEqualTo("jdbc:postgresql://127.0.0.1:7/q?service=shop");
            assertThat(gateway.through(7).host()).isEqualTo("127.0.0.1");
            // Its database is that of the user's name, and the service would set another.
            assertThatThrownBy(() -> new Gateway("jdbc:postgresql:?service=shop").through(7))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("names no host and port");
        } finally {
            if (before == null) {
                System.clearProperty(SERVICE_FILE);
            } else {
                System.setProperty(SERVICE_FILE, before);
            }
        }
    }
}
