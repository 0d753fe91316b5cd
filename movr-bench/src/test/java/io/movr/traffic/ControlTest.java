package io.movr.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Gateway;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.io.Reader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What other commands may ask of regions that run. */
class ControlTest {

    private static EmbeddedPostgres server;

    @TempDir
    private Path folder;

    private Control control;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.temporary();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        RegionMap map = RegionMap.standard();
        Map<Region, Gateway> gateways = new LinkedHashMap<>();
        map.cities().keySet().forEach(region -> gateways.put(region, server.gateway()));
        control = Control.claim(folder);
        control.open(new Orders(new RunningRegions(Cluster.at(gateways), map)));
    }

    @AfterEach
    void close() {
        control.close();
    }

    private String ask(String... words) {
        return Control.ask(folder, List.of(words), told -> {});
    }

    private Path file() {
        return folder.resolve("running.properties");
    }

    private Properties file(Path file) throws Exception {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        return properties;
    }

    @Test
    void whoeverAsksToStopIsAnsweredAndTheOwnerHearsOfIt() throws Exception {
        assertThat(control.awaitStop(Duration.ZERO)).isFalse();
        assertThat(ask("stop")).isEqualTo("the regions are being stopped");
        assertThat(control.awaitStop(Duration.ofMinutes(1))).isTrue();
    }

    @Test
    void whatCannotBeDoneIsSaid() {
        assertThatThrownBy(() -> ask("dance"))
                .isInstanceOf(UserError.class)
                .hasMessage("The regions that run do not know how to dance");
        assertThatThrownBy(() -> ask("cut", "us-east1", "us-west1"))
                .hasMessage("The links of this cluster are not movr's own");
        assertThatThrownBy(() -> ask("kill", "us-west1"))
                .hasMessageContaining("The servers in us-west1 cannot be killed by movr");
        assertThatThrownBy(() -> ask("migrate", "no-such-stage")).hasMessageContaining("no-such-stage");
        assertThat(ask("stop")).as("it still answers").isNotEmpty();
    }

    @Test
    void onlyWhoeverCanReadTheSecretIsObeyed() throws Exception {
        assertThat(Files.getPosixFilePermissions(file()))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        URI address = URI.create("http://127.0.0.1:" + file(file()).getProperty("port") + "/");
        for (String secret : List.of("", "guess")) {
            HttpRequest request = HttpRequest.newBuilder(address)
                    .header("X-Movr-Secret", secret)
                    .POST(HttpRequest.BodyPublishers.ofString("stop"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(403);
        }
        assertThat(control.awaitStop(Duration.ZERO)).isFalse();
    }

    @Test
    void closedRegionsAreNotFound() {
        assertThat(Control.isRunning(folder)).isTrue();
        control.close();
        assertThat(Control.isRunning(folder)).isFalse();
        assertThatThrownBy(() -> ask("stop")).hasMessageContaining("No regions run here");
    }

    @Test
    void aFileThatAKilledProcessLeftIsNotBelieved() throws Exception {
        control.close();
        Files.writeString(file(), "port=1\nsecret=x\n");
        assertThat(Control.isRunning(folder)).isFalse();
        control = Control.claim(folder);
        assertThat(file()).doesNotExist();
        assertThatThrownBy(() -> ask("stop")).hasMessageContaining("still being started");
    }

    @Test
    void aFolderIsOfOneAtATime() {
        assertThatThrownBy(() -> Control.claim(folder)).hasMessageContaining("Regions run here already");
    }
}
