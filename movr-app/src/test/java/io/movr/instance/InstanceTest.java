package io.movr.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.RunningService;
import io.movr.RunningService.Reply;
import io.movr.database.Gateway;
import io.movr.database.Rows;
import io.movr.datasource.DatabaseProperties;
import io.movr.datasource.RegionProperties;
import io.movr.idempotency.IdempotencyProperties;
import io.movr.rides.RideProperties;
import io.movr.schema.Stage;
import io.movr.web.ApiProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class InstanceTest {

    private static final String ACTIVE = "http_server_requests_active_seconds_gcount";

    private final RunningService service = RunningService.shared();

    @Test
    void itTellsWhereItStands() {
        Reply region = service.get("/api/region");
        assertThat(region.text("region")).isEqualTo("us-east1");
        assertThat(region.text("gateway")).isEqualTo(service.gateway().recorded());
        assertThat(region.body().path("database").path("engine").asString()).isEqualTo("PostgreSQL");
        assertThat(region.body().path("database").path("stage").path("name").asString())
                .isEqualTo(RunningService.STAGE.id());
        assertThat(region.body().path("regions").path("europe-west1").toString())
                .isEqualTo("[\"amsterdam\",\"paris\",\"rome\"]");
    }

    @Test
    void aRequestForACityOfAnotherRegionIsServedAndMarked() {
        double before = service.metric("movr_requests_total", "home_region=\"europe-west1\"", "remote=\"true\"");
        Reply rome = service.get("/api/vehicles?city=rome");
        assertThat(rome.status()).isEqualTo(200);
        assertThat(rome.header("Movr-Home-Region")).isEqualTo("europe-west1");
        assertThat(rome.header("Movr-Remote")).isEqualTo("true");
        assertThat(service.get("/api/vehicles?city=boston").header("Movr-Remote"))
                .isEqualTo("false");
        Reply registered = service.post(
                "/api/users", Map.of("city", "paris", "name", "A", "address", "B", "credit_card", "4111111111111111"));
        assertThat(registered.header("Movr-Remote")).isEqualTo("true");
        assertThat(service.get(registered.header("Location")).header("Movr-Home-Region"))
                .isEqualTo("europe-west1");
        assertThat(service.metric("movr_requests_total", "home_region=\"europe-west1\"", "remote=\"true\""))
                .isEqualTo(before + 3);
    }

    @Test
    void metricsNameRegionOperationAndStage() {
        service.get("/api/vehicles?city=boston");
        service.newUser("boston");
        String metrics = service.get("/actuator/prometheus").body().asString();
        assertThat(metrics)
                .contains("http_server_requests_seconds_count{", "uri=\"/api/vehicles\"")
                .contains("movr_transactions_seconds_count{operation=\"register user\",outcome=\"done\"")
                .contains("spring_data_repository_invocations_seconds_count{", "repository=\"Vehicles\"")
                .contains("hikaricp_connections_acquire_seconds_count{");
        // The cache outlives stages.
        assertThat(metrics.lines().filter(line -> line.startsWith("movr_") && !line.startsWith("movr_cache_")))
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line)
                        .contains("region=\"us-east1\"", "stage=\"" + RunningService.STAGE.id() + "\""));
    }

    @Test
    void requestsWithABodyAreObservedUntilTheirEnd() throws InterruptedException {
        String[] registrations = {"method=\"POST\"", "uri=\"/api/users\""};
        double before = service.metric("http_server_requests_seconds_count", registrations);
        for (int number = 0; number < 3; number++) {
            service.newUser("boston");
        }
        // An observation ends after its answer has been sent.
        for (int look = 0; look < 50 && service.metric(ACTIVE, "method=\"POST\"") > 0; look++) {
            Thread.sleep(100);
        }
        assertThat(service.get("/actuator/prometheus").body().asString()).contains(ACTIVE);
        assertThat(service.metric(ACTIVE, "method=\"POST\"")).isZero();
        assertThat(service.metric("http_server_requests_seconds_count", registrations))
                .isEqualTo(before + 3);
    }

    @Test
    void dashboardAndRulesAskForMetricsThatTheServiceHas() throws IOException {
        service.get("/api/vehicles?city=boston");
        String metrics = service.get("/actuator/prometheus").body().asString();
        Path docker = Path.of("..", "docker");
        String dashboard = Files.readString(docker.resolve("grafana/dashboards/movr.json"));
        String rules = Files.readString(docker.resolve("rules.yml"));
        List<String> asked = Pattern.compile("\\b(movr|http|hikaricp)_[a-z_]+\\b")
                .matcher(dashboard + rules)
                .results()
                .map(MatchResult::group)
                .distinct()
                // The one is there from the first retry on (see GatewayFailureTest), the other is that of a runner.
                .filter(name -> !List.of("movr_transactions_retries_total", "movr_workload_lag_seconds")
                        .contains(name))
                .toList();
        assertThat(asked)
                .hasSizeGreaterThan(6)
                .allSatisfy(name -> assertThat(metrics).contains("\n" + name + "{"));
        assertThat(Pattern.compile("movr:[a-z0-9_:]+").matcher(dashboard).results())
                .isNotEmpty()
                .allSatisfy(recorded -> assertThat(rules).contains("record: " + recorded.group() + "\n"));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "REGION_SURVIVAL")
    void itServesEveryStage(Stage stage) {
        try (RunningService other = RunningService.start(RunningService.database(stage), Map.of())) {
            assertThat(other.get("/actuator/health/readiness").status()).isEqualTo(200);
            String rider = other.newUser("boston");
            String vehicle = other.newVehicle("boston", rider);
            String ride = other.start("boston", rider, vehicle).text("id");
            assertThat(other.apply("boston", rider, other.newPromoCode(50, 1)).status())
                    .isEqualTo(200);
            assertThat(other.end("boston", ride, rider).body().path("revenue").asDouble())
                    .isEqualTo(0.65);
            assertThat(other.get("/api/region")
                            .body()
                            .path("database")
                            .path("stage")
                            .path("version")
                            .asInt())
                    .isEqualTo(stage.version());
        }
    }

    @Test
    void itStandsInTheRegionThatItIsPinnedTo() {
        String url = service.gateway().url();
        try (RunningService west = RunningService.start(
                service.gateway(),
                Map.of(
                        "movr.region.pinned", "west",
                        "movr.region.cities.east", "boston",
                        "movr.region.cities.west", "rome,paris",
                        "movr.database.gateways.east", "jdbc:postgresql://127.0.0.1:1/none",
                        "movr.database.gateways.west", url))) {
            assertThat(west.get("/api/region").text("region")).isEqualTo("west");
            assertThat(west.get("/api/vehicles?city=rome").header("Movr-Remote"))
                    .isEqualTo("false");
            assertThat(west.get("/api/vehicles?city=boston").header("Movr-Remote"))
                    .isEqualTo("true");
            assertThat(west.get("/api/vehicles?city=seattle").problem()).isEqualTo("unknown-city");
        }
    }

    @Test
    void whoItConnectsAsIsSaidBesideTheAddress(@TempDir Path folder) throws IOException {
        service.execute("DROP ROLE IF EXISTS other_one");
        service.execute("CREATE ROLE other_one LOGIN SUPERUSER PASSWORD 'secret of a file'");
        Path password = Files.writeString(folder.resolve("password"), "secret of a file\n");
        try (RunningService other = RunningService.start(
                service.gateway(),
                Map.of(
                        "movr.database.username", "other_one",
                        "movr.database.password-file", password.toString(),
                        "movr.database.pool-size", "2"))) {
            assertThat(other.get("/actuator/health/readiness").status()).isEqualTo(200);
            assertThat(other.ask("SELECT count(*) FROM pg_stat_activity WHERE usename = 'other_one'"))
                    .isEqualTo("2");
            assertThat(other.get("/api/region").body().toString()).doesNotContain("secret of a file");
        }
    }

    @Test
    void aDatabaseThatAnotherApplicationMigratedIsNotReady() throws SQLException {
        service.execute("DROP DATABASE IF EXISTS shop");
        service.execute("CREATE DATABASE shop");
        Gateway shop = service.gateway().toDatabase("shop");
        try (Connection connection = shop.connect()) {
            Rows.execute(
                    connection,
                    "CREATE TABLE flyway_schema_history AS SELECT 1 AS installed_rank, '1' AS version,"
                            + " 'V1__init.sql' AS script, 4711 AS checksum, true AS success");
        }
        try (RunningService other = RunningService.start(shop, Map.of())) {
            Reply readiness = other.get("/actuator/health/readiness");
            assertThat(readiness.status()).isEqualTo(503);
            assertThat(readiness.body().toString()).contains("another application's");
        }
    }

    @Test
    void aDatabaseWithoutTablesIsNotReady() {
        service.execute("DROP DATABASE IF EXISTS empty_one");
        service.execute("CREATE DATABASE empty_one");
        try (RunningService other = RunningService.start(service.gateway().toDatabase("empty_one"), Map.of())) {
            Reply readiness = other.get("/actuator/health/readiness");
            assertThat(readiness.status()).isEqualTo(503);
            assertThat(readiness.body().toString()).contains("run movr migrate");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "movr.region.pinned | mars | movr.region.pinned is 'mars'",
                "movr.region.cities.us-east1 | | The region us-east1 has no city",
                "movr.region.cities.West | rome | movr.region.cities",
                "movr.database.pool-size | -1 | movr.database",
                "movr.database.isolaton | serializable | isolaton",
                "movr.database.gateways.mars | jdbc:postgresql://h/x | movr.database.gateways.mars: there is no such",
                "movr.database.pool-size | many | movr.database.pool-size",
                "movr.database.isolation | chaos | movr.database.isolation",
                "movr.database.timeouts.statement | 0s | movr.database",
                "movr.database.url | mysql://x | is no PostgreSQL address",
                "movr.database.password-file | /no/such/file | movr.database.password-file",
                "movr.database.tls.mode | some | movr.database.tls",
                "movr.api.page-size | 500 | movr.api.page-size",
                "movr.api.largest-body | 1B | movr.api.largest-body",
                "movr.idempotency.keep | 1s | movr.idempotency",
                "movr.rides.price-per-minute | -1 | movr.rides",
            })
    void aWrongSettingKeepsItFromStarting(String name, String value, String said) {
        assertThatThrownBy(() -> RunningService.start(service.gateway(), Map.of(name, value == null ? "" : value))
                        .close())
                .satisfies(failed -> {
                    StringBuilder messages = new StringBuilder();
                    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
                        messages.append(cause.getMessage()).append('\n');
                    }
                    assertThat(messages.toString()).contains(said);
                });
    }

    @Test
    void everySettingIsInTheDocs() throws IOException {
        String docs = Files.readString(Path.of("..", "docs", "configuration.md"));
        Map<Class<?>, String> groups = Map.of(
                RegionProperties.class, "movr.region",
                DatabaseProperties.class, "movr.database",
                IdempotencyProperties.class, "movr.idempotency",
                ApiProperties.class, "movr.api",
                RideProperties.class, "movr.rides");
        groups.forEach((type, prefix) -> assertThat(settings(type))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(docs).contains(prefix).containsPattern("[.`]" + name + "[`.]")));
    }

    private static List<String> settings(Class<?> type) {
        return Stream.of(type.getRecordComponents())
                .flatMap(component -> component.getType().isRecord()
                        ? settings(component.getType()).stream()
                        : Stream.of(component.getName()))
                .map(name -> name.replaceAll("([a-z])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT))
                .toList();
    }
}
