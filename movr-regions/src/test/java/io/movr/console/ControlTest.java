package io.movr.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.UserError;
import io.movr.database.Cluster;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Gateway;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import io.movr.report.RunBundle;
import io.movr.traffic.Control;
import io.movr.traffic.RunningRegions;
import java.io.Reader;
import java.io.Writer;
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

/** Sends commands of other processes to running regions. */
class ControlTest {

    private static EmbeddedPostgres server;

    @TempDir
    private Path folder;

    private Control control;
    private Console console;

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
        control = Control.lock(folder);
        console = Console.start(
                new RunningRegions(Cluster.at(gateways), map),
                control,
                0,
                null,
                RunBundle.in(folder.resolve("results")));
    }

    @AfterEach
    void close() {
        console.close();
        control.close();
    }

    private String ask(String... words) {
        return Control.sendCommand(folder, List.of(words), line -> {});
    }

    private Path file() {
        return folder.resolve("running.properties");
    }

    private static Properties properties(Path file) throws Exception {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        return properties;
    }

    @Test
    void aRequestToStopIsAnsweredAndReachesTheOwner() throws Exception {
        assertThat(control.awaitStop(Duration.ZERO)).isFalse();
        assertThat(ask("stop")).isEqualTo("the regions are being stopped");
        assertThat(control.awaitStop(Duration.ofMinutes(1))).isTrue();
    }

    @Test
    void aFailedCommandReportsTheReason() {
        assertThatThrownBy(() -> ask("dance")).isInstanceOf(UserError.class).hasMessage("unknown command \"dance\"");
        assertThatThrownBy(() -> ask("cut", "us-east1", "us-west1"))
                .hasMessage("The links of this cluster cannot be changed: movr did not start it");
        assertThatThrownBy(() -> ask("kill", "us-west1"))
                .hasMessageContaining("The servers in us-west1 cannot be killed by movr");
        assertThatThrownBy(() -> ask("migrate", "no-such-stage")).hasMessageContaining("no-such-stage");
        assertThat(ask("stop")).as("it still answers").isNotEmpty();
    }

    @Test
    void aCommandNeedsTheTokenThatOnlyTheUserCanRead() throws Exception {
        assertThat(Files.getPosixFilePermissions(file()))
                .containsExactlyInAnyOrder(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
        URI address = URI.create(properties(file()).getProperty("url") + "api/commands");
        for (String token : List.of("", "guess")) {
            HttpRequest request = HttpRequest.newBuilder(address)
                    .header("X-Movr-Token", token)
                    .POST(HttpRequest.BodyPublishers.ofString("{\"words\": [\"stop\"]}"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(403);
        }
        Properties other = properties(file());
        other.setProperty("token", "guess");
        try (Writer writer = Files.newBufferedWriter(file())) {
            other.store(writer, null);
        }
        assertThatThrownBy(() -> ask("stop")).hasMessage("The server of the running regions answered with status 403");
        assertThat(control.awaitStop(Duration.ZERO)).isFalse();
    }

    @Test
    void closedRegionsAreNotFound() {
        assertThat(Control.isRunning(folder)).isTrue();
        console.close();
        assertThatThrownBy(() -> ask("stop")).hasMessageContaining("still being started, or stopped");
        control.close();
        assertThat(Control.isRunning(folder)).isFalse();
        assertThatThrownBy(() -> ask("stop")).hasMessageContaining("No regions run here");
    }

    @Test
    void theFileOfAKilledProcessIsIgnored() throws Exception {
        control.close();
        Files.writeString(file(), "url=http://127.0.0.1:1/\ntoken=x\n");
        assertThat(Control.isRunning(folder)).isFalse();
        control = Control.lock(folder);
        assertThat(file()).doesNotExist();
        assertThatThrownBy(() -> ask("stop")).hasMessageContaining("still being started");
    }

    @Test
    void aFolderHasOneOwner() {
        assertThatThrownBy(() -> Control.lock(folder)).hasMessageContaining("Regions run here already");
    }
}
