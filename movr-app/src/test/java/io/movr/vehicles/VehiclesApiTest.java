package io.movr.vehicles;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.RunningService;
import io.movr.RunningService.Reply;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class VehiclesApiTest {

    private final RunningService service = RunningService.shared();

    private Map<String, Object> addition(String type, Object ext) {
        Map<String, Object> addition = new HashMap<>();
        addition.put("city", "boston");
        addition.put("owner_id", RunningService.RIDER);
        addition.put("type", type);
        addition.put("current_location", "1 Main Street");
        addition.put("ext", ext);
        return addition;
    }

    @Test
    void anAddedVehicleIsAvailable() {
        Reply added = service.post(
                "/api/vehicles", addition("scooter", Map.of("brand", "Bird", "max_speed_kmh", 25, "color", "red")));
        assertThat(added.status()).isEqualTo(201);
        assertThat(added.text("status")).isEqualTo("available");
        Reply shown = service.get(added.header("Location"));
        assertThat(shown.body()).isEqualTo(added.body());
        assertThat(shown.header("ETag")).isEqualTo(added.header("ETag"));
        assertThat(shown.body().path("ext").path("max_speed_kmh").asInt()).isEqualTo(25);
    }

    @Test
    void extrasBelongToTheType() {
        Reply refused = service.post("/api/vehicles", addition("skateboard", Map.of("gears", 7)));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.problem()).isEqualTo("extras-of-another-type");
        assertThat(service.post("/api/vehicles", addition("bike", Map.of("wings", 2)))
                        .problem())
                .isEqualTo("unreadable-body");
        assertThat(service.post("/api/vehicles", addition("bike", Map.of("gears", 0)))
                        .problem())
                .isEqualTo("invalid-request");
        assertThat(service.post("/api/vehicles", addition("car", null)).problem())
                .isEqualTo("unreadable-body");
        assertThat(service.post("/api/vehicles", addition("bike", null)).status())
                .isEqualTo(201);
    }

    @Test
    void theOwnerIsAUserOfTheCity() {
        Map<String, Object> addition = addition("bike", null);
        addition.put("city", "rome");
        Reply refused = service.post("/api/vehicles", addition);
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.problem()).isEqualTo("unknown-user");
    }

    @Test
    void theFrontPageShowsTheFirst25ThatAreAvailable() {
        for (int number = 0; number < 26; number++) {
            service.newVehicle("boston", RunningService.RIDER);
        }
        Reply page = service.get("/api/vehicles?city=boston&status=available");
        assertThat(page.body().path("items").size()).isEqualTo(25);
        assertThat(page.text("next")).isNotEmpty();
        String before = "";
        for (JsonNode vehicle : page.body().path("items")) {
            assertThat(vehicle.path("status").asString()).isEqualTo("available");
            assertThat(vehicle.path("city").asString()).isEqualTo("boston");
            assertThat(vehicle.path("id").asString()).isGreaterThan(before);
            before = vehicle.path("id").asString();
        }
    }

    @ParameterizedTest
    @CsvSource({"bike, ", "scooter, available", ", in_use", ", lost", ", "})
    void vehiclesAreListedByTypeAndStatus(String type, String status) {
        String query = (type == null ? "" : "&type=" + type) + (status == null ? "" : "&status=" + status);
        String where = (type == null ? "" : " AND type = '" + type + "'")
                + (status == null ? "" : " AND status = '" + status + "'");
        Reply page = service.get("/api/vehicles?city=amsterdam&limit=200" + query);
        assertThat(page.body().path("items").size())
                .isEqualTo(Integer.parseInt(
                        service.ask("SELECT count(*) FROM vehicles WHERE city = 'amsterdam'" + where)));
    }

    @Test
    void statusAndLocationAreSetButNeverAgainstARide() {
        String vehicle = service.newVehicle("boston", RunningService.RIDER);
        String path = "/api/vehicles/boston/" + vehicle;
        Reply lost = service.patch(path, Map.of("status", "lost", "current_location", "the river"));
        assertThat(lost.status()).isEqualTo(200);
        assertThat(lost.text("status")).isEqualTo("lost");
        assertThat(lost.text("current_location")).isEqualTo("the river");
        assertThat(lost.header("ETag")).isEqualTo(service.get(path).header("ETag"));

        assertThat(service.start("boston", RunningService.RIDER, vehicle).problem())
                .isEqualTo("vehicle-not-available");
        assertThat(service.patch(path, Map.of("status", "in_use")).problem()).isEqualTo("status-not-settable");
        assertThat(service.patch(path, Map.of()).problem()).isEqualTo("invalid-request");
        assertThat(service.patch(path, Map.of("status", "available"), "If-Match", "\"other\"")
                        .problem())
                .isEqualTo("stale-version");
        assertThat(service.patch(path, Map.of("status", "available")).text("current_location"))
                .isEqualTo("the river");

        Reply ride = service.start("boston", RunningService.RIDER, vehicle);
        assertThat(ride.status()).isEqualTo(201);
        assertThat(service.patch(path, Map.of("status", "lost")).problem()).isEqualTo("vehicle-in-use");
        assertThat(service.patch(path, Map.of("current_location", "the bridge")).text("status"))
                .isEqualTo("in_use");
        assertThat(service.end("boston", ride.text("id"), RunningService.RIDER).status())
                .isEqualTo(200);
        assertThat(service.get(path).text("current_location")).isEqualTo("2 Market Street");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/vehicles/boston/00000000-0000-0000-0000-000000000000, 404, unknown-vehicle",
        "/api/vehicles?city=boston&status=stolen, 400, invalid-request",
        "/api/vehicles?city=boston&type=car, 400, invalid-request",
        "/api/vehicles?city=boston&type=BIKE, 400, invalid-request",
        "/api/vehicles?city=boston&type=%05, 400, invalid-request",
        "/api/vehicles?city=boston&status=%20, 400, invalid-request",
        "/api/vehicles?city=boston&limit=0x10, 400, invalid-request",
        "/api/vehicles?city=boston&limit=%205, 400, invalid-request",
        "/api/vehicles?city=boston&limit=99999999999, 400, invalid-request",
        "/api/vehicles, 400, invalid-request",
    })
    void whatIsNotThereOrNotAskedWellIsAProblem(String path, int status, String problem) {
        Reply refused = service.get(path);
        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.problem()).isEqualTo(problem);
    }

    @Test
    void whatAnotherProgramLeftWithoutStatusIsListedToo() {
        service.execute("INSERT INTO vehicles (city, id) VALUES ('rome', '00000000-0000-4000-8000-000000000001')");
        try {
            assertThat(service.get("/api/vehicles?city=rome&limit=1")
                            .body()
                            .path("items")
                            .get(0)
                            .path("id")
                            .asString())
                    .isEqualTo("00000000-0000-4000-8000-000000000001");
        } finally {
            service.execute("DELETE FROM vehicles WHERE id = '00000000-0000-4000-8000-000000000001'");
        }
    }
}
