package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.dataset.Invariants;
import io.movr.endtoend.MovrProgram.Ended;
import io.movr.endtoend.MovrProgram.Serving;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServeTest {

    private static final Pattern CURL = Pattern.compile("curl .*?(?=\\n\\s*(?:curl|\\n))", Pattern.DOTALL);

    private static final Pattern PSQL = Pattern.compile("psql '(.*)'");

    @TempDir
    private Path folder;

    private MovrProgram movr;
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void program() throws Exception {
        movr = new MovrProgram(folder);
    }

    private HttpResponse<String> get(String url) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
    }

    @Test
    void whatItPrintsWorks() throws Exception {
        try (Serving serving = movr.serve()) {
            assertThat(serving.printed()).contains("PostgreSQL 18", "stage foreign-keys", "us-east1");
            List<String> lines = CURL.matcher(serving.printed())
                    .results()
                    .map(MatchResult::group)
                    .toList();
            assertThat(lines).hasSize(3);
            for (String line : lines) {
                Process curl = new ProcessBuilder(
                                "sh", "-c", line.replaceFirst("curl", "curl --silent --show-error --fail-with-body"))
                        .redirectErrorStream(true)
                        .start();
                String answer =
                        new String(curl.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
                assertThat(curl.waitFor()).as(line + ": " + answer).isZero();
                assertThat(answer).startsWith("{");
            }
            Gateway printed = new Gateway(PSQL.matcher(serving.printed())
                    .results()
                    .map(shell -> shell.group(1))
                    .findFirst()
                    .orElseThrow());
            try (Connection connection = printed.connect()) {
                assertThat(connection.isValid(10)).isTrue();
            }
            assertThat(get(serving.root() + "/swagger-ui/index.html").body()).contains("Swagger UI");
            assertThat(get(serving.root() + "/swagger-ui").headers().firstValue("Location"))
                    .hasValueSatisfying(page -> assertThat(page).endsWith("/swagger-ui/index.html"));
            assertThat(get(serving.root() + "/").headers().firstValue("Location"))
                    .hasValue(serving.root() + "/swagger-ui");
            assertThat(get(serving.root() + "/actuator/prometheus").body()).contains("movr_transactions_seconds_count");
            assertThat(get(serving.root() + "/actuator/info").body()).contains("\"aheadOfTime\":true");
            assertThat(get(serving.root() + "/api/vehicles?city=boston&status=available")
                            .body())
                    .contains("\"status\":\"available\"");
        }
        assertThat(movr.servers()).isEmpty();
    }

    @Tag("full")
    @Test
    void whatItWroteIsThereWhenItIsStartedAgain() throws Exception {
        String body = "{\"city\": \"boston\", \"name\": \"Ada Brown\", \"address\": \"x\", \"credit_card\":"
                + " \"4111111111111111\"}";
        HttpResponse<String> registered;
        try (Serving serving = movr.serve()) {
            registered = client.send(
                    HttpRequest.newBuilder(URI.create(serving.root() + "/api/users"))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(registered.statusCode()).isEqualTo(201);
        }
        try (Serving serving = movr.serve("--region", "europe-west1", "--set", "movr.cache.enabled=true")) {
            assertThat(get(serving.root() + "/actuator/info").body()).contains("\"aheadOfTime\":false");
            assertThat(get(serving.root() + "/actuator/prometheus").body()).contains("movr_cache");
            HttpResponse<String> shown = get(
                    serving.root() + registered.headers().firstValue("Location").orElseThrow());
            assertThat(shown.body()).isEqualTo(registered.body());
            assertThat(shown.headers().firstValue("Movr-Remote")).contains("true");
        }
    }

    @Tag("full")
    @Test
    void aFolderWhoseFirstLoadWasInterruptedIsLoadedAndSomebodysEmptyTablesAreNot() throws Exception {
        // What a load leaves that is killed before it commits: the stage, and no rows.
        assertThat(movr.run("migrate", "--stage", "baseline").code()).isZero();
        try (Serving serving = movr.serve()) {
            assertThat(serving.printed()).contains("stage foreign-keys");
            assertThat(get(serving.root() + "/api/vehicles?city=boston&status=available")
                            .body())
                    .contains("\"status\":\"available\"");
            Gateway mine = new Gateway(serving.database());
            try (Connection connection = mine.connect()) {
                Rows.execute(connection, "CREATE DATABASE empty");
            }
            String empty = mine.toDatabase("empty").url();
            assertThat(movr.run("migrate", "--stage", "baseline", "--url", empty)
                            .code())
                    .isZero();
            try (Serving other = movr.serve("--url", empty)) {
                assertThat(movr.lastError()).contains("are empty: 'movr load --url …' fills them");
                assertThat(get(other.root() + "/api/vehicles?city=boston&status=available")
                                .body())
                        .doesNotContain("\"status\":\"available\"");
            }
        }
    }

    @Tag("full")
    @Test
    void requestsThatAreUnderWayAreFinishedBeforeItEnds() throws Exception {
        Serving serving = movr.serve();
        Gateway gateway = new Gateway(serving.database());
        String rider = "02cc9e5b-1e91-4cdb-87c4-726b4ea7219a";
        String path = serving.root() + "/api/users/boston/" + rider;
        CompletableFuture<HttpResponse<String>> renaming;
        try (Connection connection = gateway.connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            // The row is locked, so the request cannot be done yet.
            statement.execute("SELECT 1 FROM users WHERE city = 'boston' AND id = '" + rider + "' FOR UPDATE");
            renaming = client.sendAsync(
                    HttpRequest.newBuilder(URI.create(path))
                            .header("Content-Type", "application/json")
                            .method("PATCH", HttpRequest.BodyPublishers.ofString("{\"name\": \"Last Request\"}"))
                            .build(),
                    BodyHandlers.ofString());
            awaitLockWaiter(statement);
            serving.process().destroy();
            awaitRefusal(serving);
            assertThat(renaming).isNotDone();
            connection.commit();
        }
        HttpResponse<String> answer = renaming.get(1, TimeUnit.MINUTES);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("Last Request");
        assertThat(serving.end()).isEqualTo(143);
        assertThat(movr.servers()).isEmpty();
        try (Serving again = movr.serve()) {
            assertThat(get(again.root() + "/api/users/boston/" + rider).body()).contains("Last Request");
            assertThat(Invariants.violations(new Gateway(again.database()))).isEmpty();
        }
    }

    private static void awaitLockWaiter(Statement statement) throws Exception {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (true) {
            try (var waiting = statement.executeQuery(
                    "SELECT count(*) FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid()")) {
                waiting.next();
                if (waiting.getInt(1) > 0) {
                    return;
                }
            }
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.sleep(20);
        }
    }

    /** A service that ends takes no new connections. */
    private static void awaitRefusal(Serving serving) throws Exception {
        URI root = URI.create(serving.root());
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (true) {
            try (var socket = new java.net.Socket(root.getHost(), root.getPort())) {
                assertThat(System.nanoTime()).as("still listening at " + socket).isLessThan(end);
                Thread.sleep(50);
            } catch (java.net.ConnectException refused) {
                return;
            }
        }
    }

    @Tag("full")
    @Test
    void whatIsWrongIsSaidInOneLine() throws Exception {
        try (Serving serving = movr.serve()) {
            String port = Integer.toString(URI.create(serving.root()).getPort());
            List<List<String>> wrong = new ArrayList<>();
            wrong.add(List.of("--http-port", port, "Port " + port + " is taken: choose another one with --http-port"));
            wrong.add(List.of("--region", "mars", "movr.region.pinned is 'mars': choose one of"));
            wrong.add(List.of("--set", "movr.database.pool-size=-1", "movr.database.pool-size must be greater than"));
            wrong.add(List.of("--set", "server.address=300.1.1.1", "300.1.1.1"));
            for (List<String> arguments : wrong) {
                Ended ended = movr.run("serve", arguments.get(0), arguments.get(1));
                assertThat(ended.code()).isEqualTo(1);
                assertThat(ended.output()).isEmpty();
                assertThat(ended.complaint().lines()).as(ended.error()).hasSize(1);
                assertThat(ended.complaint()).contains(arguments.get(2)).startsWith("movr: ");
            }
            Ended empty = movr.run("serve", "--url", serving.database().replace("/movr?", "/postgres?"));
            assertThat(empty.error()).contains("There are no tables of MovR").contains("movr load");
        }
        assertThat(Files.exists(movr.dataFolder())).isTrue();
    }
}
